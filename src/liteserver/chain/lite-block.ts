import type { Cell } from '../../ton/cell/cell.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import type { BlockHeader, BlockId } from '../../ton/decode/block-header.ts';

/** A block of the chain as a source has it. */
export interface GivenBlock {
  readonly boc: Uint8Array;
  readonly header: BlockHeader;
}

/** A block with the masterchain block that committed it. */
export class LiteBlock {
  readonly boc: Uint8Array;
  readonly header: BlockHeader;
  readonly mcSeqno: number;
  #root: Cell | null = null;

  constructor({ boc, header }: GivenBlock, mcSeqno: number) {
    this.boc = boc;
    this.header = header;
    this.mcSeqno = mcSeqno;
  }

  /** The block's cells, read when first asked for. */
  get root(): Cell {
    this.#root ??= readCell(this.boc);
    return this.#root;
  }
}

/** `workchain:shard:seqno`, the key of maps by block. */
export function blockKey({
  workchain,
  shard,
  seqno,
}: Pick<BlockId, 'workchain' | 'shard' | 'seqno'>): string {
  return `${workchain}:${shard.toString(16)}:${seqno}`;
}
