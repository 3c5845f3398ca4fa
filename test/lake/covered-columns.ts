/** Proves that each column of each table is compared, or null because docs/tables.md says so. */
import type { LakeView } from '../../src/api/lake/view-file.ts';
import { readLakeViews } from '../../src/cli/compose/lake.ts';
import type { LakeServer, Row } from './lake-server.ts';

const VIEWS = new Map(readLakeViews().map((view) => [view.name, view]));
/** Sums follow from other tables of the lake: test/e2e/lake-rows.slow.test.ts compares them. */
const isSum = (name: string) => /_(hourly|daily)$/.test(name) && name !== 'prices_daily';

/** Tables that no check compares. */
export function uncoveredTables(checked: readonly string[]): readonly string[] {
  return [...VIEWS.keys()].filter((name) => !isSum(name) && !checked.includes(name));
}

/** Columns whose comment says that they are always null. */
export function nullColumns(table: string): readonly string[] {
  return getView(table)
    .columns.filter(({ comment }) => comment.startsWith('Always null'))
    .map(({ name }) => name);
}

/** Problems of columns: neither compared nor always null, or not null against their comment. */
export async function columnProblems(
  server: LakeServer,
  table: string,
  compared: readonly string[],
): Promise<readonly string[]> {
  const nulls = nullColumns(table);
  const open = getView(table).columns.filter(({ name }) => !compared.includes(name) && !nulls.includes(name));
  const problems = open.map(({ name }) => `${name}: not compared`);
  if (nulls.length === 0) return problems;
  const counts = nulls.map((name) => `count(${name}) AS ${name}`).join(', ');
  const [row = {} as Row] = await server.ask(`SELECT ${counts} FROM ${table}`);
  const filled = nulls.filter((name) => String(row[name]) !== '0');
  return [...problems, ...filled.map((name) => `${name}: expected always null, found ${row[name]} values`)];
}

function getView(table: string): LakeView {
  const view = VIEWS.get(table);
  if (!view) throw new RangeError(`no view ${table} in clickhouse/lake/views`);
  return view;
}
