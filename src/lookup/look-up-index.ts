import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PositionRange } from '../engine/ranges/position-ranges.ts';
import type { StoreClient } from '../platform/clickhouse/client.ts';
import { takeDirectoryLock } from '../platform/files/directory-lock.ts';
import { pause } from '../platform/retry/poll.ts';
import type { Target } from '../tables/target.ts';
import type { FollowedTables } from './fill-statement.ts';
import { IndexThread } from './index-thread-client.ts';
import { deleteIndexFile } from './sqlite-index.ts';
import { VersionIndex } from './version-index.ts';

const LOCK = 'lock';
const SUFFIX = '.sqlite';
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

/** What the index follows. */
export interface FollowedStore {
  readonly client: StoreClient;
  /** Directory of the files, which exists. One process at a time uses it. */
  readonly directory: string;
  /** Identity of the log. */
  readonly chain: string;
  /** Tables of the projection as this release has them. */
  readonly targets: readonly Target[];
  /** Null while nothing is served. */
  readonly getServed: () => ServedSteps | null;
  readonly getTables: (database: string) => FollowedTables;
  /** Facts first, then the sentence. */
  readonly log: {
    info(facts: object, text: string): void;
    warn(facts: object, text: string): void;
  };
}

/** State of the index, for operators. */
export interface IndexFacts {
  /** Database that is followed; null while there is none. */
  readonly database: string | null;
  /** The range of complete steps with the newest one; null if there is none. */
  readonly steps: PositionRange | null;
  /** Size of all files. */
  readonly bytes: number;
}

/**
 * Rows by key in files of this process, filled from the confirmed steps of the served version
 * (docs/decisions/0113-look-up-index.md). Answers ask it first. What it does not know is read by statements.
 */
export class LookUpIndex {
  readonly #store: FollowedStore;
  readonly #thread: IndexThread;
  readonly #lock: { release(): void };
  readonly #stop = new AbortController();
  #current: VersionIndex | null = null;
  #wake = Promise.withResolvers<void>();
  #running: Promise<void> = Promise.resolve();

  private constructor(store: FollowedStore, thread: IndexThread, lock: { release(): void }) {
    this.#store = store;
    this.#thread = thread;
    this.#lock = lock;
  }

  /** Starts to follow the store. Null if another process uses the directory. */
  static async start(store: FollowedStore): Promise<LookUpIndex | null> {
    const lock = takeDirectoryLock(store.directory, LOCK);
    if (!lock) return null;
    try {
      const index = new LookUpIndex(store, await IndexThread.start(), lock);
      index.#running = index.#follow();
      return index;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** The rows of a version; null if it is not followed. */
  open(database: string): VersionIndex | null {
    const index = this.#current;
    return index?.database === database && !index.isBroken ? index : null;
  }

  /** Steps have become visible. */
  wake(): void {
    this.#wake.resolve();
  }

  get facts(): IndexFacts {
    const { directory } = this.#store;
    const bytes = readdirSync(directory)
      .map((name) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size, 0);
    return { database: this.#current?.database ?? null, steps: this.#current?.covered.at(-1) ?? null, bytes };
  }

  /** Resolves when a batch under way is written. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.wake();
    await this.#running;
    await this.#thread.end();
    this.#lock.release();
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
        this.#store.log.warn({ error }, 'the look-up index could not be filled; answers use statements');
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

  /** Reads one chunk. Returns true if nothing is left to read. */
  async #fill(): Promise<boolean> {
    const served = this.#store.getServed();
    if (!served) return true;
    if (this.#current?.database !== served.database) await this.#switchTo(served.database);
    return this.#current!.fill(served.visible);
  }

  async #switchTo(database: string): Promise<void> {
    await this.#drop();
    await this.#deleteDropped();
    const { client, chain, targets, getTables } = this.#store;
    const path = this.#path(database);
    const { signal } = this.#stop;
    const version = { client, database, targets, chain, tables: getTables(database), path, signal };
    this.#current = await VersionIndex.open(version, this.#thread);
    this.#store.log.info({ database, covered: this.#current.covered }, 'filling the look-up index');
  }

  /** Stops following. A file that could not be read is deleted. */
  async #drop(): Promise<void> {
    const index = this.#current;
    if (!index) return;
    const { isBroken } = index;
    this.#current = null;
    await index.close();
    if (isBroken) deleteIndexFile(this.#path(index.database));
  }

  /** Deletes the files of databases that do not exist any more. */
  async #deleteDropped(): Promise<void> {
    const { client, directory } = this.#store;
    const files = readdirSync(directory).filter((name) => name.endsWith(SUFFIX));
    const { rows } = await client.queryRows<[string]>('SELECT name FROM system.databases', {
      route: 'lookup/databases',
    });
    const databases = new Set(rows.map(([name]) => name));
    for (const file of files)
      if (!databases.has(file.slice(0, -SUFFIX.length))) deleteIndexFile(join(directory, file));
  }

  #path(database: string): string {
    return join(this.#store.directory, `${database}${SUFFIX}`);
  }
}
