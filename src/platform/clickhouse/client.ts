import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import pLimit from 'p-limit';
import { poll } from '../retry/poll.ts';
import {
  baseSettings,
  CLUSTER_SETTINGS,
  type CommandOptions,
  credentials,
  INSERT_TIMEOUT_MS,
  type InsertOptions,
  insertSettings,
  QUERY_DEFAULTS,
  type QueryOptions,
  querySettings,
  type Settings,
  type StoreClientOptions,
} from './client-options.ts';
import { ofServers, onCluster } from './cluster-scope.ts';
import { nativeInsert } from './conditional-insert.ts';
import { HAS_DISK_FLUSH, StoreFlush } from './embedded/disk-flush.ts';
import { HttpReader, type ReadRequest } from './http-reader.ts';
import { withLimits } from './request.ts';
import { StoreError } from './store-errors.ts';

/** Cells of a row as JSON gives them: 64-bit and wider integers are strings. */
export type Cell = string | number | boolean | null | Cell[] | { [key: string]: Cell };

/** The answer in JSONCompact: column names and rows as arrays. */
export interface Rows<R extends readonly unknown[] = Cell[]> {
  readonly names: readonly string[];
  readonly rows: readonly R[];
  /** Size of the answer as it came over. */
  readonly bytes: number;
}

/** An answer that is read as it arrives. */
export interface StreamedAnswer {
  readonly body: Readable;
  /** Rows of the answer. */
  readonly rows: number;
}

/** Bytes to insert: whole, in parts, or as they come. */
export type InsertBytes = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * The store over HTTP. Every error is a `StoreError`, except that an aborted signal rejects with its own reason.
 * Binary columns do not survive JSON: select `hex(…)` or `base64Encode(…)`, or read bytes with `queryBytes`.
 */
export interface StoreClient {
  readonly url: string;
  /** Name of the cluster, or null on one server. */
  readonly cluster: string | null;
  /** Directory of a server on this machine; null for a remote one. */
  readonly directory: string | null;
  /** Rows as objects by column name. */
  queryObjects<T>(sql: string, options: QueryOptions): Promise<T[]>;
  /** Rows as arrays: the cheapest to parse. The statement must not carry a FORMAT. */
  queryRows<R extends readonly unknown[] = Cell[]>(sql: string, options: QueryOptions): Promise<Rows<R>>;
  /** The body of a statement that carries its own FORMAT, as text. */
  queryText(sql: string, options: QueryOptions): Promise<string>;
  /** The body of a statement that carries its own FORMAT (Native, RowBinary …), as bytes. */
  queryBytes(sql: string, options: QueryOptions): Promise<Buffer>;
  /**
   * The body of a statement that carries its own FORMAT, as it arrives. The server has the whole answer before the first
   * byte, so it cannot fail in the middle. The signal also ends the stream.
   */
  queryStream(sql: string, options: QueryOptions): Promise<StreamedAnswer>;
  /** DDL, mutations, INSERT … SELECT: resolves when done. */
  command(sql: string, options: CommandOptions): Promise<void>;
  /** INSERT … SELECT: resolves to the number of written rows. */
  insertSelect(sql: string, options: CommandOptions): Promise<number>;
  /** Inserts blocks in Native format into `table` (qualified); resolves when all its views are written too. */
  insertNative(table: string, bytes: InsertBytes, options: InsertOptions): Promise<void>;
  /** Cancels every query whose id begins with the prefix and resolves when none is left; answers how many it saw. */
  killAndWait(queryIdPrefix: string, options: { route: string; signal?: AbortSignal }): Promise<number>;
  /** Ids of the queries under way whose id begins with the prefix. */
  runningQueries(
    queryIdPrefix: string,
    options: { route: string; signal?: AbortSignal },
  ): Promise<readonly string[]>;
  /**
   * Resolves when what was written before survives a power cut (docs/decisions/0016). A server elsewhere syncs by its
   * own settings: nothing is done for it.
   */
  flush(): Promise<void>;
  /** Whether the store answers. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

type HttpClient = ReturnType<typeof createClient>;

/** Longer than any statement: time limits are kept by `withLimits`. */
const NO_HTTP_TIMEOUT_MS = 2 ** 31 - 1;
/** The server counts a query as gone for good when it was not seen this often in a row. */
const EMPTY_POLLS = 2;
const POLL_INTERVAL_MS = 50;
/** Health checks treat a server as away if it accepts a connection and does not answer for this time, milliseconds. */
const PING_MS = 5_000;

function connect(options: StoreClientOptions): HttpClient {
  return createClient({
    url: options.url,
    http_headers: credentials(options),
    set_basic_auth_header: false,
    application: options.application ?? 'tonhouse',
    max_open_connections: options.maxConnections ?? 64,
    request_timeout: NO_HTTP_TIMEOUT_MS,
    keep_alive: { enabled: true, idle_socket_ttl: 2_500, eagerly_destroy_stale_sockets: true },
    compression: { request: false, response: false },
    // Errors reach the caller; the library's own log lines would only repeat them.
    log: { level: ClickHouseLogLevel.OFF },
  });
}

interface Reader {
  readonly http: HttpReader;
  readonly isConfined: boolean;
  readonly onQuery: StoreClientOptions['onQuery'];
}

/** Sends a reading query and receives its answer within the limits. */
async function ask<T>(
  reader: Reader,
  sql: string,
  { receive, ...options }: QueryOptions & { readonly receive: (request: ReadRequest) => Promise<T> },
): Promise<T> {
  const facts = { route: options.route, queryId: options.queryId ?? randomUUID() };
  const timeoutMs = options.timeoutMs ?? QUERY_DEFAULTS.timeoutMs;
  const begun = performance.now();
  try {
    return await withLimits(facts, { timeoutMs, signal: options.signal }, (signal) =>
      receive({
        sql,
        queryId: facts.queryId,
        params: options.params,
        settings: querySettings(options, reader.isConfined),
        signal,
      }),
    );
  } finally {
    reader.onQuery?.(options.route, (performance.now() - begun) / 1_000);
  }
}

/** Sends a reading query and passes on its answer; only the time until its first byte is limited. */
async function openStream(reader: Reader, sql: string, options: QueryOptions): Promise<StreamedAnswer> {
  const receive = (request: ReadRequest) => reader.http.stream(request);
  const body = await ask(reader, sql, { ...options, receive });
  const end = () => body.destroy(options.signal?.reason);
  options.signal?.addEventListener('abort', end, { once: true });
  body.once('close', () => options.signal?.removeEventListener('abort', end));
  const summary = JSON.parse(String(body.headers['x-clickhouse-summary'])) as {
    readonly result_rows: string;
  };
  return { body, rows: Number(summary.result_rows) };
}

/** Runs a statement; resolves to the rows that it has written. */
async function command(http: HttpClient, sql: string, options: CommandOptions): Promise<number> {
  const facts = { route: options.route, queryId: options.queryId ?? randomUUID() };
  const timeoutMs = options.timeoutMs ?? 0;
  return withLimits(facts, { timeoutMs, signal: options.signal }, async (signal) => {
    const { summary } = await http.command({
      query: sql,
      query_id: facts.queryId,
      abort_signal: signal,
      clickhouse_settings: { ...baseSettings(options, timeoutMs), ...options.settings },
      ...(options.params ? { query_params: options.params } : {}),
    });
    return Number(summary?.written_rows ?? 0);
  });
}

async function insertNative(http: HttpClient, table: string, bytes: InsertBytes, options: InsertOptions) {
  const facts = { route: options.route, queryId: options.queryId ?? randomUUID() };
  const timeoutMs = options.timeoutMs ?? INSERT_TIMEOUT_MS;
  await withLimits(facts, { timeoutMs, signal: options.signal }, async (signal) => {
    const { stream } = await http.exec({
      query: nativeInsert(table, options.input),
      values: Readable.from(bytes instanceof Uint8Array ? [bytes] : bytes, { objectMode: false }),
      query_id: facts.queryId,
      abort_signal: signal,
      clickhouse_settings: insertSettings(options),
      ...(options.input ? { query_params: { ...options.input.condition.params } } : {}),
    });
    // The connection is free for the next request when the (empty) answer has been read.
    await text(stream);
  });
}

/** Kills the queries of a prefix until none is seen any more. Returns how many there were at most. */
async function killUntilGone(
  {
    running,
    kill,
  }: { readonly running: () => Promise<readonly string[]>; readonly kill: () => Promise<unknown> },
  prefix: string,
  { route, signal }: QueryOptions,
): Promise<number> {
  if (prefix === '')
    throw new StoreError(
      { code: 0, type: 'CLIENT', message: 'an empty prefix would kill every query' },
      { route, queryId: '' },
    );
  let seen = 0;
  let empty = 0;
  const areEnded = async () => {
    const found = await running();
    seen = Math.max(seen, found.length);
    empty = found.length === 0 ? empty + 1 : 0;
    if (found.length > 0) await kill();
    return empty >= EMPTY_POLLS;
  };
  await poll(areEnded, { everyMs: POLL_INTERVAL_MS, signal });
  return seen;
}

/** Creates the client; nothing is sent yet. */
export function createStoreClient(options: StoreClientOptions): StoreClient {
  const http = connect(options);
  const disk = options.directory && HAS_DISK_FLUSH ? new StoreFlush(options.directory) : null;
  const reader = {
    http: new HttpReader(options),
    isConfined: options.isConfined ?? false,
    onQuery: options.onQuery,
  };
  const smallInTurn = pLimit(options.smallAtOnce ?? Number.POSITIVE_INFINITY);
  const receive = (request: ReadRequest) => reader.http.read(request);
  const read = (sql: string, query: QueryOptions): Promise<Buffer> => {
    const answer = () => ask(reader, sql, { ...withDefaults(query), receive });
    return query.inTurn ? smallInTurn(answer) : answer();
  };
  const queryRows = async <R extends readonly unknown[]>(
    sql: string,
    query: QueryOptions,
  ): Promise<Rows<R>> => {
    const body = await read(`${sql}\nFORMAT JSONCompact`, query);
    const answer = JSON.parse(body.toString()) as { meta: { name: string }[]; data: R[] };
    return { names: answer.meta.map((column) => column.name), rows: answer.data, bytes: body.length };
  };
  const queryObjects = async <T>(sql: string, query: QueryOptions): Promise<T[]> => {
    const { names, rows } = await queryRows(sql, query);
    return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])) as T);
  };
  const ofAll: Settings = {
    ...(options.cluster ? CLUSTER_SETTINGS : {}),
    ...(options.niceness ? { os_thread_priority: options.niceness } : {}),
  };
  const withDefaults = <T extends { readonly settings?: Settings }>(one: T): T => ({
    ...one,
    settings: { ...ofAll, ...one.settings },
  });
  const scope = { cluster: options.cluster ?? null };
  const processes = ofServers(scope, 'system.processes');
  const runningQueries: StoreClient['runningQueries'] = async (prefix, query) => {
    const { rows } = await queryRows<[string]>(
      // A shard's part of a query has an id of its own.
      `SELECT DISTINCT initial_query_id FROM ${processes} WHERE startsWith(initial_query_id, {prefix:String})`,
      { ...query, params: { prefix } },
    );
    return rows.map(([id]) => id);
  };
  const killAndWait: StoreClient['killAndWait'] = (prefix, query) => {
    const kill = () =>
      command(
        http,
        `KILL QUERY${onCluster(scope)} WHERE startsWith(initial_query_id, {prefix:String}) SYNC`,
        { ...query, params: { prefix } },
      );
    return killUntilGone({ running: () => runningQueries(prefix, query), kill }, prefix, query);
  };
  return {
    url: options.url,
    cluster: scope.cluster,
    directory: options.directory ?? null,
    queryRows,
    queryObjects,
    queryText: async (sql, query) => (await read(sql, query)).toString(),
    queryBytes: read,
    queryStream: (sql, query) => openStream(reader, sql, withDefaults(query)),
    command: (sql, query) => command(http, sql, withDefaults(query)).then(() => {}),
    insertSelect: (sql, query) => command(http, sql, withDefaults(query)),
    insertNative: (table, bytes, query) => {
      const insert = () => insertNative(http, table, bytes, withDefaults(query));
      return query.isLarge ? insert() : smallInTurn(insert);
    },
    killAndWait,
    runningQueries,
    flush: async () => disk?.flush(),
    ping: async () =>
      (await http.ping({ select: false, abort_signal: AbortSignal.timeout(PING_MS) })).success,
    close: async () => {
      reader.http.close();
      await http.close();
    },
  };
}
