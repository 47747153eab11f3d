-- The keys that sign what a browser carries back. The newest one signs; a retired one is honoured until what it signed ends.
CREATE TABLE keys (
    id TEXT PRIMARY KEY,
    secret TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    retired_at BIGINT
);
