import { toHex } from '../../../ton/hash/hex.ts';
import { PACKED_TABLE } from '../../compat/packed-transactions.ts';
import type { BlockRow } from '../../entities/blocks/model.ts';
import { TRANSACTION_SELECT, type TransactionRow } from '../../entities/transactions/model.ts';
import { readTransactionStatement } from '../../entities/transactions/rows.ts';
import type { ReadScope } from '../../query/scope.ts';
import { type SelectedRow, selectList } from '../../query/select-list.ts';
import { and, i32, identifier, type Sql, sql, text, u32, u64, unsafeSql } from '../../query/sql.ts';
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
    pageStatement(scope, { list: unsafeSql(IDS.sql), table: 'transactions' }, { block, after, count }),
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
  { list, table }: { readonly list: Sql; readonly table: string },
  { block, after, count }: PageOfBlock,
): Sql {
  const { start_lt, end_lt, mc_seqno, workchain, shard, seqno } = block;
  const own = and(
    sql`lt >= ${u64(start_lt)} AND lt <= ${u64(end_lt)} AND mc_seqno = ${u32(mc_seqno)}`,
    sql`workchain = ${i32(workchain)} AND shard = ${u64(shard)} AND seqno = ${u32(seqno)}`,
    after && sql`(account, lt) > (toFixedString(unhex(${text(toHex(after.account))}), 32), ${u64(after.lt)})`,
  );
  return sql`SELECT ${list} FROM ${identifier(databases.base, table)} WHERE ${own} ORDER BY account, lt LIMIT ${u32(count + 1)}`;
}

function toPage<Row>(rows: readonly Row[], count: number): BlockPage<Row> {
  return { rows: rows.slice(0, count), more: rows.length > count };
}
