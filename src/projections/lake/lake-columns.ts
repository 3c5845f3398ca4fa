/**
 * Columns of the landing tables (clickhouse/lake). Addresses are raw upper-case text. An empty text means "none"; times are Unix
 * seconds.
 */
export const LAKE_TABLES = {
  /** A swap in one pool. Its key is (lt, pool). */
  trades: {
    /** The step that completed the trace. */
    mc_seqno: 'UInt32',
    /** Of the pool's transaction. */
    lt: 'UInt64',
    time: 'UInt32',
    /** The router's transaction that received the pool's payment, or the pool's transaction. */
    tx_hash: 'FixedString(32)',
    trace_id: 'FixedString(32)',
    project: 'String',
    version: 'UInt8',
    trader: 'String',
    pool: 'String',
    router: 'String',
    /** Contract that paid the trader: a vault or a router. */
    payer: 'String',
    sold: 'String',
    bought: 'String',
    amount_sold: 'UInt256',
    amount_bought: 'UInt256',
    /** Reserves after the swap of the sold and of the bought token, if the pool logs them. */
    reserve_sold: 'Nullable(UInt256)',
    reserve_bought: 'Nullable(UInt256)',
    referral: 'String',
    query_id: 'Nullable(UInt64)',
  },
  /** An event of an item. Its key is (lt, item, type). */
  nft_events: {
    mc_seqno: 'UInt32',
    lt: 'UInt64',
    time: 'UInt32',
    tx_hash: 'FixedString(32)',
    trace_id: 'FixedString(32)',
    type: 'String',
    item: 'String',
    is_init: 'Bool',
    item_index: 'Nullable(UInt256)',
    collection: 'String',
    owner: 'String',
    content: 'String',
    prev_owner: 'String',
    query_id: 'Nullable(UInt64)',
    forward_amount: 'Nullable(UInt128)',
    /** Bags of cells. */
    forward_payload: 'String',
    comment: 'String',
    custom_payload: 'String',
    contract: 'String',
    sale_type: 'String',
    end_time: 'Nullable(UInt32)',
    marketplace: 'String',
    fee_address: 'String',
    fee: 'Nullable(UInt128)',
    price: 'Nullable(UInt128)',
    royalty_address: 'String',
    royalty: 'Nullable(UInt128)',
    max_bid: 'Nullable(UInt128)',
    min_bid: 'Nullable(UInt128)',
    min_step: 'Nullable(UInt128)',
  },
  /** Jettons that a master minted. Its key is (lt, wallet). */
  mints: {
    mc_seqno: 'UInt32',
    /** Of the wallet's transaction. */
    lt: 'UInt64',
    time: 'UInt32',
    tx_hash: 'FixedString(32)',
    trace_id: 'FixedString(32)',
    query_id: 'UInt64',
    amount: 'UInt256',
    owner: 'String',
    wallet: 'String',
    master: 'String',
    response: 'String',
    forward_amount: 'UInt128',
    /** A bag of cells. */
    forward_payload: 'String',
  },
} as const;
