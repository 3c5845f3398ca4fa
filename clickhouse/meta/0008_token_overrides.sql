-- What the operator says of a token, above what the chain and its links say: `content` is a JSON object of attributes or empty, `address`
-- is raw with upper-case digits. The newest row of an address counts; `is_removed` takes the override back.
CREATE TABLE IF NOT EXISTS {db}.token_overrides{cluster}
(
    address String COMMENT 'The token.',
    content String DEFAULT '' COMMENT 'JSON object of attributes; empty for none.',
    is_nsfw Bool DEFAULT false COMMENT 'True if the images are not safe for work.',
    is_scam Bool DEFAULT false COMMENT 'True if the token is a scam.',
    is_removed Bool DEFAULT false COMMENT 'True if the override was taken back.',
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:ReplacingMergeTree}
ORDER BY address
COMMENT 'What the operator sets for a token. The newest row of an address counts.';
