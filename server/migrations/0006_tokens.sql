-- Agents' tokens. Of the secret there is a SHA-256 only; a row stays when its token has ended, so that a server that was
-- closed once never opens again by itself.
CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    used_at BIGINT
);

CREATE INDEX tokens_of_name ON tokens (name);
