-- What the operator says of a token, above what the chain and its links say: `content` is a JSON object of attributes or empty, `address`
-- is raw with upper-case digits. The newest row of an address counts; `is_removed` takes the override back.
CREATE TABLE IF NOT EXISTS {db}.token_overrides{cluster}
(
    address String,
    content String DEFAULT '',
    is_nsfw Bool DEFAULT false,
    is_scam Bool DEFAULT false,
    is_removed Bool DEFAULT false,
    at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:ReplacingMergeTree}
ORDER BY address;
