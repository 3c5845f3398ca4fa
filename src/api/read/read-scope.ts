import type { QueryOptions } from '../../platform/clickhouse/client-options.ts';
import type { Caller } from '../caller.ts';
import { timeLeft } from '../http/caller.ts';
import type { ServeContext, VisibleRange } from '../serve-context.ts';
import { admissionOf } from './admission.ts';
import type { Conditions, Statement } from './statement.ts';

/** A query result: rows of values in the order of the SELECT list, 64-bit and wider integers as decimal text. */
export type RawRow = readonly unknown[];

/**
 * What one request reads from: the projection version and the visible range are resolved once, so that an answer
 * never mixes two versions or two heads.
 */
export interface ReadScope {
  readonly database: string;
  readonly visible: VisibleRange;
  readonly context: ServeContext;
  readonly route: string;
  /** Statements end with the caller's signal and take no longer than it waits. */
  readonly caller: Caller;
  query(statement: Statement): Promise<readonly RawRow[]>;
  /** The result in the RowBinary format: for byte strings, which JSON cannot hold. */
  queryBytes(statement: Statement): Promise<Buffer>;
}

/** Per-request choices. */
export interface ScopeOptions {
  /** Names the route in the query's log comment, e.g. `v3/transactions`. */
  readonly route: string;
  readonly caller: Caller;
}

/** Short reads from few granules: a second thread reads ahead what is not needed (measured: seven times the CPU). */
export const READ_SETTINGS = {
  // A thousand hashes as literals take 96 KB: not left to the profile of the server's user.
  max_query_size: 2 ** 20,
  max_threads: 1,
  // The older analysis of a statement takes a millisecond less, of some six (measured); these statements mean the same to both.
  enable_analyzer: 0,
  use_query_cache: 0,
  query_plan_optimize_lazy_materialization: 0,
  // Its filter on the sort column takes the place of the key's in PREWHERE: every wide column is then read.
  use_top_k_dynamic_filtering: 0,
  // Formatting in threads of its own costs more than the formatting (measured: 0.7 ms of 1.7).
  output_format_parallel_formatting: 0,
} as const;

/** Resolves the scope of a request; null while nothing is indexed. */
export function openScope(context: ServeContext, options: ScopeOptions): ReadScope | null {
  const visible = context.visible();
  if (!visible) return null;
  return scopeOf(context, options, { database: context.baseDatabase(), visible });
}

/** The same scope, read for another caller. */
export function scopeFor(scope: ReadScope, caller: Caller): ReadScope {
  return scopeOf(scope.context, { route: scope.route, caller }, scope);
}

function scopeOf(
  context: ServeContext,
  { route, caller }: ScopeOptions,
  { database, visible }: Pick<ReadScope, 'database' | 'visible'>,
): ReadScope {
  const admission = admissionOf(context);
  let begun = false;
  /** Runs a statement in its turn, in the time that is left then. */
  const run = <T>(send: (limits: QueryOptions) => Promise<T>): Promise<T> => {
    const asBegun = begun;
    begun = true;
    return admission.run(caller, asBegun, () =>
      send({ route, timeoutMs: timeLeft(caller), signal: caller.signal, settings: READ_SETTINGS }),
    );
  };
  return {
    database,
    visible,
    context,
    route,
    caller,
    query: ({ sql, params }) =>
      run(async (limits) => (await context.client.queryRows(sql, { ...limits, params })).rows),
    queryBytes: ({ sql, params }) =>
      run((limits) => context.client.queryBytes(`${sql} FORMAT RowBinary`, { ...limits, params })),
  };
}

/** Bounds a table's rows to the visible range. */
export function boundToVisible(conditions: Conditions, visible: VisibleRange): Conditions {
  return conditions.add('mc_seqno >= {visible_first:UInt32} AND mc_seqno <= {visible_last:UInt32}', {
    visible_first: visible.first,
    visible_last: visible.last,
  });
}
