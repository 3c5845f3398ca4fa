-- Masterchain ranges whose rows are complete, by partition (`lane`): each partition confirms for itself, and what all
-- of them have confirmed may be answered from.
CREATE TABLE IF NOT EXISTS {db}.confirmed{cluster}
(
    first UInt32,
    last UInt32,
    epoch UInt32,
    lane UInt16,
    at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY (lane, first, last);
