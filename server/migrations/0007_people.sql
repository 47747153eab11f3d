-- People who have signed in. The id is the digest of what their browser carries.
CREATE TABLE people_sessions (
    id TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    person TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);

CREATE INDEX people_sessions_of_subject ON people_sessions (subject, seen_at);
CREATE INDEX people_sessions_made ON people_sessions (made_at);
CREATE INDEX people_sessions_seen ON people_sessions (seen_at);

-- Sign-ins that have come back from the provider: none comes back twice.
CREATE TABLE people_states (
    state TEXT PRIMARY KEY,
    ends_at BIGINT NOT NULL
);
