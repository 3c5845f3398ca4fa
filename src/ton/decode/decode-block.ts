import { CellSlice } from '../boc/cell-slice.ts';
import { checkExotics } from '../boc/check-exotics.ts';
import type { BaseColumns } from '../columns/base-columns.ts';
import { sha256 } from '../hash/sha256.ts';
import { loadValueFlow } from '../tlb/block/value-flow.ts';
import { loadMerkleUpdate } from '../tlb/merkle-update.ts';
import { loadWholeCell } from '../tlb/whole-cell.ts';
import { writeAccountRows } from './account-rows.ts';
import { readAccountSides } from './account-sides.ts';
import { blockName, Contradiction, namingBlock } from './block-error.ts';
import type { BlockMeta } from './block-meta.ts';
import { writeBlockRow } from './block-row.ts';
import { writeMasterchainRows } from './masterchain-rows.ts';
import { readMessageDescr } from './message-descr.ts';
import { type OpenBlock, openBlock } from './open-block.ts';
import { writeRawBlock } from './raw-block-row.ts';
import { expectHash } from './same-bytes.ts';
import { readAccountBlocks, writeTransactionRows } from './transaction-rows.ts';

export { BlockError } from './block-error.ts';
export type { BlockMeta } from './block-meta.ts';

/**
 * How much of a block is verified. Each level includes the levels above it in this list:
 * - `none`: the ids in the header are the announced ones, and the block does not contradict itself;
 * - `file`: the bytes are the announced ones (SHA-256 = file hash);
 * - `tx`: the keys of the message descriptors are the recomputed message hashes;
 * - `root`: every cell is hashed: the root hash is the announced one, and the state update's hashes match its states.
 */
export type VerifyLevel = 'none' | 'file' | 'tx' | 'root';

export interface DecodeOptions {
  readonly verify: VerifyLevel;
  /**
   * Start of the index: accounts that change in the block and whose old state has last_trans_lt below this get a row of
   * that state too (origin `before`). 0n for none.
   */
  readonly oldStatesBelowLt: bigint;
}

export interface BlockCounts {
  readonly transactions: number;
  /** Rows of `messages`: one a side. */
  readonly messages: number;
}

const LEVELS: readonly VerifyLevel[] = ['none', 'file', 'tx', 'root'];

/**
 * Decodes a block into columns: rows of every landing table, in an order that only the block determines.
 *
 * @param bytes the block's bag of cells; stored unchanged in `raw_blocks`
 * @throws BlockError, and nothing else; the columns are then unchanged
 */
export function decodeBlock(
  bytes: Uint8Array,
  meta: BlockMeta,
  columns: BaseColumns,
  options: DecodeOptions,
): BlockCounts {
  const mark = columns.mark();
  try {
    return namingBlock(blockName(meta), () => decode(bytes, meta, columns, options));
  } catch (error) {
    columns.truncate(mark);
    throw error;
  }
}

function decode(
  bytes: Uint8Array,
  meta: BlockMeta,
  columns: BaseColumns,
  options: DecodeOptions,
): BlockCounts {
  const level = LEVELS.indexOf(options.verify);
  if (level >= 1) expectHash('file_hash', 'SHA-256 of the bytes', meta.fileHash, sha256(bytes));
  const open = openBlock(bytes);
  checkIds(open, meta);
  const { boc, block } = open;
  if (level >= 3) verifyRoot(open, meta);
  const update = loadMerkleUpdate(new CellSlice(boc, open.root).resetAny(block.stateUpdate));
  const flow = loadWholeCell(boc, block.valueFlow, 'ValueFlow', loadValueFlow);
  const rows = { columns, meta, open };
  const before = columns.rows();
  const accountBlocks = readAccountBlocks(open);
  const sides = readAccountSides(open, update, flow, accountBlocks);
  const accounts = writeTransactionRows(rows, accountBlocks, sides);
  writeAccountRows(rows, accounts, sides, options.oldStatesBelowLt);
  const descr = readMessageDescr(open, level >= 2);
  writeMasterchainRows(columns, meta.mcSeqno, open);
  const after = columns.rows();
  const transactions = after.transactions - before.transactions;
  const totals = { ...descr, accountBlocks: accounts.length, transactions };
  writeBlockRow(rows, update, flow, totals);
  writeRawBlock(columns, { meta, bytes });
  return { transactions, messages: after.messages - before.messages };
}

function checkIds({ info }: OpenBlock, meta: BlockMeta): void {
  const found = { workchain: info.shard.workchain, shard: info.shard.shard, seqno: info.seqno };
  if (blockName(found) === blockName(meta)) return;
  throw new Contradiction('header', `the block inside is ${blockName(found)}`);
}

function verifyRoot({ hashes, root }: OpenBlock, meta: BlockMeta): void {
  hashes.computeAll();
  expectHash('root_hash', 'hash of the root cell', meta.rootHash, hashes.hash(root));
  checkExotics(hashes);
}
