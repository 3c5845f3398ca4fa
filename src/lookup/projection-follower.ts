import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PositionRange } from '../engine/ranges/position-ranges.ts';
import type { StoreClient } from '../platform/clickhouse/client.ts';
import { pause } from '../platform/retry/poll.ts';
import type { Target } from '../tables/target.ts';
import { EAGER, type FillPace, onDemand } from './fill-pace.ts';
import type { FollowedTables } from './fill-statement.ts';
import type { IndexThread } from './index-thread-client.ts';
import { IndexUse } from './index-use.ts';
import { deleteIndexFile, getIndexPath, INDEX_SUFFIX } from './sqlite-index.ts';
import { VersionIndex } from './version-index.ts';

/** Without a wake, what is visible is compared in this interval, milliseconds. */
const IDLE_MS = 1_000;
/** Pause after new steps were read, milliseconds; it is also a multiple of the time that reading took. */
const MIN_REST_MS = 20;
const REST_FACTOR = 2;
/** Pause after a failure, milliseconds. Each further one is twice as long, up to the highest. */
const FAILURE_MS = 2_000;
const MAX_FAILURE_MS = 120_000;

/** The version that is served, and what of it is visible. */
export interface ServedSteps {
  readonly database: string;
  readonly visible: PositionRange;
}

/** A projection whose served version is followed. */
export interface FollowedProjection {
  readonly name: string;
  /** Its tables as this release has them. */
  readonly targets: readonly Target[];
  /** Null while nothing is served. */
  readonly getServed: () => ServedSteps | null;
}

/** What the index follows. */
export interface FollowedStore {
  readonly client: StoreClient;
  /** Directory of the files, which exists. One process at a time uses it. */
  readonly directory: string;
  /** Identity of the log. */
  readonly chain: string;
  readonly projections: readonly FollowedProjection[];
  readonly getTables: (database: string) => FollowedTables;
  /** Steps are read when answers need them (`onDemand`), while the disk has room. Absent: at once. */
  readonly demand?: { readonly hasRoom: () => boolean };
  /** Called when a projection has another version or other steps. */
  readonly changed?: (projection: string) => void;
  /** Facts first, then the sentence. */
  readonly log: {
    info(facts: object, text: string): void;
    warn(facts: object, text: string): void;
  };
}

/** The rows of a projection by key: a file of its served version, which is filled until `close`. */
export class ProjectionFollower {
  readonly #store: FollowedStore;
  readonly #projection: FollowedProjection;
  readonly #thread: IndexThread;
  readonly #use = new IndexUse(() => this.wake());
  readonly #pace: FillPace;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #current: VersionIndex | null = null;
  #wake = Promise.withResolvers<void>();

  /** Starts at once. */
  constructor(store: FollowedStore, projection: FollowedProjection, thread: IndexThread) {
    this.#store = store;
    this.#projection = projection;
    this.#thread = thread;
    this.#pace = store.demand ? onDemand(this.#use, store.demand.hasRoom) : EAGER;
    this.#running = this.#follow();
  }

  get name(): string {
    return this.#projection.name;
  }

  /** The version that is followed; null while there is none. */
  get current(): VersionIndex | null {
    return this.#current;
  }

  /** The version for an answer; null if there is none that may be read. */
  open(database: string): VersionIndex | null {
    const current = this.#current;
    if (current?.database !== database || current.isBroken) return null;
    if (this.#pace.isFresh(current)) return current;
    this.#use.lacked();
    return null;
  }

  /** Adds what answers of another process lacked. */
  addLacks(lacks: number): void {
    this.#use.add(lacks);
  }

  /** Steps have become visible. */
  wake(): void {
    this.#wake.resolve();
  }

  /** Resolves when a batch under way is written. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.wake();
    await this.#running;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stop;
    let pauseMs = FAILURE_MS;
    while (!signal.aborted) {
      const begun = performance.now();
      this.#wake = Promise.withResolvers<void>();
      try {
        const isDone = await this.#fill();
        pauseMs = FAILURE_MS;
        if (isDone) await this.#rest(performance.now() - begun);
      } catch (error) {
        if (signal.aborted) break;
        const text = `the look-up index of ${this.name} could not be filled; answers use statements`;
        this.#store.log.warn({ error }, text);
        await this.#drop().catch(() => {});
        await pause(pauseMs, signal);
        pauseMs = Math.min(MAX_FAILURE_MS, 2 * pauseMs);
      }
    }
    await this.#drop().catch(() => {});
  }

  /** Waits for new steps, and so long after the last ones that filling leaves time for answers. */
  async #rest(workedMs: number): Promise<void> {
    const { signal } = this.#stop;
    await pause(Math.max(MIN_REST_MS, workedMs * REST_FACTOR), signal);
    await Promise.race([this.#wake.promise, pause(IDLE_MS, signal)]);
  }

  /** Reads one chunk if it is time. Returns true if nothing is left to do now. */
  async #fill(): Promise<boolean> {
    const served = this.#projection.getServed();
    if (!served) return true;
    if (this.#current?.database !== served.database) await this.#switchTo(served.database);
    const { visible } = served;
    const current = this.#current!;
    if (current.isBroken) throw current.failure;
    const next = this.#pace.next(current, visible);
    if (next === 'nothing') return true;
    const before = current.spent;
    this.#use.forgetReads();
    try {
      if (next === 'fill') return await current.fill(visible);
      await current.look(visible);
      return true;
    } finally {
      this.#use.pay(current.spent - before);
    }
  }

  async #switchTo(database: string): Promise<void> {
    await this.#drop();
    await this.#deleteDropped();
    const { client, chain, getTables } = this.#store;
    const { targets } = this.#projection;
    const path = this.#path(database);
    const { signal } = this.#stop;
    const version = { client, database, targets, chain, tables: getTables(database), path, signal };
    const parts = { version, thread: this.#thread, changed: () => this.#changed(), use: this.#use };
    this.#current = await VersionIndex.open(parts);
    this.#changed();
    this.#store.log.info(
      { database, covered: this.#current.covered },
      'following the served version in the look-up index',
    );
  }

  /** Stops following. A file that could not be read is deleted. */
  async #drop(): Promise<void> {
    const index = this.#current;
    if (!index) return;
    const { isBroken } = index;
    this.#current = null;
    this.#changed();
    await index.close();
    if (isBroken) deleteIndexFile(this.#path(index.database));
  }

  #changed(): void {
    this.#store.changed?.(this.name);
  }

  /** Deletes the files of databases that do not exist any more. */
  async #deleteDropped(): Promise<void> {
    const { client, directory } = this.#store;
    const files = readdirSync(directory).filter((name) => name.endsWith(INDEX_SUFFIX));
    const { rows } = await client.queryRows<[string]>('SELECT name FROM system.databases', {
      route: 'lookup/databases',
    });
    const databases = new Set(rows.map(([name]) => name));
    for (const file of files)
      if (!databases.has(file.slice(0, -INDEX_SUFFIX.length))) deleteIndexFile(join(directory, file));
  }

  #path(database: string): string {
    return getIndexPath(this.#store.directory, database);
  }
}
