/** Blocks that the store no longer has. */
export interface SealedBlocksPort {
  /**
   * The bytes of blocks of one masterchain step, by key; unknown blocks are absent. A key is `(workchain,shard,seqno)`, as
   * `blockName` formats it.
   */
  read(mcSeqno: number, keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
}
