import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { splitStatements } from '../migrations/sql-statements.ts';
import { queryPrefix, type Range, route, type SinkContext } from './sink-context.ts';
import type { SinkDefinition } from './sink-definition.ts';

/** The repair of one derived target. */
export interface Repair {
  readonly table: string;
  readonly statements: readonly string[];
}

/** Reads the repair files of a definition; `root` is the folder that their paths are relative to. */
export function readRepairs(definition: SinkDefinition, root: string): Repair[] {
  return definition.derived.map(({ table, repair }) => ({
    table,
    statements: splitStatements(readFileSync(resolve(root, repair), 'utf8')),
  }));
}

/**
 * Makes the derived targets whole for the range. Not deduplicated: a repair that finds the same rows missing twice
 * must write them twice.
 */
export async function runRepairs(context: SinkContext, range: Range, signal: AbortSignal): Promise<void> {
  const params = { db: context.database, first: range.firstPosition, last: range.lastPosition };
  for (const { table, statements } of context.repairs) {
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
}
