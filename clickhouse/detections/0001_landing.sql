-- Landing tables of the projection: what src/projections/detections makes, one Native batch each. They keep nothing.
CREATE TABLE IF NOT EXISTS {db}.land_token_outcomes{cluster}
(
    mc_seqno UInt32,
    state_seqno UInt32,
    workchain Int32,
    account FixedString(32),
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3),
    lt UInt64,
    code_hash FixedString(32),
    data_hash FixedString(32),
    reason String,
    amount UInt256,
    flag Bool,
    has_owner Bool,
    owner_workchain Int32,
    owner FixedString(32),
    has_parent Bool,
    parent_workchain Int32,
    parent FixedString(32),
    child_code FixedString(32),
    content String
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_contract_outcomes{cluster}
(
    mc_seqno UInt32,
    state_seqno UInt32,
    workchain Int32,
    account FixedString(32),
    kind String,
    lt UInt64,
    code_hash FixedString(32),
    data_hash FixedString(32),
    reason String,
    has_owner Bool,
    owner_workchain Int32,
    owner FixedString(32),
    has_parent Bool,
    parent_workchain Int32,
    parent FixedString(32),
    details String,
    keys String
)
ENGINE = Null;
