import { type Boc, onlyRoot, parseBoc } from '../boc/boc.ts';
import { CellHashes } from '../boc/cell-hashes.ts';
import { CellSlice } from '../boc/cell-slice.ts';
import { ORDINARY } from '../boc/cell-type.ts';
import { type Block, FOREIGN_BLOCK_TAG, loadBlock } from '../tlb/block/block.ts';
import { type BlockExtra, loadBlockExtra } from '../tlb/block/block-extra.ts';
import { type BlockInfo, loadBlockInfo } from '../tlb/block/block-info.ts';
import { loadWholeCell } from '../tlb/whole-cell.ts';
import { Contradiction } from './block-error.ts';

/** A block with its head read and its dictionaries still closed. */
export interface OpenBlock {
  readonly boc: Boc;
  readonly hashes: CellHashes;
  readonly root: number;
  readonly block: Block;
  readonly info: BlockInfo;
  readonly extra: BlockExtra;
}

/** Parses a block's bytes and reads its head. @throws BocError, CellError, Contradiction */
export function openBlock(bytes: Uint8Array): OpenBlock {
  const boc = parseBoc(bytes);
  const root = onlyRoot(boc);
  refuseForeign(boc, root);
  const block = loadWholeCell(boc, root, 'Block', loadBlock);
  const info = loadWholeCell(boc, block.info, 'BlockInfo', loadBlockInfo);
  const extra = loadWholeCell(boc, block.extra, 'BlockExtra', loadBlockExtra);
  checkHead(info, extra);
  return { boc, hashes: new CellHashes(boc), root, block, info, extra };
}

function refuseForeign(boc: Boc, root: number): void {
  if (boc.type[root] !== ORDINARY) {
    throw new Contradiction('kind', `the root is an exotic cell of type ${boc.type[root]}, not a block`);
  }
  const slice = new CellSlice(boc, root);
  if (slice.bitsLeft >= 32 && slice.peekUint(32) === FOREIGN_BLOCK_TAG) {
    throw new Contradiction('foreign_chain', 'root tag #11ef55bb: a block of another chain, not of TON');
  }
}

/** Checks the facts that BlockInfo and BlockExtra both state. */
function checkHead(info: BlockInfo, extra: BlockExtra): void {
  const masterchain = info.shard.workchain === -1;
  if (info.notMaster === masterchain) {
    throw new Contradiction('header', `not_master is ${info.notMaster} in workchain ${info.shard.workchain}`);
  }
  if (extra.custom >= 0 !== masterchain) {
    const found = extra.custom >= 0 ? 'there' : 'missing';
    throw new Contradiction('header', `McBlockExtra is ${found} in workchain ${info.shard.workchain}`);
  }
  const prevSeqno = Math.max(...info.prevRefs.map((prev) => prev.seqno));
  if (info.seqno !== prevSeqno + 1) {
    throw new Contradiction('header', `seqno ${info.seqno} after ${prevSeqno}`);
  }
}
