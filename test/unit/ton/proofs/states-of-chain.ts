import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyUpdate } from '../../../../src/ton/cell/apply-update.ts';
import type { Cell } from '../../../../src/ton/cell/cell.ts';
import { readCell } from '../../../../src/ton/cell/cells-of-bag.ts';
import { toHex } from '../../../../src/ton/hash/hex.ts';
import { type ChainBlock, readChainBlocks } from '../../../helpers/chain-blocks.ts';
import type { TestChain } from '../../../helpers/shared-data.ts';

/** A block with its cells and the state after it. */
export interface StatedBlock extends ChainBlock {
  readonly block: Cell;
  readonly state: Cell;
}

/**
 * The blocks of a chain from its first masterchain block to `last`, in the order of their commits, each with its state.
 * Only for chains that neither split nor merge up to there.
 */
export function statedBlocks({ data, set, states }: TestChain, last: number): StatedBlock[] {
  const known = new Map(
    states.map((file) => readCell(readFileSync(file))).map((cell) => [toHex(cell.hash()), cell]),
  );
  const blocks = readChainBlocks(join(data, 'blocks', set)).filter(({ meta }) => meta.mcSeqno <= last);
  blocks.sort((a, b) => a.meta.mcSeqno - b.meta.mcSeqno || a.header.seqno - b.header.seqno);
  return blocks.map((one) => {
    const block = readCell(one.bytes);
    const update = block.refs[2]!;
    const before = known.get(toHex(update.data.subarray(1, 33)));
    if (!before) throw new Error(`no state before ${one.header.workchain}:${one.header.seqno}`);
    const state = applyUpdate(before, update);
    known.set(toHex(state.hash()), state);
    return { ...one, block, state };
  });
}
