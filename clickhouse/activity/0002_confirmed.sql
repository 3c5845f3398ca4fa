-- Masterchain ranges whose rows are complete, by partition (`lane`): each partition confirms for itself, and what all
-- of them have confirmed may be answered from.
CREATE TABLE IF NOT EXISTS {db}.confirmed{cluster}
(
    first UInt32 COMMENT 'First masterchain step of the range.',
    last UInt32 COMMENT 'Last masterchain step of the range.',
    epoch UInt32 COMMENT 'Epoch of the range.',
    lane UInt16 COMMENT 'Lane of the log; the partition of a projection in chain order.',
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY (lane, first, last)
COMMENT 'Masterchain ranges whose rows are complete in every table. Answers are bounded by them.';
