import { randomUUID } from 'node:crypto';
import { localTable, ofServers, storedTable } from '../../platform/clickhouse/cluster-scope.ts';
import { poll } from '../../platform/retry/poll.ts';
import type { RowCounts } from './expected-rows.ts';
import { whileOpen } from './fence.ts';
import { queryPrefix, type Range, rangeRows, route, type SinkContext } from './sink-context.ts';
import { countedTargets } from './sink-definition.ts';

/** Counting and deleting look at whole tables where nothing indexes positions: they take the time they take. */
const TIMEOUT_MS = 3_600_000;
const POLL_INTERVAL_MS = 100;

/**
 * Waits until no mutation of the counted targets is under way. A server that was killed within a delete goes on with
 * it after its start: rows counted before it is done may still disappear.
 */
async function waitForMutations(context: SinkContext, signal: AbortSignal): Promise<void> {
  const { cluster } = context.client;
  const tables = countedTargets(context.definition).map(({ table }) => localTable(table, cluster));
  const source = ofServers(context.client, 'system.mutations');
  const areDone = async () => {
    const { rows } = await context.client.queryRows(
      `SELECT 1 FROM ${source} WHERE database = {database:String} AND table IN {tables:Array(String)} AND NOT is_done LIMIT 1`,
      { route: route(context, 'mutations'), params: { database: context.database, tables }, signal },
    );
    return rows.length === 0;
  };
  await poll(areDone, { everyMs: POLL_INTERVAL_MS, signal });
}

/** Rows that every counted target holds for the positions of the range, after all deletes under way. */
export async function measureRange(
  context: SinkContext,
  range: Range,
  signal: AbortSignal,
): Promise<RowCounts> {
  await waitForMutations(context, signal);
  const counts = countedTargets(context.definition).map(
    ({ table }) => `SELECT '${table}', count() FROM ${context.database}.${table} WHERE ${rangeRows(context)}`,
  );
  const { rows } = await context.client.queryRows<[string, string]>(counts.join('\nUNION ALL '), {
    route: route(context, 'measure'),
    params: { first: range.firstPosition, last: range.lastPosition },
    timeoutMs: TIMEOUT_MS,
    maxMemoryBytes: 0,
    // Replicas that lag would be counted short.
    settings: { select_sequential_consistency: context.client.cluster ? 1 : 0 },
    signal,
  });
  return Object.fromEntries(rows.map(([table, count]) => [table, Number(count)]));
}

/**
 * Deletes the positions of the range from every counted target that has some of them. A lightweight DELETE marks rows
 * in their parts and hard-links the rest. It is cheaper than ALTER … DELETE and as exact, since counts and reads omit
 * marked rows when it returns (lightweight_deletes_sync = 2: on all replicas). It covers the parts that exist when it
 * begins, so later rows are safe. With a closed attempt it deletes nothing.
 */
export async function deleteRange(
  context: SinkContext,
  range: Range & { readonly attempt?: number },
  found: RowCounts,
  signal: AbortSignal,
): Promise<void> {
  const { attempt } = range;
  const open = attempt === undefined ? null : whileOpen(context, { ...range, attempt });
  const where = `${rangeRows(context)}${open ? ` AND ${open.sql}` : ''}`;
  for (const { table } of countedTargets(context.definition)) {
    if ((found[table] ?? 0) === 0) continue;
    await context.client.command(
      `DELETE FROM ${storedTable(context.client, context.database, table)} WHERE ${where}`,
      {
        route: route(context, `delete/${table}`),
        queryId: `${queryPrefix(context, range)}delete:${table}:${randomUUID()}`,
        params: { first: range.firstPosition, last: range.lastPosition, ...open?.params },
        signal,
        // Whether the attempt is open is asked by the statement, not later by what it leaves to be done.
        settings: { lightweight_deletes_sync: 2, mutations_execute_subqueries_on_initiator: 1 },
      },
    );
  }
}
