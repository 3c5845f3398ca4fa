import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BaseColumns, type ColumnsMark } from '../../src/ton/columns/base-columns.ts';
import { BlockError } from '../../src/ton/decode/block-error.ts';
import { type BlockHeader, readBlockHeader } from '../../src/ton/decode/block-header.ts';
import { decodeBlock } from '../../src/ton/decode/decode-block.ts';
import { BenchError } from '../common/bench-error.ts';

/** A real block that is multiplied. */
export interface RealBlock {
  readonly file: string;
  readonly boc: Uint8Array;
  readonly header: BlockHeader;
  readonly transactions: number;
  /** Rows that it gives, by table. */
  readonly rows: ColumnsMark;
  /** Bytes that they take of the column of packed messages. */
  readonly packBytes: number;
}

/** Mainnet's global_id; private networks reuse it, blocks of other chains do not have it. */
const GLOBAL_ID = -239;
/** Shard blocks with fewer transactions would make the log long without information. */
const MIN_TRANSACTIONS = 40;
const MAX_BLOCKS = 24;

/**
 * Blocks for multiplication: shard blocks with many transactions, and the same number of the newest masterchain blocks.
 * Throws `BenchError` if the folder has none.
 */
export function readRealBlocks(folder: string): { shard: RealBlock[]; masterchain: RealBlock[] } {
  if (!existsSync(folder)) throw new BenchError(`--blocks ${folder}: no such folder`);
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.boc'))
    .sort()
    .flatMap((name) => readRealBlock(join(folder, name)));
  const shard = found
    .filter(({ header, transactions }) => header.workchain === 0 && transactions >= MIN_TRANSACTIONS)
    .sort((a, b) => b.transactions - a.transactions || (a.file < b.file ? -1 : 1))
    .slice(0, MAX_BLOCKS);
  const masterchain = found
    .filter(({ header, transactions }) => header.workchain === -1 && transactions > 0)
    .sort((a, b) => b.header.genUtime - a.header.genUtime || (a.file < b.file ? -1 : 1))
    .slice(0, Math.max(1, shard.length));
  if (shard.length === 0 || masterchain.length === 0) {
    throw new BenchError(
      `--blocks ${folder}: ${found.length} usable blocks; at least one masterchain block and one shard block of ` +
        `${MIN_TRANSACTIONS} transactions are needed`,
    );
  }
  return { shard, masterchain };
}

/** The block, or nothing: other files, other chains and key blocks (their configuration would be multiplied too). */
function readRealBlock(file: string): RealBlock[] {
  const boc = new Uint8Array(readFileSync(file));
  try {
    const header = readBlockHeader(boc);
    if (header.globalId !== GLOBAL_ID || header.keyBlock) return [];
    const columns = new BaseColumns();
    const options = { verify: 'tx', oldStatesBelowLt: 0n } as const;
    const { transactions } = decodeBlock(boc, { ...header, mcSeqno: header.seqno }, columns, options);
    const packBytes = columns.tables.transactions.col.messages.parts()[0]?.length ?? 0;
    return [{ file, boc, header, transactions, rows: columns.rows(), packBytes }];
  } catch (error) {
    if (error instanceof BlockError) return [];
    throw error;
  }
}
