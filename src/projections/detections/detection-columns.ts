/**
 * Columns of the landing tables of clickhouse/detections. A row is the outcome of an account's get methods for one kind.
 * An absent account has zeros and `has_…` false.
 */

const HASH = 'FixedString(32)';
const STATE = {
  /** Masterchain step of the record. */
  mc_seqno: 'UInt32',
  /** Masterchain step of the state: this one, or an earlier one. */
  state_seqno: 'UInt32',
  workchain: 'Int32',
  account: HASH,
} as const;
const CODE = {
  lt: 'UInt64',
  code_hash: HASH,
  data_hash: HASH,
  /** Why the account is not of the kind; empty if it is. */
  reason: 'String',
} as const;
const PARTIES = {
  has_owner: 'Bool',
  owner_workchain: 'Int32',
  owner: HASH,
  has_parent: 'Bool',
  parent_workchain: 'Int32',
  parent: HASH,
} as const;

/** Outcomes for kinds of tokens. */
export const TOKEN_OUTCOMES = {
  ...STATE,
  kind: "Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3)",
  ...CODE,
  /** Supply, balance, next index, index. */
  amount: 'UInt256',
  flag: 'Bool',
  ...PARTIES,
  child_code: HASH,
  /** JSON; empty for none. */
  content: 'String',
} as const;

/** Outcomes for other kinds. */
export const CONTRACT_OUTCOMES = {
  ...STATE,
  kind: 'String',
  ...CODE,
  ...PARTIES,
  /** JSON object by the names of answers. */
  details: 'String',
  /** JSON list of `[role, workchain, hex]`: accounts by which the contract is found. */
  keys: 'String',
} as const;

/** Landing tables, by name. */
export const DETECTION_TABLES = {
  token_outcomes: TOKEN_OUTCOMES,
  contract_outcomes: CONTRACT_OUTCOMES,
} as const;
