-- Landing tables of the projection: what src/projections/contracts makes, one Native batch each. They keep nothing.
CREATE TABLE IF NOT EXISTS {db}.land_token_states{cluster}
(
    mc_seqno UInt32,
    part UInt16,
    workchain Int32,
    account FixedString(32),
    lt UInt64,
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3),
    is_gone Bool,
    is_first Bool,
    is_owner_new Bool,
    since UInt32,
    code_hash FixedString(32),
    data_hash FixedString(32),
    amount UInt256,
    flag Bool,
    has_owner Bool,
    owner_workchain Int32,
    owner FixedString(32),
    has_parent Bool,
    parent_workchain Int32,
    parent FixedString(32),
    child_code FixedString(32),
    content_hash FixedString(32),
    content String,
    link String,
    had Bool,
    had_amount UInt256,
    had_parent_workchain Int32,
    had_parent FixedString(32),
    had_child_code FixedString(32)
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_token_transfers{cluster}
(
    mc_seqno UInt32,
    part UInt16,
    kind Enum8('jetton_transfer' = 0, 'jetton_burn' = 1, 'nft_transfer' = 2),
    workchain Int32,
    account FixedString(32),
    lt UInt64,
    hash FixedString(32),
    now UInt32,
    aborted Bool,
    has_parent Bool,
    parent_workchain Int32,
    parent FixedString(32),
    child_code FixedString(32),
    query_id UInt64,
    amount UInt256,
    has_source Bool,
    source_workchain Int32,
    source FixedString(32),
    has_destination Bool,
    destination_workchain Int32,
    destination FixedString(32),
    has_response Bool,
    response_workchain Int32,
    response FixedString(32),
    forward_amount UInt128,
    custom_payload String,
    forward_payload String
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_codes{cluster}
(
    mc_seqno UInt32,
    part UInt16,
    code_hash FixedString(32),
    is_known Bool,
    methods String
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_gaps{cluster}
(
    mc_seqno UInt32,
    part UInt16,
    workchain Int32,
    account FixedString(32),
    lt UInt64,
    code_hash FixedString(32),
    data_hash FixedString(32),
    missing Enum8('data' = 0, 'content' = 1, 'size' = 2),
    is_unread Bool
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_cell_places{cluster}
(
    mc_seqno UInt32,
    part UInt16,
    hash8 UInt64,
    workchain Int32,
    account FixedString(32),
    lt UInt64
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_absent_cells{cluster}
(
    mc_seqno UInt32,
    part UInt16,
    workchain Int32,
    account FixedString(32),
    lt UInt64,
    hash FixedString(32)
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_contract_states{cluster}
(
    mc_seqno UInt32,
    part UInt16,
    workchain Int32,
    account FixedString(32),
    lt UInt64,
    kind Enum8('nft_sale' = 0, 'nft_auction' = 1, 'teleitem' = 2, 'dns_item' = 3, 'multisig' = 4, 'multisig_order' = 5, 'vesting' = 6, 'nominator_pool' = 7),
    is_gone Bool,
    code_hash FixedString(32),
    code_depth UInt16,
    data_hash FixedString(32),
    has_owner Bool,
    owner_workchain Int32,
    owner FixedString(32),
    has_parent Bool,
    parent_workchain Int32,
    parent FixedString(32),
    child_code FixedString(32),
    domain String,
    has_wallet Bool,
    wallet_workchain Int32,
    wallet FixedString(32),
    has_bidder Bool,
    bidder_workchain Int32,
    bidder FixedString(32),
    details String,
    data String
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_contract_keys{cluster}
(
    mc_seqno UInt32,
    part UInt16,
    role Enum8('owner' = 0, 'wallet' = 1, 'bidder' = 2, 'domain' = 3, 'signer' = 4, 'proposer' = 5, 'multisig' = 6, 'sender' = 7, 'whitelisted' = 8, 'nominator' = 9),
    key_workchain Int32,
    key FixedString(32),
    workchain Int32,
    account FixedString(32)
)
ENGINE = Null;
