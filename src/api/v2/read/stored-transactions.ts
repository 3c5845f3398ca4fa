import { DataError } from '../../../platform/errors/error-kinds.ts';
import { type BlockKey, blockIdText, readRawBlocks } from '../../entities/blocks/raw.ts';
import type { TransactionRow } from '../../entities/transactions/model.ts';
import type { ReadScope } from '../../query/scope.ts';
import { BlockTransactions } from '../format/slice-transaction.ts';
import type { StoredTransaction } from '../format/transaction.ts';

/** A transaction is there and its block is not: the store is damaged. */
export class MissingBlockError extends DataError {
  constructor(block: string) {
    super(
      `block ${block} is neither in raw_blocks nor in a sealed file, although a transaction of it is in the store`,
    );
  }
}

function getBlock(row: TransactionRow): BlockKey {
  return {
    mcSeqno: row.mc_seqno,
    workchain: row.workchain,
    shard: BigInt(row.shard),
    seqno: row.seqno,
  };
}

/** Blocks of one query: a page of the longest kind takes two, and their bytes stay below the limit of a result. */
const BLOCKS_A_QUERY = 500;

/**
 * Adds the cells of transactions: their blocks are read together, each parsed once and dropped when its own are cut out.
 * @throws MissingBlockError, TransactionCellError
 */
export async function withCells(
  scope: ReadScope,
  rows: readonly TransactionRow[],
): Promise<StoredTransaction[]> {
  const groups = [...Map.groupBy(rows, (row) => blockIdText(getBlock(row)))];
  const data = new Map<TransactionRow, Uint8Array>();
  for (let at = 0; at < groups.length; at += BLOCKS_A_QUERY) {
    const some = groups.slice(at, at + BLOCKS_A_QUERY);
    const blocks = await readRawBlocks(
      scope,
      some.map(([, [row]]) => getBlock(row!)),
    );
    for (const [id, members] of some) cutOut(id, blocks.get(id), members, data);
  }
  return rows.map((row) => ({ row, data: data.get(row)! }));
}

function cutOut(
  id: string,
  bytes: Uint8Array | undefined,
  rows: readonly TransactionRow[],
  data: Map<TransactionRow, Uint8Array>,
): void {
  if (!bytes) throw new MissingBlockError(id);
  const block = new BlockTransactions(bytes);
  for (const row of rows) {
    data.set(row, block.slice({ account: Uint8Array.fromHex(row.account), lt: BigInt(row.lt) }));
  }
}
