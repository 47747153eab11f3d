-- One text for both databases: TEXT and BIGINT only; times are milliseconds since 1970 UTC.
CREATE TABLE reviews (
    id TEXT PRIMARY KEY,
    ask TEXT NOT NULL,
    principal TEXT NOT NULL,
    client TEXT,
    opened_at BIGINT NOT NULL,
    deadline BIGINT NOT NULL,
    state TEXT NOT NULL,
    closed_at BIGINT,
    answer TEXT,
    reviewer TEXT,
    reason TEXT,
    fetched_at BIGINT,
    -- What a state has and what it cannot have; a row that says otherwise cannot be written.
    CHECK (
        (state = 'open' AND closed_at IS NULL AND answer IS NULL AND reviewer IS NULL AND reason IS NULL AND fetched_at IS NULL)
        OR (state = 'answered' AND closed_at IS NOT NULL AND answer IS NOT NULL AND reviewer IS NOT NULL AND reason IS NULL)
        OR (state = 'expired' AND closed_at IS NOT NULL AND answer IS NULL AND reviewer IS NULL AND reason IS NULL AND fetched_at IS NULL)
        OR (state = 'withdrawn' AND closed_at IS NOT NULL AND answer IS NULL AND reviewer IS NULL AND fetched_at IS NULL)
    )
);

CREATE INDEX reviews_waiting ON reviews (deadline) WHERE state = 'open';

CREATE TABLE audit (
    id TEXT PRIMARY KEY,
    review TEXT NOT NULL REFERENCES reviews (id),
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    event TEXT NOT NULL
);

CREATE INDEX audit_of_review ON audit (review, id);
