-- Attempts at a batch that its next owner has closed: an insert or a delete that belongs to one of them is refused, even
-- where it was sent before and arrives later (docs/decisions/0020). `range` begins the ids of the batch's statements.
CREATE TABLE IF NOT EXISTS {db}.fences{cluster}
(
    `range` String COMMENT 'Start of the ids of the batch\'s statements.',
    attempt UInt32 COMMENT 'Closed attempt. It closes those before it.',
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:MergeTree}
ORDER BY (`range`, attempt)
COMMENT 'Attempts at a batch that its next owner closed: later inserts and deletes of them are refused.';
