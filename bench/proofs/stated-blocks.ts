import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyUpdate } from '../../src/ton/cell/apply-update.ts';
import type { Cell } from '../../src/ton/cell/cell.ts';
import { readCell } from '../../src/ton/cell/cells-of-bag.ts';
import { type BlockHeader, readBlockHeader } from '../../src/ton/decode/block-header.ts';

/** A block and the state after it. */
export interface StatedBlock {
  readonly header: BlockHeader;
  readonly block: Cell;
  readonly state: Cell;
}

/** The first `count` blocks of mainnet's masterchain or basechain, with their states. */
export function statedBlocks(data: string, workchain: 0 | -1, count: number): StatedBlock[] {
  let state = readCell(readFileSync(join(data, `accounts/states/mainnet_zerostate_${workchain}.boc`)));
  return Array.from({ length: count }, (_, i) => {
    const name = `blocks/mainnet-genesis-0001/${workchain}_8000000000000000_${i + 1}.boc`;
    const bytes = readFileSync(join(data, name));
    const block = readCell(bytes);
    state = applyUpdate(state, block.refs[2]!);
    return { header: readBlockHeader(bytes), block, state };
  });
}
