import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { splitStatements } from '../../platform/clickhouse/migrations/sql-statements.ts';
import { correctTarget } from './correct-target.ts';
import { queryPrefix, type Range, route, type SinkContext } from './sink-context.ts';
import type { SinkDefinition, SqlSource } from './sink-definition.ts';

/** Repair by statements that derive a target again; running them twice changes nothing. */
export interface RerunnableRepair {
  readonly table: string;
  readonly statements: readonly string[];
}

/** Repair by a SELECT of the rows that a target lacks. */
export interface Corrections {
  readonly table: string;
  readonly corrections: string;
}

/** The repair of one derived target. */
export type Repair = RerunnableRepair | Corrections;

/** Repairs of a definition; `root` is the folder that paths of files are relative to. */
export function readRepairs(definition: SinkDefinition, root: string): Repair[] {
  const statements = (source: SqlSource) =>
    splitStatements(typeof source === 'string' ? readFileSync(resolve(root, source), 'utf8') : source.sql);
  return definition.derived.map((target) => {
    const { table } = target;
    if ('repair' in target) return { table, statements: statements(target.repair) };
    const [corrections, more] = statements(target.corrections);
    if (corrections === undefined || more !== undefined)
      throw new TypeError(`the corrections of ${table} must be one statement`);
    return { table, corrections };
  });
}

/** Makes the derived targets whole for the range. */
export async function runRepairs(context: SinkContext, range: Range, signal: AbortSignal): Promise<void> {
  for (const repair of context.repairs) {
    if ('corrections' in repair) await correctTarget(context, repair, range, signal);
    else await rerun(context, repair, range, signal);
  }
}

/** Not deduplicated: an earlier write may be what is missing now. */
async function rerun(
  context: SinkContext,
  { table, statements }: RerunnableRepair,
  range: Range,
  signal: AbortSignal,
): Promise<void> {
  const params = { db: context.database, first: range.firstPosition, last: range.lastPosition };
  for (const statement of statements) {
    await context.client.command(statement, {
      route: route(context, `repair/${table}`),
      queryId: `${queryPrefix(context, range)}repair:${table}:${randomUUID()}`,
      params,
      signal,
      settings: { insert_deduplicate: 0 },
    });
  }
}
