import { toHex } from '../../../ton/hash/hex.ts';
import type { BlockRow } from '../../entities/blocks/model.ts';
import { PACKED_TABLE, TRANSACTION_SELECT, type TransactionRow } from '../../entities/transactions/model.ts';
import { readTransactionStatement } from '../../entities/transactions/rows.ts';
import type { ReadScope } from '../../query/scope.ts';
import { type SelectedRow, selectList } from '../../query/select-list.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import type { BlockCursor } from '../parameters/block-cursor.ts';

/** A page of a block's transactions, by account id, then lt. */
export interface BlockPage<Row> {
  readonly rows: readonly Row[];
  /** Whether more follow. */
  readonly more: boolean;
}

const ID_COLUMNS = { account: 'FixedString(32)', lt: 'UInt64', hash: 'FixedString(32)' } as const;
const IDS = selectList(ID_COLUMNS);

/** The ids of a page: `account` upper-case hex, `hash` base64. */
export async function readBlockTransactionIds(
  scope: ReadScope,
  block: BlockRow,
  after: BlockCursor | null,
  count: number,
): Promise<BlockPage<SelectedRow<typeof ID_COLUMNS>>> {
  const rows = await scope.query(
    pageStatement(scope, { list: IDS.sql, table: 'transactions' }, { block, after, count }),
  );
  return toPage(
    rows.map((row) => IDS.row(row)),
    count,
  );
}

/** The whole rows of a page. */
export async function readBlockTransactions(
  scope: ReadScope,
  block: BlockRow,
  after: BlockCursor | null,
  count: number,
): Promise<BlockPage<TransactionRow>> {
  const statement = pageStatement(
    scope,
    { list: TRANSACTION_SELECT, table: PACKED_TABLE },
    { block, after, count },
  );
  return toPage(await readTransactionStatement(scope, statement), count);
}

/** The `count` transactions of a block after a cursor. */
interface PageOfBlock {
  readonly block: BlockRow;
  readonly after: BlockCursor | null;
  readonly count: number;
}

/**
 * A block's transactions are between its start_lt and end_lt, which is the read range; one extra row shows that there
 * are more.
 */
function pageStatement(
  { databases }: ReadScope,
  { list, table }: { readonly list: string; readonly table: string },
  { block, after, count }: PageOfBlock,
): Statement {
  const conditions = new Conditions().add(
    'lt >= {start_lt:UInt64} AND lt <= {end_lt:UInt64} AND mc_seqno = {mc_seqno:UInt32} ' +
      'AND workchain = {workchain:Int32} AND shard = {shard:UInt64} AND seqno = {seqno:UInt32}',
    {
      start_lt: block.start_lt,
      end_lt: block.end_lt,
      mc_seqno: block.mc_seqno,
      workchain: block.workchain,
      shard: block.shard,
      seqno: block.seqno,
    },
  );
  if (after) {
    conditions.add('(account, lt) > (toFixedString(unhex({after_account:String}), 32), {after_lt:UInt64})', {
      after_account: toHex(after.account),
      after_lt: `${after.lt}`,
    });
  }
  conditions.bind({ limit: count + 1 });
  return conditions.statement(
    `SELECT ${list} FROM ${databases.base}.${table} WHERE ${conditions.text} ORDER BY account, lt LIMIT {limit:UInt32}`,
  );
}

function toPage<Row>(rows: readonly Row[], count: number): BlockPage<Row> {
  return { rows: rows.slice(0, count), more: rows.length > count };
}
