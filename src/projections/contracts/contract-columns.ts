import { TOKEN_TYPES } from '../../tables/token-states.ts';
import { TRANSFER_TYPES } from '../../tables/token-transfers.ts';

/**
 * Columns of the landing tables of clickhouse/contracts. A token contract is a jetton master or wallet, an NFT
 * collection or item. `parent` is the master of a wallet or the collection of an item. An absent account has zeros and
 * `has_…` false.
 */

const HASH = 'FixedString(32)';
const CONTRACT_KIND =
  "Enum8('nft_sale' = 0, 'nft_auction' = 1, 'teleitem' = 2, 'dns_item' = 3, 'multisig' = 4, 'multisig_order' = 5, 'vesting' = 6, 'nominator_pool' = 7)";
const CONTRACT_ROLE =
  "Enum8('owner' = 0, 'wallet' = 1, 'bidder' = 2, 'domain' = 3, 'signer' = 4, 'proposer' = 5, 'multisig' = 6, 'sender' = 7, 'whitelisted' = 8, 'nominator' = 9)";

/** A code at its first complete appearance. */
export const CODES = {
  mc_seqno: 'UInt32',
  part: 'UInt16',
  code_hash: HASH,
  /** The data of its accounts is read without the TVM. */
  is_known: 'Bool',
  /** Ids of its methods, four bytes each, least significant first. */
  methods: 'String',
} as const;

/**
 * A state of a known contract that cannot be read: the indexed blocks do not show all of it, or its data is not valid.
 */
export const GAPS = {
  mc_seqno: 'UInt32',
  part: 'UInt16',
  workchain: 'Int32',
  account: HASH,
  lt: 'UInt64',
  code_hash: HASH,
  data_hash: HASH,
  missing: "Enum8('data' = 0, 'content' = 1, 'size' = 2)",
  /** `data` is there, and is not what the code keeps. */
  is_unread: 'Bool',
} as const;

/** A contract around tokens after a block with transactions of it: a sale, an auction, a name. */
export const CONTRACT_STATES = {
  mc_seqno: 'UInt32',
  part: 'UInt16',
  workchain: 'Int32',
  account: HASH,
  lt: 'UInt64',
  kind: CONTRACT_KIND,
  /** The account is no such contract any more. */
  is_gone: 'Bool',
  code_hash: HASH,
  code_depth: 'UInt16',
  data_hash: HASH,
  /** Seller of an NFT, owner of a name or of coins. */
  has_owner: 'Bool',
  owner_workchain: 'Int32',
  owner: HASH,
  /** The NFT that is sold, the collection of a name, the multisig of an order. */
  has_parent: 'Bool',
  parent_workchain: 'Int32',
  parent: HASH,
  /** Code that the orders of a multisig must have; an order's own code; zeros otherwise. */
  child_code: HASH,
  /** Full name; empty for none. */
  domain: 'String',
  has_wallet: 'Bool',
  wallet_workchain: 'Int32',
  wallet: HASH,
  has_bidder: 'Bool',
  bidder_workchain: 'Int32',
  bidder: HASH,
  /** The other fields as JSON, by their names in answers. */
  details: 'String',
  /** The whole data cell, a bag of cells: the checkpoint of the account. */
  data: 'String',
} as const;

/** By what such contracts are found, wherever it changed: an account, or the SHA-256 of a full name. */
export const CONTRACT_KEYS = {
  mc_seqno: 'UInt32',
  part: 'UInt16',
  role: CONTRACT_ROLE,
  key_workchain: 'Int32',
  key: HASH,
  workchain: 'Int32',
  account: HASH,
} as const;

/** A state that shows a cell: its row of `account_cells` of base has it. */
export const CELL_PLACES = {
  mc_seqno: 'UInt32',
  part: 'UInt16',
  /** The first 8 bytes of the cell's hash as a number, most significant first. */
  hash8: 'UInt64',
  workchain: 'Int32',
  account: HASH,
  lt: 'UInt64',
} as const;

/** The first state of an account that leaves out a cell which the index may not have: it begins in mid-chain. */
export const ABSENT_CELLS = {
  mc_seqno: 'UInt32',
  part: 'UInt16',
  workchain: 'Int32',
  account: HASH,
  lt: 'UInt64',
  hash: HASH,
} as const;

/** Landing tables, by name. */
export const CONTRACT_TABLES = {
  token_states: TOKEN_TYPES,
  token_transfers: TRANSFER_TYPES,
  codes: CODES,
  gaps: GAPS,
  cell_places: CELL_PLACES,
  absent_cells: ABSENT_CELLS,
  contract_states: CONTRACT_STATES,
  contract_keys: CONTRACT_KEYS,
} as const;
