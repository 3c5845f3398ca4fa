/** Facts of a block before it is opened: its id, and the masterchain block that committed it. */
export interface BlockMeta {
  readonly workchain: number;
  /** Unsigned 64 bits. */
  readonly shard: bigint;
  readonly seqno: number;
  readonly rootHash: Uint8Array;
  readonly fileHash: Uint8Array;
  readonly mcSeqno: number;
  /** Start of the index: messages created below this lt were sent by no transaction of the index. Default 0: none. */
  readonly indexedFromLt?: bigint;
}
