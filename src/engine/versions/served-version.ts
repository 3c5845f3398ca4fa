import { setTimeout as sleep } from 'node:timers/promises';
import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { Shutdown } from '../../platform/observability/shutdown.ts';
import type { RunScope } from '../engine-parts.ts';
import type { TableProjection } from '../projection/projection.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import { readVisibleSpan } from '../watermark/visible-span.ts';
import { WatermarkReader } from '../watermark/watermark-reader.ts';
import { servedDatabase } from './prepare-store.ts';
import { ANNOUNCE_MS, readPointer } from './projection-pointer.ts';
import { databaseOf } from './version-names.ts';

/** How often the visible range is looked up: what another process confirmed is seen this much later. */
const VISIBLE_MS = 50;
/** How often the pointer to the served version is looked up: twice at least between a move and its moment. */
const POINTER_MS = ANNOUNCE_MS / 2;
/** How often it is looked then whether the new one does. */
const CATCHING_UP_MS = 5;
/** How long answers stay with the old version while the new one does not reach as far: nothing seen disappears. */
const CATCH_UP_MS = 30_000;
/** A store that is away makes one warning in this time, not one a look. */
const WARN_MS = 10_000;

/** What of one version may be answered from. */
interface VisibleReader {
  readonly current: PositionRange | null;
  /** Something was confirmed; absent where nobody waits for the newest. */
  nudge?(): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A projection whose served version is followed. */
export interface FollowedProjection {
  readonly client: StoreClient;
  readonly identity: LogIdentity;
  readonly projection: Pick<TableProjection, 'name'>;
}

/** What the follower runs in. */
export interface FollowScope extends Pick<RunScope, 'signal' | 'log'> {
  readonly shutdown: Pick<Shutdown, 'add'>;
}

/** A version, and from when on (`performance.now()`) it is served. */
interface Announced {
  readonly database: string;
  readonly at: number;
}

/** Follows which version of a projection is served and what of it is visible, until the session ends. */
export class ServedVersion {
  readonly #followed: FollowedProjection;
  readonly #session: FollowScope;
  #database = '';
  #visible: VisibleReader | null = null;
  /** Of the version that is announced, followed already. */
  #expected: { readonly database: string; readonly reader: VisibleReader } | null = null;
  #warnedAt = 0;

  constructor(followed: FollowedProjection, session: FollowScope) {
    this.#followed = followed;
    this.#session = session;
  }

  get database(): string {
    return this.#database;
  }

  get visible(): PositionRange | null {
    return this.#visible?.current ?? null;
  }

  /** Something was confirmed, in this process: what is visible is looked up at once. */
  nudge(): void {
    this.#visible?.nudge?.();
  }

  /** Resolves when the served version and its visible range are known. */
  async start(): Promise<void> {
    const { client, identity, projection } = this.#followed;
    await this.#switchTo(await servedDatabase(client, identity, projection));
    this.#session.shutdown.add('served version', async () => {
      await this.#visible?.stop();
      await this.#expected?.reader.stop();
    });
    void this.#follow();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#session;
    let announced: Announced | null = null;
    while (!signal.aborted) {
      const pauseMs: number = Math.min(POINTER_MS, (announced?.at ?? Infinity) - performance.now());
      await sleep(Math.max(1, pauseMs), undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        if (announced && performance.now() >= announced.at) {
          const { database } = announced;
          announced = null;
          await this.#switchTo(database);
        } else announced = await this.#look();
      } catch (error) {
        this.#warn(error);
      }
    }
  }

  /** Follows the pointer; answers the version that is announced, whose range is read ahead then. */
  async #look(): Promise<Announced | null> {
    const { client, identity, projection } = this.#followed;
    const { version, next } = await readPointer(client, identity.network, projection.name);
    const served = databaseOf(identity, projection, version ?? undefined);
    if (served !== this.#database) await this.#switchTo(served);
    if (!next) {
      await this.#expect(null);
      return null;
    }
    const database = databaseOf(identity, projection, next.version);
    await this.#expect(database);
    return { database, at: next.at };
  }

  /** Reads ahead what is visible of the version that is announced; null for none, and for the served one. */
  async #expect(database: string | null): Promise<VisibleReader | null> {
    const wanted = database === this.#database ? null : database;
    if (wanted === (this.#expected?.database ?? null)) return this.#expected?.reader ?? null;
    await this.#expected?.reader.stop();
    this.#expected = null;
    if (wanted === null) return null;
    const reader = this.#readerOf(wanted);
    await reader.start();
    this.#expected = { database: wanted, reader };
    return reader;
  }

  /** Readers see the old version with its range, or the new one with its own: never a mixture. */
  async #switchTo(database: string): Promise<void> {
    const next = await this.#expect(database);
    if (!next) return;
    this.#expected = null;
    const before = this.#visible;
    const deadline = performance.now() + CATCH_UP_MS;
    while (before && isBehind(next.current, before.current) && performance.now() < deadline) {
      if (this.#session.signal.aborted) break;
      await sleep(CATCHING_UP_MS);
    }
    this.#visible = next;
    this.#database = database;
    await before?.stop();
  }

  #readerOf(database: string): VisibleReader {
    const onError = (error: unknown) => this.#warn(error);
    const { client, identity } = this.#followed;
    return identity.facts.continuity === 'isolated'
      ? new SpanReader(client, database, onError)
      : new WatermarkReader({ client, database, pollMs: VISIBLE_MS, onError });
  }

  #warn(error: unknown): void {
    if (Date.now() - this.#warnedAt < WARN_MS) return;
    this.#warnedAt = Date.now();
    this.#session.log.warn(
      { error },
      'what is visible could not be read; answers stay at the last known head',
    );
  }
}

/** Whether less can be answered from the new version than from the old one. */
function isBehind(next: PositionRange | null, before: PositionRange | null): boolean {
  return before !== null && (next === null || next.last < before.last || next.first > before.first);
}

/** The visible span of unrelated blocks, looked up again and again. */
class SpanReader implements VisibleReader {
  readonly #look: () => Promise<PositionRange | null>;
  readonly #onError: (error: unknown) => void;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  current: PositionRange | null = null;

  constructor(client: StoreClient, database: string, onError: (error: unknown) => void) {
    this.#look = () => readVisibleSpan(client, database);
    this.#onError = onError;
  }

  async start(): Promise<void> {
    this.current = await this.#look();
    this.#running = this.#follow(this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(VISIBLE_MS * 5, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      this.current = await this.#look().catch((error: unknown) => {
        this.#onError(error);
        return this.current;
      });
    }
  }
}
