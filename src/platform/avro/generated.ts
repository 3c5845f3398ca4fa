// Generated from schemas/ by scripts/generate-avro-types.ts. Do not edit.

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
export type RawBlock = RawBlockV1;
export type RawState = RawStateV1;

/** What decoding yields. */
export type Datum =
  | { readonly kind: 'raw-block'; readonly version: 1; readonly value: RawBlockV1 }
  | { readonly kind: 'raw-state'; readonly version: 1; readonly value: RawStateV1 };

/** What encoding takes: the newest version of each kind. */
export interface NewestDatum {
  readonly 'raw-block': RawBlockV1;
  readonly 'raw-state': RawStateV1;
}
