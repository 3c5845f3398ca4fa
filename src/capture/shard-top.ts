import type { BlockIdExt } from './block-id.ts';

/** A shard block that a masterchain block names as the newest of its shard. */
export interface ShardTop extends BlockIdExt {
  /** The masterchain block that first named it. */
  readonly regMcSeqno: number;
}
