// Generated from schemas/ by scripts/generate-avro-types.ts. Do not edit.

/** An account. */
export interface DetectedAddressV1 {
  /** -1 for the masterchain, 0 for the basechain. */
  readonly workchain: number;
  /** The account's id within its workchain. */
  readonly account: Uint8Array;
}

/** A token contract as its get methods describe it. */
export interface DetectedTokenV1 {
  /** Supply, balance, next index or index: a decimal number. */
  readonly amount: string;
  /** A master is mintable, an item is initialised, a wallet has an open claim. */
  readonly flag: boolean;
  /** Owner or administrator; null for none. */
  readonly owner: null | DetectedAddressV1;
  /** Master or collection; null for none. */
  readonly parent: null | DetectedAddressV1;
  /** Hash of the code of the jetton's wallets; zeros for none. */
  readonly child_code: Uint8Array;
  /** JSON; null for none. */
  readonly content: null | string;
}

/** An account and its role; for the role domain the SHA-256 of a name. */
export interface DetectedKeyV1 {
  /** e.g. signer, multisig, wallet, domain. */
  readonly role: string;
  /** -1 for the masterchain, 0 for the basechain. */
  readonly workchain: number;
  /** The account's id, or the hash of a name. */
  readonly account: Uint8Array;
}

/** A sale, an auction, a name, a multisig or an order as its get methods describe it. */
export interface DetectedContractV1 {
  /** Seller or owner; null for none. */
  readonly owner: null | DetectedAddressV1;
  /** The NFT, collection or multisig; null for none. */
  readonly parent: null | DetectedAddressV1;
  /** JSON object of the other facts, by the names of the API. */
  readonly details: string;
  /** Accounts by which the contract is found. */
  readonly keys: readonly DetectedKeyV1[];
}

/** What the get methods of an account return for one kind of contract. */
export interface OutcomeV1 {
  /** -1 for the masterchain, 0 for the basechain. */
  readonly workchain: number;
  /** The account's id within its workchain. */
  readonly account: Uint8Array;
  /** Masterchain step of the state. */
  readonly state_seqno: bigint;
  /** Logical time of the last transaction of the state. */
  readonly lt: bigint;
  /** Hash of the code. */
  readonly code_hash: Uint8Array;
  /** Hash of the data. */
  readonly data_hash: Uint8Array;
  /** Kind of contract, e.g. jetton_wallet, nft_sale. */
  readonly kind: string;
  /** Why the account is not of the kind; empty if it is. `not known: …` if the index lacks a cell that the methods need. */
  readonly reason: string;
  /** Facts of a jetton or NFT; null for other kinds, and with a reason. */
  readonly token: null | DetectedTokenV1;
  /** Facts of another contract; null for tokens, and with a reason. */
  readonly contract: null | DetectedContractV1;
}

/** Outcomes of get methods of contracts under unknown codes, recorded at a masterchain step. The state of an outcome is of this step or an earlier one. */
export interface DetectionsV1 {
  /** Label of the network, e.g. mainnet. */
  readonly network: string;
  /** Sequence number of the masterchain step of the record. */
  readonly mc_seqno: bigint;
  /** May be empty: each step has a record. */
  readonly outcomes: readonly OutcomeV1[];
}

/** A transaction in its trace. */
export interface TraceTransactionV1 {
  /** -1 for the masterchain, 0 for the basechain. */
  readonly workchain: number;
  /** The account's id within its workchain. */
  readonly account: Uint8Array;
  /** Logical time. */
  readonly lt: bigint;
  /** How many messages lie between the first transaction and this one. */
  readonly depth: bigint;
}

/** A complete trace: every message that it sent to an account was received. */
export interface FinishedTraceV1 {
  /** Hash of the first transaction. */
  readonly trace_id: Uint8Array;
  /** Hash of the external message that began it; null where none did. */
  readonly external_hash: null | Uint8Array;
  /** Logical time of the first transaction. */
  readonly start_lt: bigint;
  /** Highest logical time of its transactions. */
  readonly end_lt: bigint;
  /** Highest Unix time of its transactions, seconds. */
  readonly end_utime: bigint;
  /** Its transactions, by logical time. */
  readonly transactions: readonly TraceTransactionV1[];
}

/** The traces that a masterchain step completed, by the lt of their first transaction. */
export interface FinishedTracesV1 {
  /** Label of the network, e.g. mainnet. */
  readonly network: string;
  /** Sequence number of the masterchain block that committed the last transactions. */
  readonly mc_seqno: bigint;
  /** May be empty: each step has its record. */
  readonly traces: readonly FinishedTraceV1[];
}

/** One block as its source gave it, with the step of the masterchain that committed it. */
export interface RawBlockV1 {
  /** Label of the network, e.g. mainnet. */
  readonly network: string;
  /** -1 for the masterchain, 0 for the basechain. */
  readonly workchain: number;
  /** Shard prefix with its marker bit, the 64 bits read as a signed number: the whole workchain is -9223372036854775808. */
  readonly shard: bigint;
  /** Sequence number of the block in its shard, unsigned 32 bits. */
  readonly seqno: bigint;
  /** Representation hash of the block's root cell. */
  readonly root_hash: Uint8Array;
  /** SHA-256 of boc. */
  readonly file_hash: Uint8Array;
  /** Sequence number of the masterchain block that committed this block; its own for a masterchain block. */
  readonly mc_seqno: bigint;
  /** The block as a bag of cells, byte for byte as its file_hash was taken. */
  readonly boc: Uint8Array;
}

/** A whole shard state to start from: a zerostate, or the state behind a later block. */
export interface RawStateV1 {
  /** Label of the network, e.g. mainnet. */
  readonly network: string;
  /** -1 for the masterchain, 0 for the basechain. */
  readonly workchain: number;
  /** Shard prefix with its marker bit, the 64 bits read as a signed number: the whole workchain is -9223372036854775808. */
  readonly shard: bigint;
  /** Sequence number of the block that this is the state behind; 0 for a zerostate. */
  readonly seqno: bigint;
  /** Representation hash of the state's root cell. */
  readonly root_hash: Uint8Array;
  /** SHA-256 of boc. */
  readonly file_hash: Uint8Array;
  /** Sequence number of the masterchain block that committed this state; 0 for a zerostate. */
  readonly mc_seqno: bigint;
  /** The state as a bag of cells, byte for byte as its file_hash was taken. */
  readonly boc: Uint8Array;
}

// The newest version of each kind.
export type Detections = DetectionsV1;
export type FinishedTraces = FinishedTracesV1;
export type RawBlock = RawBlockV1;
export type RawState = RawStateV1;

/** Result of decoding. */
export type Datum =
  | { readonly kind: 'detections'; readonly version: 1; readonly value: DetectionsV1 }
  | { readonly kind: 'finished-traces'; readonly version: 1; readonly value: FinishedTracesV1 }
  | { readonly kind: 'raw-block'; readonly version: 1; readonly value: RawBlockV1 }
  | { readonly kind: 'raw-state'; readonly version: 1; readonly value: RawStateV1 };

/** Argument of encoding: the newest version of each kind. */
export interface NewestDatum {
  readonly detections: DetectionsV1;
  readonly 'finished-traces': FinishedTracesV1;
  readonly 'raw-block': RawBlockV1;
  readonly 'raw-state': RawStateV1;
}
