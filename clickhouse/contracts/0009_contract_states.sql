-- Sales and auctions of NFTs, usernames, names, multisigs and their orders, vesting and nominator pools at each lt. The newest row of an account says how it stands; `is_gone`: it
-- is none of this kind any more.
CREATE TABLE IF NOT EXISTS {db}.contract_states{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    part UInt16 CODEC(ZSTD(1)),
    workchain Int32 CODEC(ZSTD(1)),
    account FixedString(32) CODEC(ZSTD(1)),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    kind Enum8('nft_sale' = 0, 'nft_auction' = 1, 'teleitem' = 2, 'dns_item' = 3, 'multisig' = 4, 'multisig_order' = 5, 'vesting' = 6, 'nominator_pool' = 7) CODEC(ZSTD(1)),
    is_gone Bool CODEC(ZSTD(1)),
    code_hash FixedString(32) CODEC(ZSTD(1)),
    code_depth UInt16 CODEC(ZSTD(1)),
    data_hash FixedString(32) CODEC(ZSTD(1)),
    has_owner Bool CODEC(ZSTD(1)),
    owner_workchain Int32 CODEC(ZSTD(1)),
    owner FixedString(32) CODEC(ZSTD(1)),
    has_parent Bool CODEC(ZSTD(1)),
    parent_workchain Int32 CODEC(ZSTD(1)),
    parent FixedString(32) CODEC(ZSTD(1)),
    child_code FixedString(32) CODEC(ZSTD(1)),
    domain String CODEC(ZSTD(1)),
    has_wallet Bool CODEC(ZSTD(1)),
    wallet_workchain Int32 CODEC(ZSTD(1)),
    wallet FixedString(32) CODEC(ZSTD(1)),
    has_bidder Bool CODEC(ZSTD(1)),
    bidder_workchain Int32 CODEC(ZSTD(1)),
    bidder FixedString(32) CODEC(ZSTD(1)),
    details String CODEC(ZSTD(3)),
    data String CODEC(ZSTD(3))
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, lt)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.contract_states_mv{cluster} TO {db}.contract_states AS
SELECT * FROM {db}.land_contract_states;

-- Accounts and names (SHA-256 of the domain) by which they are found, or were: the newest state says whether still.
CREATE TABLE IF NOT EXISTS {db}.contract_keys{cluster}
(
    mc_seqno UInt32 CODEC(ZSTD(1)),
    part UInt16 CODEC(ZSTD(1)),
    role Enum8('owner' = 0, 'wallet' = 1, 'bidder' = 2, 'domain' = 3, 'signer' = 4, 'proposer' = 5, 'multisig' = 6, 'sender' = 7, 'whitelisted' = 8, 'nominator' = 9) CODEC(ZSTD(1)),
    key_workchain Int32 CODEC(ZSTD(1)),
    key FixedString(32) CODEC(ZSTD(1)),
    workchain Int32 CODEC(ZSTD(1)),
    account FixedString(32) CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (key, key_workchain, role, account)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.contract_keys_mv{cluster} TO {db}.contract_keys AS
SELECT * FROM {db}.land_contract_keys;
