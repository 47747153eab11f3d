-- What a host needs to be told once only, and to be recognised after a restart.

-- The key under which an agent may repeat its call, and the digest of what it said then.
ALTER TABLE reviews ADD COLUMN repeat_key TEXT;
ALTER TABLE reviews ADD COLUMN digest TEXT;
CREATE UNIQUE INDEX reviews_repeated ON reviews (principal, repeat_key);

-- The prompts that hosts were sent, and what they answered. None of it decides anything.
CREATE TABLE prompts (
    id TEXT PRIMARY KEY,
    review TEXT NOT NULL REFERENCES reviews (id),
    principal TEXT NOT NULL,
    client TEXT,
    channel TEXT NOT NULL,
    sent_at BIGINT NOT NULL,
    action TEXT,
    after_ms BIGINT,
    CHECK ((action IS NULL) = (after_ms IS NULL))
);

CREATE INDEX prompts_of_review ON prompts (review, id);
CREATE INDEX prompts_of_principal ON prompts (principal, id);

-- Sessions of the handshake revisions: what a client said when it began one.
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    principal TEXT NOT NULL,
    state TEXT NOT NULL,
    seen_at BIGINT NOT NULL
);

CREATE INDEX sessions_of_principal ON sessions (principal, seen_at);
CREATE INDEX sessions_seen ON sessions (seen_at);
