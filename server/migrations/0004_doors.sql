-- The trail tells by which door somebody came, and of what concerns no request: credentials and sign-ins.
CREATE TABLE trail (
    id TEXT PRIMARY KEY,
    review TEXT REFERENCES reviews (id),
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    via TEXT NOT NULL,
    event TEXT NOT NULL
);

INSERT INTO trail (id, review, at, actor, via, event)
SELECT id, review, at, actor, '{"door":"inside"}', event FROM audit;

DROP TABLE audit;
ALTER TABLE trail RENAME TO audit;
CREATE INDEX audit_of_review ON audit (review, id);
