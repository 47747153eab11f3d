-- The trail becomes a chain: every entry holds the hash of the one before it, so that none can be changed, taken out or
-- put in without all that follow.
ALTER TABLE audit ADD COLUMN chain TEXT;
ALTER TABLE audit ADD COLUMN seq BIGINT;
ALTER TABLE audit ADD COLUMN prev TEXT;
ALTER TABLE audit ADD COLUMN hash TEXT;
CREATE UNIQUE INDEX audit_in_chain ON audit (chain, seq);

-- How far the chain has come. There is one, whatever number of servers writes it: its row is the lock.
CREATE TABLE chains (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    head TEXT NOT NULL
);

-- The keys that sign what is carried out of here: heads of the chain, and receipts. One signs; others did.
CREATE TABLE signing_keys (
    id TEXT PRIMARY KEY,
    seed TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    retired_at BIGINT
);
CREATE UNIQUE INDEX signing_keys_signs ON signing_keys ((retired_at IS NULL)) WHERE retired_at IS NULL;

-- How far the chain had come at a moment, signed.
CREATE TABLE heads (
    chain TEXT NOT NULL,
    seq BIGINT NOT NULL,
    hash TEXT NOT NULL,
    at BIGINT NOT NULL,
    kid TEXT NOT NULL,
    signature TEXT NOT NULL,
    PRIMARY KEY (chain, seq)
);
