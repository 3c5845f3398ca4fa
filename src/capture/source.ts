import type { SignatureSet } from '../ton/proofs/signature-set.ts';
import type { BlockId, BlockIdExt } from './block-id.ts';
import type { BlockHeader } from './read-block.ts';

/** A block from a source: its hashes are computed from its bytes. */
export interface SourceBlock {
  readonly id: BlockIdExt;
  readonly boc: Uint8Array;
  readonly header: BlockHeader;
  /** The file, and the entry of the file, that it came from: for errors. */
  readonly origin: string;
}

/** A whole shard state from which an index may start: a zerostate (seqno 0) or a later one. */
export interface SourceState {
  /** `rootHash` and `fileHash` belong to the state; blocks refer to this id only for seqno 0. */
  readonly id: BlockIdExt;
  readonly boc: Uint8Array;
  readonly globalId: number;
  readonly vertSeqno: number;
  /** The masterchain seqno that a shard's state was made under; its own for the masterchain, 0 for zerostates. */
  readonly mcSeqno: number;
  /** The shard blocks that a masterchain state names as the newest; null in a shard's state. */
  readonly shards: readonly BlockIdExt[] | null;
  readonly origin: string;
}

/** Bytes that are not a block although a block was expected. Only isolated sources return them. */
export interface BadEntry {
  readonly origin: string;
  readonly bytes: Uint8Array;
  readonly error: Error;
}

/** A masterchain block with everything that it commits; readable together. */
export interface Step {
  readonly mcSeqno: number;
  readonly states: readonly SourceState[];
  /** Shard blocks, parents before children, then the masterchain block. */
  readonly blocks: readonly SourceBlock[];
  /** Unrelated blocks that share a masterchain seqno: nothing was proved about their neighbours. */
  readonly isolated?: boolean;
  readonly bad?: readonly BadEntry[];
}

/**
 * The end of one shard (or the masterchain): a block, or a state whose block is unknown. `stateHash` is the root hash
 * of the state there; if known, the next block's state update must begin with it.
 */
export type ShardTip =
  | (BlockIdExt & { readonly stateHash?: Uint8Array })
  | (BlockId & {
      readonly stateHash: Uint8Array;
      readonly rootHash?: undefined;
      readonly fileHash?: undefined;
    });

/** Tip of the log: its last masterchain block and the shard blocks that it names as the newest. */
export interface ChainTip {
  readonly mcSeqno: number;
  readonly masterchain: ShardTip;
  readonly shards: readonly ShardTip[];
  readonly globalId: number;
  readonly vertSeqno: number;
}

/** Facts that a source knows before it yields steps. */
export interface SourceFacts {
  /** Null if there is no masterchain block (isolated sources: no block at all). */
  readonly firstMcSeqno: number | null;
  readonly lastMcSeqno: number | null;
  /** Block that masterchain block 1 names as the previous one, or the given masterchain zerostate. */
  readonly zerostate: { readonly rootHash: Uint8Array; readonly fileHash: Uint8Array } | null;
  /** `global_id` of the first block; null where isolated blocks disagree or there is none. */
  readonly globalId: number | null;
  /** For progress; null where counting would mean reading everything. */
  readonly blocks: number | null;
  readonly bytes: number;
  readonly states: readonly SourceState[];
  /** Exact copies of a block that is there already. */
  readonly duplicates: number;
  /** Ignored entries with the reason, one line each. */
  readonly ignored: readonly string[];
}

/** A masterchain block, and the key block that names its validators. */
export interface SignedBlockId extends BlockIdExt {
  readonly prevKeyBlockSeqno: number;
}

/** Source of blocks. It proves what it yields; errors are in chain/chain-errors.ts. */
export interface Source {
  readonly name: string;
  /** True if `steps` ends. */
  readonly finite: boolean;
  /** `isolated` sources promise nothing about the neighbours of a block. */
  readonly continuity: 'chain' | 'isolated';
  describe(): Promise<SourceFacts>;
  /** The steps after `after`; for null all of them, the start states first. */
  steps(after: ChainTip | null, signal: AbortSignal): AsyncIterable<Step>;
  /** Signatures of a masterchain block; null if the source has none. Absent for a source that never has any. */
  signatures?(block: SignedBlockId): Promise<SignatureSet | null>;
  /**
   * Proof in the state after a masterchain block that an earlier one is before it, as a bag; null if the source has none.
   * Absent for a source that never has any.
   */
  oldBlock?(block: BlockIdExt, earlier: BlockIdExt): Promise<Uint8Array | null>;
  close(): Promise<void>;
}
