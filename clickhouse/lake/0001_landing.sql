-- Landing tables of the projection: what src/projections/lake makes, one Native batch each. They keep nothing.
CREATE TABLE IF NOT EXISTS {db}.land_trades{cluster}
(
    mc_seqno UInt32,
    lt UInt64,
    time UInt32,
    tx_hash FixedString(32),
    trace_id FixedString(32),
    project String,
    version UInt8,
    trader String,
    pool String,
    router String,
    payer String,
    sold String,
    bought String,
    amount_sold UInt256,
    amount_bought UInt256,
    reserve_sold Nullable(UInt256),
    reserve_bought Nullable(UInt256),
    referral String,
    query_id Nullable(UInt64)
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_nft_events{cluster}
(
    mc_seqno UInt32,
    lt UInt64,
    time UInt32,
    tx_hash FixedString(32),
    trace_id FixedString(32),
    type String,
    item String,
    is_init Bool,
    item_index Nullable(UInt256),
    collection String,
    owner String,
    content String,
    prev_owner String,
    query_id Nullable(UInt64),
    forward_amount Nullable(UInt128),
    forward_payload String,
    comment String,
    custom_payload String,
    contract String,
    sale_type String,
    end_time Nullable(UInt32),
    marketplace String,
    fee_address String,
    fee Nullable(UInt128),
    price Nullable(UInt128),
    royalty_address String,
    royalty Nullable(UInt128),
    max_bid Nullable(UInt128),
    min_bid Nullable(UInt128),
    min_step Nullable(UInt128)
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS {db}.land_mints{cluster}
(
    mc_seqno UInt32,
    lt UInt64,
    time UInt32,
    tx_hash FixedString(32),
    trace_id FixedString(32),
    query_id UInt64,
    amount UInt256,
    owner String,
    wallet String,
    master String,
    response String,
    forward_amount UInt128,
    forward_payload String
)
ENGINE = Null;
