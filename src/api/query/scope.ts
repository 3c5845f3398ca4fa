import type { QueryOptions } from '../../platform/clickhouse/client-options.ts';
import { isTooLarge } from '../../platform/clickhouse/store-errors.ts';
import type { Caller } from '../caller.ts';
import { timeLeft } from '../http/caller.ts';
import { AnswerTooLargeError } from '../http/errors/http-error.ts';
import type { ServeContext } from '../serve-context.ts';
import type { ServedTables } from '../served-tables.ts';
import {
  type AnswerSource,
  type ProjectionName,
  ProjectionUnavailableError,
  resolveReads,
  type VisibleRange,
} from '../version-vector.ts';
import { runInTurn } from './admission.ts';
import { type Sql, sql, u32 } from './sql.ts';

/** Bounds of one statement. */
export interface ReadLimits {
  /** The store refuses the statement if it would read more rows. Default: no bound. */
  readonly mostRows?: number;
  /** The store refuses to send more, bytes. Default: the answer's remaining budget. */
  readonly mostBytes?: number;
}

/** A query result: rows of values in the order of the SELECT list, 64-bit and wider integers as decimal text. */
export type RawRow = readonly unknown[];

/**
 * Scope of one request's reads. Versions and range of the projections that its endpoint declares are resolved once, so
 * that an answer never mixes two versions or two heads.
 */
export interface ReadScope<R extends ProjectionName = 'base'> extends AnswerSource<R> {
  /** Tables of the read version of `base`; null if they are this release's. */
  readonly tables: ServedTables | null;
  readonly context: ServeContext;
  readonly route: string;
  /** Statements end with the caller's signal and take no longer than it waits. */
  readonly caller: Caller;
  readonly progress: Progress;
  /** As in `ScopeOptions`. */
  readonly isHeavy: boolean;
  query(statement: Sql, limits?: ReadLimits): Promise<readonly RawRow[]>;
  /** The result in the RowBinary format: for byte strings, which JSON cannot hold. */
  queryBytes(statement: Sql, limits?: ReadLimits): Promise<Buffer>;
  /** `lookUp.find` for this scope. */
  share<Found, Like>(lookUp: LookUp<Found, Like>, keys: readonly string[], like: Like): Promise<Found>;
}

/** Reads what there is of some keys by a statement that other answers from the same source may share (shared-look-up.ts). */
export interface LookUp<Found, Like> {
  /** Reads the keys, each once, in a separate statement. `like`: the common facts of look-ups that share one. */
  readonly read: (scope: ReadScope, keys: readonly string[], like: Like) => Promise<Found>;
  find(scope: ReadScope, keys: readonly string[], like: Like): Promise<Found>;
}

/** How far an answer is. */
interface Progress {
  /** Whether it has had a statement: then its next ones go first. */
  begun: boolean;
  /** Bytes that its statements may still give. */
  bytesLeft: number;
}

/** Bytes of all results that one answer is made of: a thousand transactions with 254 messages each have some 80 MB. */
export const MAX_ANSWER_BYTES = 128 * 1024 ** 2;

/** Result of a statement, limited to its size. */
interface Result {
  readonly bytes: number;
}

/** Per-request choices. */
export interface ScopeOptions<R extends ProjectionName = ProjectionName> {
  /** Names the route in the query's log comment, e.g. `v3/transactions`. */
  readonly route: string;
  /** Projections that the answer is read from. */
  readonly reads: readonly R[];
  /** Optional projections of the answer. Default: none. */
  readonly adds?: readonly ProjectionName[];
  readonly caller: Caller;
  /** Costs as much as many look-ups: a few statements of such answers run at the same time, so that others find room at the store. Default false. */
  readonly isHeavy?: boolean;
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

/** The scope of a request. @throws ProjectionUnavailableError */
export function openScope<R extends ProjectionName>(
  context: ServeContext,
  { reads, adds, ...options }: ScopeOptions<R>,
): ReadScope<R> {
  return buildScope(context, options, resolveReads(context.vector(), reads, adds));
}

/** Like `openScope`; returns the reason if a projection is unavailable. */
export function tryOpenScope<R extends ProjectionName>(
  context: ServeContext,
  options: ScopeOptions<R>,
): ReadScope<R> | ProjectionUnavailableError {
  try {
    return openScope(context, options);
  } catch (error) {
    if (error instanceof ProjectionUnavailableError) return error;
    throw error;
  }
}

/** The same scope, read for another caller. `begun`: whether the answer has had a statement before. */
export function scopeFor<R extends ProjectionName>(
  scope: ReadScope<R>,
  caller: Caller,
  begun = false,
): ReadScope<R> {
  return buildScope(scope.context, { route: scope.route, isHeavy: scope.isHeavy, caller, begun }, scope);
}

/** The same scope, which sees fewer masterchain steps. */
export function withVisible<R extends ProjectionName>(
  scope: ReadScope<R>,
  visible: VisibleRange,
): ReadScope<R> {
  return { ...scope, visible };
}

/** The same scope, whose statements have another SELECT list in the place of a versioned one. */
export function withSelect<R extends ProjectionName>(scope: ReadScope<R>, list: Sql, by: Sql): ReadScope<R> {
  return {
    ...scope,
    query: (statement, limits) => scope.query(statement.replace(list, by), limits),
    queryBytes: (statement, limits) => scope.queryBytes(statement.replace(list, by), limits),
  };
}

function buildScope<R extends ProjectionName>(
  context: ServeContext,
  {
    route,
    caller,
    isHeavy = false,
    begun = false,
  }: Pick<ScopeOptions, 'route' | 'caller' | 'isHeavy'> & { readonly begun?: boolean },
  { databases, versions, visible, added }: AnswerSource<R>,
): ReadScope<R> {
  const { base }: Partial<Record<ProjectionName, string>> = databases;
  const tables = (base !== undefined && context.getTables?.(base)) || null;
  const progress: Progress = { begun, bytesLeft: MAX_ANSWER_BYTES };
  /** Runs a statement in its turn, in the time and within the bytes that are left then. */
  const run = async <T extends Result>(
    { mostRows, mostBytes = MAX_ANSWER_BYTES }: ReadLimits,
    send: (limits: QueryOptions) => Promise<T>,
  ): Promise<T> => {
    const asBegun = progress.begun;
    progress.begun = true;
    const settings = mostRows ? { ...READ_SETTINGS, max_rows_to_read: mostRows } : READ_SETTINGS;
    const result = await runInTurn(context, { caller, begun: asBegun, isHeavy }, () =>
      send({
        route,
        timeoutMs: timeLeft(caller),
        signal: caller.signal,
        settings,
        maxResultBytes: Math.max(1, Math.min(progress.bytesLeft, mostBytes)),
      }).catch((error) => {
        throw isTooLarge(error) ? new AnswerTooLargeError() : error;
      }),
    );
    progress.bytesLeft -= result.bytes;
    if (progress.bytesLeft < 0) throw new AnswerTooLargeError();
    return result;
  };
  const scope: ReadScope<R> = {
    databases,
    versions,
    visible,
    added,
    tables,
    context,
    route,
    caller,
    progress,
    isHeavy,
    query: async (statement, limits = {}) => {
      const { sql, params } = statement.render(tables);
      const { rows } = await run(limits, (options) => context.client.queryRows(sql, { ...options, params }));
      return rows;
    },
    queryBytes: async (statement, limits = {}) => {
      const { sql, params } = statement.render(tables);
      const { body } = await run(limits, async (options) => {
        const bytes = await context.client.queryBytes(`${sql} FORMAT RowBinary`, { ...options, params });
        return { body: bytes, bytes: bytes.length };
      });
      return body;
    },
    // A look-up reads what its keys and what it is like name, whatever else the scope is read for.
    share: (lookUp, keys, like) => lookUp.find(scope as unknown as ReadScope, keys, like),
  };
  return scope;
}

/** Whether a masterchain step lies in the visible range. */
export function isVisible(step: number, { first, last }: VisibleRange): boolean {
  return step >= first && step <= last;
}

/** Condition: a row is in the visible range. */
export function within({ first, last }: VisibleRange): Sql {
  return sql`mc_seqno >= ${u32(first)} AND mc_seqno <= ${u32(last)}`;
}
