-- Masterchain ranges whose rows are complete in every target: written after the inserts of a batch, before its
-- journal entry is confirmed. Answers are bounded by the contiguous range that holds the head (the watermark).
CREATE TABLE IF NOT EXISTS {db}.confirmed{cluster}
(
    first UInt32,
    last UInt32,
    epoch UInt32,
    lane UInt16,
    at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY (first, last);
