/** Facts of a block before it is opened: its id, and the masterchain block that committed it. */
export interface BlockMeta {
  readonly workchain: number;
  /** Unsigned 64 bits. */
  readonly shard: bigint;
  readonly seqno: number;
  readonly rootHash: Uint8Array;
  readonly fileHash: Uint8Array;
  readonly mcSeqno: number;
  /** Where the index begins: what was created below was sent by no transaction of it. Default 0: nothing was. */
  readonly indexedFromLt?: bigint;
}
