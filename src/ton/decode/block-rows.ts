import type { BaseColumns } from '../columns/base-columns.ts';
import type { BlockMeta } from './block-meta.ts';
import type { OpenBlock } from './open-block.ts';

/** A block that is being decoded, and the columns that its rows go to. */
export interface BlockRows {
  readonly columns: BaseColumns;
  readonly meta: BlockMeta;
  readonly open: OpenBlock;
}
