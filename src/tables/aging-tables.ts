import { ALL_TABLES } from './all-tables.ts';
import type { Aging } from './target.ts';

/** A table whose old rows move to the cold volume. */
export interface AgingTable {
  readonly table: string;
  readonly aging: Aging;
}

/** The tables of a projection whose old rows move. */
export function agingTables(projection: string): readonly AgingTable[] {
  const { targets } = ALL_TABLES[projection] ?? { targets: [] };
  return targets.flatMap(({ name: table, aging }) => (aging ? [{ table, aging }] : []));
}
