-- Written to again and again, so that a server knows that it can write, also while nobody asks anything.
CREATE TABLE pulse (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    at BIGINT NOT NULL
);

INSERT INTO pulse (one, at) VALUES (1, 0);
