import type { LiteServer } from './lite-server.ts';
import { NoServerError } from './server-errors.ts';

/** A delivered value and the server that delivered it. */
export interface Delivered<T> {
  readonly value: T;
  readonly server: LiteServer;
}

/** The servers that a request may use. */
export interface RequestServers {
  /** A free server that is not in `tried`, the best first; null if there is none. */
  pick(tried: ReadonlySet<LiteServer>): LiteServer | null;
  /** True if a ready server is not in `tried`: it is only busy. */
  hasUntried(tried: ReadonlySet<LiteServer>): boolean;
  /** Resolves when a server becomes free. */
  readonly change: Promise<void>;
  /** Logs a problem of no single server. */
  warn(text: string, cause: Error | undefined): void;
}

export interface RequestTask<T> {
  /** Name of the wanted data, for logs and errors. */
  readonly what: string;
  readonly signal: AbortSignal;
  /** Rounds over all servers until the request fails. */
  readonly rounds: number;
  readonly attempt: (server: LiteServer) => Promise<T>;
}

type Outcome<T> =
  | { readonly kind: 'delivered'; readonly delivered: Delivered<T> }
  | { readonly kind: 'failed'; readonly server: LiteServer; readonly error: Error }
  | { readonly kind: 'time' };

/** A server that needs longer than this gets a competitor; a slow network four times its usual time. */
const FIRST_HEDGE_MS = 300;
const MAX_HEDGE_MS = 1_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 1_000;

/**
 * One request to several servers. A failure is followed by another server at once, and a slow server gets a competitor.
 * After all servers have failed there is a pause of 100 ms, rising to 1 s. A server that has not answered yet is not
 * asked twice, and delays no round.
 */
export class ServerRequest<T> {
  private readonly servers: RequestServers;
  private readonly task: RequestTask<T>;
  private readonly running = new Map<LiteServer, Promise<Outcome<T>>>();
  private tried = new Set<LiteServer>();
  private pauseMs = FIRST_PAUSE_MS;
  private round = 1;
  private cause: Error | undefined;

  constructor(servers: RequestServers, task: RequestTask<T>) {
    this.servers = servers;
    this.task = task;
  }

  /** @throws NoServerError after the last round; the reason of the signal */
  async deliver(): Promise<Delivered<T>> {
    for (;;) {
      this.task.signal.throwIfAborted();
      const server = this.servers.pick(this.tried);
      if (server) this.start(server);
      const isRoundOver =
        !server && this.tried.size > this.running.size && !this.servers.hasUntried(this.tried);
      const outcome = isRoundOver ? await this.pause() : await this.next(server);
      if (outcome.kind === 'delivered') return outcome.delivered;
      if (outcome.kind === 'time' && server) server.health.late(performance.now());
      if (outcome.kind !== 'failed') continue;
      this.running.delete(outcome.server);
      this.cause = outcome.error;
    }
  }

  private start(server: LiteServer): void {
    this.tried.add(server);
    const outcome = this.task.attempt(server).then(
      (value): Outcome<T> => ({ kind: 'delivered', delivered: { value, server } }),
      (error: Error): Outcome<T> => ({ kind: 'failed', server, error }),
    );
    this.running.set(server, outcome);
  }

  /** Between two rounds. Only an answer that is still awaited ends the pause. */
  private async pause(): Promise<Outcome<T>> {
    const { what, rounds } = this.task;
    if (this.round++ >= rounds) throw new NoServerError(what, { cause: this.cause });
    if (this.pauseMs === MAX_PAUSE_MS) this.servers.warn(`no server delivers ${what}`, this.cause);
    const outcome = await this.waitFor([...this.running.values()], this.pauseMs);
    this.pauseMs = Math.min(2 * this.pauseMs, MAX_PAUSE_MS);
    this.tried = new Set(this.running.keys());
    return outcome;
  }

  /** The next event: an outcome, the time for a competitor, or, if nothing runs, a server that becomes free. */
  private next(newest: LiteServer | null): Promise<Outcome<T>> {
    const usual = newest ? 4 * newest.health.latencyMs : MAX_HEDGE_MS;
    const limitMs = Math.min(MAX_HEDGE_MS, Math.max(FIRST_HEDGE_MS, usual));
    if (this.running.size > 0) return this.waitFor([...this.running.values()], limitMs);
    return this.waitFor([this.servers.change.then(() => ({ kind: 'time' }))], limitMs);
  }

  private waitFor(events: readonly Promise<Outcome<T>>[], limitMs: number): Promise<Outcome<T>> {
    const { signal } = this.task;
    return new Promise((resolve) => {
      const end = (outcome: Outcome<T>) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onTime);
        resolve(outcome);
      };
      const onTime = () => end({ kind: 'time' });
      const timer = setTimeout(onTime, limitMs);
      signal.addEventListener('abort', onTime);
      for (const event of events) void event.then(end);
    });
  }
}
