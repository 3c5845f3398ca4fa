-- Sales and auctions of NFTs, usernames, names, multisigs and their orders, vesting and nominator pools at each lt. The newest row of an account says how it stands; `is_gone`: it
-- is none of this kind any more.
CREATE TABLE IF NOT EXISTS {db}.contract_states{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 COMMENT 'Partition of the projection that wrote the row.' CODEC(ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the contract.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Account id of the contract.' CODEC(ZSTD(1)),
    lt UInt64 COMMENT 'Logical time of the last transaction before this state.' CODEC(Delta, ZSTD(1)),
    kind Enum8('nft_sale' = 0, 'nft_auction' = 1, 'teleitem' = 2, 'dns_item' = 3, 'multisig' = 4, 'multisig_order' = 5, 'vesting' = 6, 'nominator_pool' = 7) COMMENT 'What the contract is.' CODEC(ZSTD(1)),
    is_gone Bool COMMENT 'The account is no longer a contract of this kind.' CODEC(ZSTD(1)),
    code_hash FixedString(32) COMMENT 'Hash of the code.' CODEC(ZSTD(1)),
    code_depth UInt16 COMMENT 'Depth of the code.' CODEC(ZSTD(1)),
    data_hash FixedString(32) COMMENT 'Hash of the data.' CODEC(ZSTD(1)),
    has_owner Bool COMMENT 'There is a seller of an NFT, owner of a name or of coins.' CODEC(ZSTD(1)),
    owner_workchain Int32 COMMENT 'Workchain of the seller of an NFT, owner of a name or of coins; 0 for none.' CODEC(ZSTD(1)),
    owner FixedString(32) COMMENT 'Account id of the seller of an NFT, owner of a name or of coins; zeros for none.' CODEC(ZSTD(1)),
    has_parent Bool COMMENT 'There is a NFT that is sold, collection of a name, multisig of an order.' CODEC(ZSTD(1)),
    parent_workchain Int32 COMMENT 'Workchain of the NFT that is sold, collection of a name, multisig of an order; 0 for none.' CODEC(ZSTD(1)),
    parent FixedString(32) COMMENT 'Account id of the NFT that is sold, collection of a name, multisig of an order; zeros for none.' CODEC(ZSTD(1)),
    child_code FixedString(32) COMMENT 'Hash of the code that orders of a multisig must have, or of the code of an order.' CODEC(ZSTD(1)),
    domain String COMMENT 'Full name; empty for none.' CODEC(ZSTD(1)),
    has_wallet Bool COMMENT 'There is a account in the record `wallet` of a name.' CODEC(ZSTD(1)),
    wallet_workchain Int32 COMMENT 'Workchain of the account in the record `wallet` of a name; 0 for none.' CODEC(ZSTD(1)),
    wallet FixedString(32) COMMENT 'Account id of the account in the record `wallet` of a name; zeros for none.' CODEC(ZSTD(1)),
    has_bidder Bool COMMENT 'There is a highest bidder.' CODEC(ZSTD(1)),
    bidder_workchain Int32 COMMENT 'Workchain of the highest bidder; 0 for none.' CODEC(ZSTD(1)),
    bidder FixedString(32) COMMENT 'Account id of the highest bidder; zeros for none.' CODEC(ZSTD(1)),
    details String COMMENT 'The other fields as JSON, by their names in answers.' CODEC(ZSTD(3)),
    data String COMMENT 'The data cell as a bag of cells: the checkpoint of the account.' CODEC(ZSTD(3))
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, lt)
SETTINGS index_granularity = 1024
COMMENT 'One row per contract around tokens and block with transactions of it: a sale, an auction, a name, a multisig and its orders, vesting, a pool.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.contract_states_mv{cluster} TO {db}.contract_states AS
SELECT * FROM {db}.land_contract_states;

-- Accounts and names (SHA-256 of the domain) by which they are found, or were: the newest state says whether still.
CREATE TABLE IF NOT EXISTS {db}.contract_keys{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(ZSTD(1)),
    part UInt16 COMMENT 'Partition of the projection that wrote the row.' CODEC(ZSTD(1)),
    role Enum8('owner' = 0, 'wallet' = 1, 'bidder' = 2, 'domain' = 3, 'signer' = 4, 'proposer' = 5, 'multisig' = 6, 'sender' = 7, 'whitelisted' = 8, 'nominator' = 9) COMMENT 'What the key is to the contract.' CODEC(ZSTD(1)),
    key_workchain Int32 COMMENT 'Workchain of the key; 0 for a name.' CODEC(ZSTD(1)),
    key FixedString(32) COMMENT 'Account id, or SHA-256 of a full name.' CODEC(ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the contract.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Account id of the contract.' CODEC(ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (key, key_workchain, role, account)
SETTINGS index_granularity = 1024
COMMENT 'Accounts, and hashes of names, by which contracts are or were found. The newest state decides whether they still are.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.contract_keys_mv{cluster} TO {db}.contract_keys AS
SELECT * FROM {db}.land_contract_keys;
