import { keySql, type TableLookUp, valueSql } from '../tables/look-ups/look-ups.ts';
import { RowBinary } from '../tables/row-binary.ts';
import type { IndexedRow } from './store-port.ts';

/** Columns by table of the followed version; null: as this release has them. */
export type FollowedTables = Readonly<Record<string, Readonly<Record<string, string>>>> | null;

const IN_PIECE = 'cityHash64(look_up_key) % {pieces:UInt32} = {piece:UInt32}';

/**
 * The statement that reads the rows of a look-up from the store, in RowBinary: step, key and value of each. Parameters:
 * `db`, `first` and `last` step, and one of `pieces` of the keys.
 */
export function fillSql({ table, lookUp }: TableLookUp, tables: FollowedTables): string {
  const value = valueSql(lookUp, tables?.[table.name]);
  const conditions = ['mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}', lookUp.where, IN_PIECE];
  const distinct = value === null ? 'DISTINCT ' : '';
  return `SELECT ${distinct}mc_seqno, ${keySql({ table, lookUp })} AS look_up_key, ${value ?? "''"}
    FROM {db:Identifier}.${table.name} WHERE ${conditions.filter((one) => one !== undefined).join(' AND ')} FORMAT RowBinary`;
}

/** Rows of an answer to `fillSql`. */
export function* readFillRows(answer: Buffer): Generator<IndexedRow> {
  for (const rows = new RowBinary(answer); rows.more; )
    yield { step: rows.u32(), key: rows.string(), value: rows.string() };
}
