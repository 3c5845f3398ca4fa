import type { ConditionalInput } from './conditional-insert.ts';

/** Connection to the store. */
export interface StoreClientOptions {
  /** `http://host:port` */
  readonly url: string;
  /** Default `default`. */
  readonly user?: string;
  /** Default empty. */
  readonly password?: string;
  /** Connections kept open, and so requests under way at the same time; more wait their turn. Default 64. */
  readonly maxConnections?: number;
  /** Name that the server sees, e.g. in system.processes. Default `tonhouse`. */
  readonly application?: string;
  /**
   * Cluster that the server is one of: statements get `CLUSTER_SETTINGS`, and queries are looked for and killed on all
   * of its servers. Null or absent: one server.
   */
  readonly cluster?: string | null;
  /**
   * Nice value of the server's threads while they work for this client, 1 to 19. No effect on a server without the
   * capability CAP_SYS_NICE. Default 0.
   */
  readonly niceness?: number;
  /**
   * Statements that come with every step under way at the same time: small inserts of blocks (`InsertOptions.isLarge`) and small reads
   * (`QueryOptions.inTurn`). More wait their turn. Default: no limit.
   */
  readonly smallAtOnce?: number;
  /** Folder of the server's files, if on this machine: `flush` then writes them to the disk. Default: on another machine. */
  readonly directory?: string;
  /** The user's profile has `readonly = 1`, and statements may not override it (`READER`). Default false. */
  readonly isConfined?: boolean;
  /** Called when a reading statement ends, for any outcome. */
  readonly onQuery?: (route: string, seconds: number) => void;
}

/** Headers that identify the user. The embedded server accepts no other way (`server-config.ts`). */
export function credentials(options: Pick<StoreClientOptions, 'user' | 'password'>) {
  return {
    'X-ClickHouse-User': options.user ?? 'default',
    'X-ClickHouse-Key': options.password ?? '',
  };
}

/** Settings of one statement by ClickHouse's names. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

/**
 * Values of `{name:Type}` parameters. Arrays, bigint, Date and null are allowed. A server bounds the text of one value
 * by `http_max_field_value_size` of the user's profile: 16 MiB embedded, 128 KiB by ClickHouse's default.
 */
export type QueryParams = Readonly<Record<string, unknown>>;

interface RequestOptions {
  /** Name of the caller, e.g. `v3/transactions`, for `log_comment` and errors. */
  readonly route: string;
  /** Default: a random one. */
  readonly queryId?: string;
  /** The server's time limit, ms; the client gives up a second later. 0: none. */
  readonly timeoutMs?: number;
  /** Memory limit of the statement. 0: only the server's limit. */
  readonly maxMemoryBytes?: number;
  /** Aborting cancels the request and rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly settings?: Settings;
}

/** Defaults: 10 s, 1 GiB of memory, 100,000 rows and 256 MiB of result; beyond them a query fails. */
export interface QueryOptions extends RequestOptions {
  readonly params?: QueryParams;
  readonly maxRows?: number;
  readonly maxResultBytes?: number;
  /** Takes its turn among small inserts (`smallAtOnce`): a brief read that comes with every step. Default false. */
  readonly inTurn?: boolean;
}

/** Defaults: no time and memory limit: DDL, mutations and repairs take the time that they take. */
export interface CommandOptions extends RequestOptions {
  readonly params?: QueryParams;
}

/** Default: 10 minutes, no memory limit. */
export interface InsertOptions extends RequestOptions {
  /** `insert_deduplication_token`: a repeated insert with the same token is dropped if the target remembers it. */
  readonly token?: string;
  /** Does not queue (`smallAtOnce`): small inserts would wait long for it. Default false. */
  readonly isLarge?: boolean;
  /** The condition that the server looks at first; columns in the order of the bytes. Default: none. */
  readonly input?: ConditionalInput;
}

export const QUERY_DEFAULTS = {
  timeoutMs: 10_000,
  maxMemoryBytes: 1024 ** 3,
  maxRows: 100_000,
  maxResultBytes: 256 * 1024 ** 2,
} as const;

export const INSERT_TIMEOUT_MS = 600_000;

/**
 * Settings that make `Distributed` tables as exact as tables of one server:
 * - an insert resolves when every shard has its rows;
 * - no insert counts as a copy of an earlier one (recovery measures instead);
 * - INSERT … SELECT is computed as a whole, not per shard;
 * - a subquery reads all shards. `global` would run it once, but refuses an IN within an IN ("Invalid local IN function name globalIn");
 * - a look-up by a sharding key asks only the shard that has the key.
 */
export const CLUSTER_SETTINGS: Settings = {
  distributed_foreground_insert: 1,
  insert_deduplicate: 0,
  parallel_distributed_insert_select: 0,
  distributed_product_mode: 'allow',
  optimize_skip_unused_shards: 1,
};

/** Answers up to this size never touch the server's disk. */
const ANSWER_IN_MEMORY_BYTES = 4 * 1024 ** 2;

/** Extra time of the client over the server's limit, ms: the server's own error has more detail. */
export const CLIENT_GRACE_MS = 1_000;

/** The settings that every statement carries. */
export function baseSettings(options: RequestOptions, timeoutMs: number): Settings {
  return {
    log_comment: options.route,
    // In this version 1 by default; an insert would be acknowledged before it is in its tables.
    async_insert: 0,
    // Times mean the same on every server.
    session_timezone: 'UTC',
    // The status line is sent when the outcome is known: no error in the middle of an answer.
    wait_end_of_query: 1,
    max_execution_time: timeoutMs / 1000,
    timeout_overflow_mode: 'throw',
    max_memory_usage: options.maxMemoryBytes ?? 0,
  };
}

/** Limits of a reading query, each of which throws. 64-bit and wider integers come as strings. */
export function querySettings(options: QueryOptions, isConfined = false): Settings {
  return {
    ...baseSettings(
      { ...options, maxMemoryBytes: options.maxMemoryBytes ?? QUERY_DEFAULTS.maxMemoryBytes },
      options.timeoutMs ?? QUERY_DEFAULTS.timeoutMs,
    ),
    max_result_rows: options.maxRows ?? QUERY_DEFAULTS.maxRows,
    max_result_bytes: options.maxResultBytes ?? QUERY_DEFAULTS.maxResultBytes,
    result_overflow_mode: 'throw',
    output_format_json_quote_64bit_integers: 1,
    // With wait_end_of_query an answer goes through a file on disk unless it fits in memory.
    http_response_buffer_size: ANSWER_IN_MEMORY_BYTES,
    // Reads only; and with it, a query whose caller has gone is cancelled.
    ...(isConfined ? {} : { readonly: 2 }),
    cancel_http_readonly_queries_on_client_close: 1,
    ...options.settings,
  };
}

export function insertSettings(options: InsertOptions): Settings {
  return {
    ...baseSettings(options, options.timeoutMs ?? INSERT_TIMEOUT_MS),
    ...(options.token ? { insert_deduplicate: 1, insert_deduplication_token: options.token } : {}),
    // The blocks of one body come one after the other: further threads only hand them around (decision 20).
    max_threads: 1,
    max_insert_threads: 1,
    // The older analysis of a condition and of the views takes two milliseconds less of some fourteen (decision 91).
    enable_analyzer: 0,
    deduplicate_blocks_in_dependent_materialized_views: 1,
    materialized_views_ignore_errors: 0,
    input_format_skip_unknown_fields: 0,
    ...options.settings,
  };
}
