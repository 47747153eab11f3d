-- What a reviewer said beside the decision, as JSON, which escapes what a text cannot hold.
ALTER TABLE reviews ADD COLUMN comment TEXT;

-- Who has had which review before their eyes.
CREATE TABLE views (
    review TEXT NOT NULL REFERENCES reviews (id),
    person TEXT NOT NULL,
    PRIMARY KEY (review, person)
);
