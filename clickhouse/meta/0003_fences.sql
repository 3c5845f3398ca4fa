-- Attempts at a batch that its next owner has closed: an insert or a delete that belongs to one of them is refused, even
-- where it was sent before and arrives later (docs/decisions/0020). `range` begins the ids of the batch's statements.
CREATE TABLE IF NOT EXISTS {db}.fences{cluster}
(
    `range` String,
    attempt UInt32,
    at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:MergeTree}
ORDER BY (`range`, attempt);
