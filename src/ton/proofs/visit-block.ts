import type { Cell } from '../cell/cell.ts';
import { nextMaybeRef, nextRef } from '../cell/to-slice.ts';
import { type BlockNumbers, loadBlockNumbers } from '../tlb/block/block-info.ts';
import { expectTag } from '../tlb/tag.ts';
import type { Visits } from './visits.ts';

/** The cells below a block's root, and the numbers of its header. */
export interface BlockParts {
  readonly info: BlockNumbers;
  readonly valueFlow: Cell;
  readonly stateUpdate: Cell;
  readonly extra: Cell;
}

/**
 * Visits a block's header: the root, BlockInfo with its references to other blocks, and the cell of the state update,
 * which contains the state's hash.
 */
export function visitHeader(visits: Visits, block: Cell): BlockParts {
  const [infoCell, valueFlow, stateUpdate, extra] = block.refs;
  expectTag(visits.open(block), 32, 0x11ef55aa, 'Block');
  const info = loadBlockNumbers(visits.open(infoCell!));
  for (const ref of infoCell!.refs) visits.openAll(ref);
  visits.open(stateUpdate!);
  return { info, valueFlow: valueFlow!, stateUpdate: stateUpdate!, extra: extra! };
}

/** The cells below BlockExtra. */
export interface BlockExtraParts {
  readonly inMsgDescr: Cell;
  readonly outMsgDescr: Cell;
  readonly accountBlocks: Cell;
  /** McBlockExtra; null outside the masterchain. */
  readonly custom: Cell | null;
}

/** Visits BlockExtra. */
export function visitBlockExtra(visits: Visits, extra: Cell): BlockExtraParts {
  const slice = visits.open(extra);
  expectTag(slice, 32, 0x4a33f6fd, 'BlockExtra');
  const [inMsgDescr, outMsgDescr, accountBlocks] = [nextRef(slice), nextRef(slice), nextRef(slice)];
  slice.skipBits(256 + 256);
  return { inMsgDescr, outMsgDescr, accountBlocks, custom: nextMaybeRef(slice) };
}

/** The cells that clients read in McBlockExtra. */
export interface McExtraParts {
  readonly shardHashes: Cell | null;
  /** The dictionary of parameters; null outside key blocks. */
  readonly config: Cell | null;
}

/**
 * Visits McBlockExtra of a masterchain block, and the cell of special messages, which clients unpack together with it.
 * @throws TypeError another block
 */
export function visitMcExtra(visits: Visits, extra: Cell): McExtraParts {
  const { custom } = visitBlockExtra(visits, extra);
  if (!custom) throw new TypeError('a masterchain block is needed');
  const slice = visits.open(custom);
  expectTag(slice, 16, 0xcca5, 'McBlockExtra');
  const isKey = slice.bit();
  visits.open(custom.refs.at(isKey ? -2 : -1)!);
  return { shardHashes: nextMaybeRef(slice), config: isKey ? custom.refs.at(-1)! : null };
}
