import type { Cell, StoreClient } from '../../platform/clickhouse/client.ts';
import { TABLE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import { type PositionRange, rangeCondition } from '../ranges/position-ranges.ts';
import { comparedColumns, hashable } from './clone-table.ts';

/** Differences in the rows of one table. */
export interface RowChanges {
  readonly table: string;
  readonly added: number;
  readonly removed: number;
  readonly altered: number;
  /** Columns of altered rows by how many rows they changed in, most first. */
  readonly columns: readonly { readonly column: string; readonly rows: number }[];
  readonly samples: readonly RowSample[];
}

/** One row that differs, as text. */
export interface RowSample {
  readonly change: 'added' | 'removed' | 'altered';
  /** Values of the key's columns; bytes in hex. */
  readonly key: Readonly<Record<string, string>>;
  /** Changed columns of an altered row. */
  readonly columns: readonly { readonly column: string; readonly before: string; readonly after: string }[];
}

export interface RowComparison {
  readonly table: string;
  readonly key: readonly string[];
  /** Columns that are not compared. Default: none. */
  readonly packed?: readonly string[];
  readonly ranges: readonly PositionRange[];
}

export const SAMPLES = 3;
const MAX_VALUE_LENGTH = 200;
const route = 'versions/compare';
const QUERY = { ...TABLE_QUERY, settings: { max_bytes_before_external_group_by: 1_000_000_000 } } as const;

interface Compared extends RowComparison {
  readonly from: string;
  readonly to: string;
  readonly columns: readonly string[];
  readonly types: ReadonlyMap<string, string>;
}

type Counted = [string, string, string, string[], string[][], string[][], string[][]];

/** Compares the rows of a table of two versions by their key. */
export async function compareRows(
  client: StoreClient,
  { from, to }: { readonly from: string; readonly to: string },
  comparison: RowComparison,
): Promise<RowChanges> {
  const common = await comparedColumns(client, { from, to }, comparison);
  const types = new Map(common.map(({ name, type }) => [name, type]));
  const columns = common.map(({ name }) => name).filter((name) => !comparison.key.includes(name));
  const compared = { ...comparison, from, to, columns, types };
  const { rows } = await client.queryRows<Counted>(countingQuery(compared), { route, ...QUERY });
  const [added, removed, altered, perColumn, ...samples] = rows[0] ?? ['0', '0', '0', [], [], [], []];
  const changes = (['added', 'removed', 'altered'] as const).flatMap((change, i) =>
    (samples[i] ?? []).map((key) => ({ change, key })),
  );
  return {
    table: comparison.table,
    added: Number(added),
    removed: Number(removed),
    altered: Number(altered),
    columns: columns
      .map((column, i) => ({ column, rows: Number(perColumn[i] ?? 0) }))
      .filter((changed) => changed.rows > 0)
      .sort((a, b) => b.rows - a.rows),
    samples: await Promise.all(changes.map(({ change, key }) => sample(client, compared, change, key))),
  };
}

const isBytes = (type: string | undefined): boolean => /^(FixedString|String)/.test(type ?? '');

function asText(column: string, type: string | undefined): string {
  return isBytes(type) ? `lower(hex(${column}))` : `toString(${column})`;
}

/** Count of each key on either side, and the columns whose values differ. */
function countingQuery({ from, to, table, key, columns, types, ranges }: Compared): string {
  const where = rangeCondition('mc_seqno', ranges);
  const hashes = columns.map((name) => `cityHash64(${hashable({ name, type: types.get(name) ?? '' })})`);
  // The other side's hashes are subtracted: the rest differs.
  const taken = hashes.map((hash) => `bitNot(${hash}) + 1`);
  const side = (database: string, number: 0 | 1) =>
    `SELECT ${number} AS of_next, ${key.join(', ')}, [${(number ? taken : hashes).join(', ')}] AS hashes
     FROM ${database}.${table} WHERE ${where}`;
  const keys = `[${key.map((column) => asText(column, types.get(column))).join(', ')}]`;
  const isAltered = 'old > 0 AND next > 0 AND (old != next OR arrayExists(x -> x, changed))';
  const some = (condition: string) => `groupArrayIf(${SAMPLES})(${keys}, ${condition})`;
  return `SELECT countIf(old = 0), countIf(next = 0), countIf(${isAltered}), sumForEachIf(changed, ${isAltered}),
       ${some('old = 0')}, ${some('next = 0')}, ${some(isAltered)}
     FROM (
       SELECT ${key.join(', ')}, countIf(of_next = 0) AS old, countIf(of_next = 1) AS next,
         arrayMap(rest -> toUInt8(rest != 0), sumForEach(hashes)) AS changed
       FROM (${side(from, 0)} UNION ALL ${side(to, 1)})
       GROUP BY ${key.join(', ')}
     )`;
}

async function sample(
  client: StoreClient,
  compared: Compared,
  change: RowSample['change'],
  values: readonly string[],
): Promise<RowSample> {
  const { key, columns, from, to } = compared;
  const named = Object.fromEntries(key.map((column, i) => [column, values[i] ?? '']));
  if (change !== 'altered') return { change, key: named, columns: [] };
  const [before, after] = await Promise.all(
    [from, to].map((database) => readRow(client, database, compared, values)),
  );
  const changed = columns
    .map((column, i) => ({ column, before: before?.[i] ?? '', after: after?.[i] ?? '' }))
    .filter((value) => value.before !== value.after);
  return { change, key: named, columns: changed };
}

async function readRow(
  client: StoreClient,
  database: string,
  { table, key, columns, types, ranges }: Compared,
  values: readonly string[],
): Promise<readonly string[] | undefined> {
  const texts = columns.map(
    (column) => `ifNull(substring(${asText(column, types.get(column))}, 1, ${MAX_VALUE_LENGTH}), 'NULL')`,
  );
  const params = Object.fromEntries(values.map((value, i) => [`k${i}`, value]));
  const matches = key.map((column, i) =>
    isBytes(types.get(column)) ? `${column} = unhex({k${i}:String})` : `toString(${column}) = {k${i}:String}`,
  );
  const { rows } = await client.queryRows<Cell[]>(
    `SELECT ${texts.join(', ')} FROM ${database}.${table}
     WHERE ${matches.join(' AND ')} AND ${rangeCondition('mc_seqno', ranges)} LIMIT 1`,
    { route, params, ...QUERY },
  );
  return rows[0]?.map(String);
}
