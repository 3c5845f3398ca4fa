import type { LiteAddress, RequestOptions } from '../../liteapi/lite-connection.ts';
import type { FunctionName, TlAnswer, TlParameters } from '../../liteapi/schema/values.ts';
import type { Log } from '../../platform/observability/log.ts';
import { pause } from '../../platform/retry/poll.ts';
import type { BlockIdExt } from '../block-id.ts';
import { LiteServer } from './lite-server.ts';
import { RefusedDataError } from './server-errors.ts';
import { type Delivered, ServerRequest } from './server-request.ts';

export interface PoolOptions {
  readonly servers: readonly LiteAddress[];
  readonly zerostate: BlockIdExt;
  readonly log: Log;
  /** Requests under way at one server. Default 16. */
  readonly maxInFlight?: number;
  /** Longest wait for an answer. Default 5 s. */
  readonly timeoutMs?: number;
}

export interface AskOptions<F extends FunctionName, T> extends Partial<RequestOptions> {
  readonly signal: AbortSignal;
  /** Name of the wanted data, for logs and errors. */
  readonly what: string;
  /** Checks an answer and returns what is wanted of it. What it throws is held against the server. */
  readonly check: (answer: TlAnswer<F>, server: LiteServer) => T | Promise<T>;
  /** Rounds over all servers until the call fails. Default: no limit. */
  readonly rounds?: number;
}

const MAX_IN_FLIGHT = 16;
const TIMEOUT_MS = 5_000;
/** One request of so many goes to another server than the best: a bad one may have recovered. */
const EXPLORE = 24;
const POLL_MS = 2_000;
const LOG_EVERY_MS = 10_000;

/** Lite servers of one network. Each request goes to a server that is likely to deliver soon, and then to others. */
export class ServerPool {
  readonly servers: readonly LiteServer[];
  private readonly log: Log;
  private readonly stop = new AbortController();
  private readonly running: Promise<unknown>;
  private freed = Promise.withResolvers<void>();
  private readonly loggedAt = new Map<string, number>();

  /** Connects to all servers at once. */
  constructor({ servers, zerostate, log, maxInFlight = MAX_IN_FLIGHT, timeoutMs = TIMEOUT_MS }: PoolOptions) {
    this.log = log;
    const onFree = () => this.noteFree();
    const onProblem = (server: LiteServer, error: Error) => this.report(server, error);
    const options = { zerostate, maxInFlight, timeoutMs, onFree, onProblem };
    this.servers = servers.map((address) => new LiteServer(address, options));
    const { signal } = this.stop;
    this.running = Promise.all(
      this.servers.flatMap((server) => [server.run(signal), this.poll(server, signal)]),
    );
  }

  async close(): Promise<void> {
    this.stop.abort();
    this.noteFree();
    await this.running;
  }

  /** The highest seqno that a server announced; null before the first answer. */
  get announced(): number | null {
    const seqnos = this.servers.flatMap(({ announced, state }) =>
      state === 'ready' ? (announced ?? []) : [],
    );
    return seqnos.length === 0 ? null : Math.max(...seqnos);
  }

  /** Unix seconds by the median clock of the ready servers; null if there is none. */
  networkTime(): number | null {
    const times = this.servers.flatMap((server) => (server.state === 'ready' ? (server.time() ?? []) : []));
    return times.sort((a, b) => a - b)[times.length >> 1] ?? null;
  }

  /** Resolves when a server becomes free. */
  get change(): Promise<void> {
    return this.freed.promise;
  }

  /**
   * Asks servers until one delivers what passes the check.
   * @throws the reason of `signal`; NoServerError after the last round
   */
  ask<F extends FunctionName, T>(
    name: F,
    parameters: TlParameters<F>,
    options: AskOptions<F, T>,
  ): Promise<Delivered<T>> {
    const { what, signal, rounds = Number.POSITIVE_INFINITY } = options;
    const attempt = (server: LiteServer) => this.attempt(server, name, parameters, options);
    return new ServerRequest<T>(this, { what, signal, rounds, attempt }).deliver();
  }

  /** Holds data against a server that delivered it: a later check failed. */
  blame(server: LiteServer, what: string, cause: unknown): void {
    const error = new RefusedDataError(server.name, what, { cause });
    server.failed(error);
    this.report(server, error);
  }

  /** The ready servers, the best first. */
  best(): LiteServer[] {
    const now = performance.now();
    const cost = new Map(this.servers.map((one) => [one, one.health.cost(one.inFlight, now)]));
    return this.servers
      .filter(({ state }) => state === 'ready')
      .sort((a, b) => (cost.get(a) as number) - (cost.get(b) as number));
  }

  /** A free server that is not in `tried`, mostly the best; null if there is none. */
  pick(tried: ReadonlySet<LiteServer>): LiteServer | null {
    const free = this.best().filter((server) => server.isFree && !tried.has(server));
    const isExploring = free.length > 1 && Math.random() * EXPLORE < 1;
    return (isExploring ? free[1 + Math.floor(Math.random() * (free.length - 1))] : free[0]) ?? null;
  }

  /** True if a ready server is not in `tried`: it is only busy. */
  hasUntried(tried: ReadonlySet<LiteServer>): boolean {
    return this.servers.some((server) => server.state === 'ready' && !tried.has(server));
  }

  /** Logs a failure of a server; the same kind of failure at most once in ten seconds. */
  report(server: LiteServer, error: Error): void {
    if (this.isLogDue(`${server.name} ${error.name}`)) this.log.warn({ server: server.name }, error.message);
  }

  /** Logs a problem of no single server, at most once in ten seconds. */
  warn(text: string, cause: Error | undefined): void {
    if (this.isLogDue('')) this.log.warn(cause ? { cause: cause.message } : {}, text);
  }

  private isLogDue(key: string): boolean {
    const now = performance.now();
    if (now - (this.loggedAt.get(key) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return false;
    this.loggedAt.set(key, now);
    return true;
  }

  private async attempt<F extends FunctionName, T>(
    server: LiteServer,
    name: F,
    parameters: TlParameters<F>,
    { check, what, timeoutMs, wait }: AskOptions<F, T>,
  ): Promise<T> {
    const began = performance.now();
    try {
      const limits = { ...(timeoutMs === undefined ? {} : { timeoutMs }), ...(wait ? { wait } : {}) };
      const answer = await server.request(name, parameters, limits);
      const value = await checked(server, what, () => check(answer, server));
      server.delivered(performance.now() - began);
      return value;
    } catch (error) {
      const kind = server.failed(error as Error);
      if (kind === 'data') this.report(server, error as Error);
      throw error;
    }
  }

  private noteFree(): void {
    this.freed.resolve();
    this.freed = Promise.withResolvers<void>();
  }

  /** Keeps the announced head and the clock of a server fresh: status shows them, catch-up begins with them. */
  private async poll(server: LiteServer, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(POLL_MS, signal);
      if (signal.aborted || server.state !== 'ready') continue;
      await server.poll().catch((error: Error) => {
        server.failed(error);
      });
    }
  }
}

async function checked<T>(server: LiteServer, what: string, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (cause) {
    throw new RefusedDataError(server.name, what, { cause });
  }
}
