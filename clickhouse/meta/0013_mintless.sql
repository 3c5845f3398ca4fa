-- What an operator says of mintless jettons, whose amounts stand in documents off the chain: where a wallet's claim is made, and what
-- is still to be claimed. Addresses are raw with upper-case digits; times are unix seconds.
CREATE TABLE IF NOT EXISTS {db}.mintless_masters{cluster}
(
    address String,
    custom_payload_api_uris Array(String),
    at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY address
SETTINGS index_granularity = 256;

CREATE TABLE IF NOT EXISTS {db}.mintless_amounts{cluster}
(
    jetton String,
    owner String,
    amount UInt256,
    start_from Nullable(UInt32),
    expire_at Nullable(UInt32),
    at DateTime64(3) DEFAULT now64(3)
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY (jetton, owner)
SETTINGS index_granularity = 256;
