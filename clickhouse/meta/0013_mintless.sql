-- What an operator says of mintless jettons, whose amounts stand in documents off the chain: where a wallet's claim is made, and what
-- is still to be claimed. Addresses are raw with upper-case digits; times are unix seconds.
CREATE TABLE IF NOT EXISTS {db}.mintless_masters{cluster}
(
    address String COMMENT 'Jetton master.',
    custom_payload_api_uris Array(String) COMMENT 'Where the payload of a claim is requested.',
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY address
SETTINGS index_granularity = 256
COMMENT 'Mintless jettons of the operator.';

CREATE TABLE IF NOT EXISTS {db}.mintless_amounts{cluster}
(
    jetton String COMMENT 'Jetton master.',
    owner String COMMENT 'Owner who may claim.',
    amount UInt256 COMMENT 'Amount, in the jetton\'s smallest unit; 0 takes it back.',
    start_from Nullable(UInt32) COMMENT 'First time of a claim, Unix seconds; null for no limit.',
    expire_at Nullable(UInt32) COMMENT 'Last time of a claim, Unix seconds; null for no limit.',
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY (jetton, owner)
SETTINGS index_granularity = 256
COMMENT 'Amounts that owners of a mintless jetton may claim.';
