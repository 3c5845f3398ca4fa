import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PositionRange } from '../engine/ranges/position-ranges.ts';
import { takeDirectoryLock } from '../platform/files/directory-lock.ts';
import { IndexThread } from './index-thread-client.ts';
import { type FollowedStore, ProjectionFollower } from './projection-follower.ts';
import type { VersionIndex } from './version-index.ts';

const LOCK = 'lock';

/** State of the index, for operators. */
export interface IndexFacts {
  /** Size of all files. */
  readonly bytes: number;
  readonly projections: readonly {
    readonly projection: string;
    /** Database that is followed; null while there is none. */
    readonly database: string | null;
    /** The range of complete steps with the newest one; null if there is none. */
    readonly steps: PositionRange | null;
  }[];
}

/** Bytes of the files of a folder. */
export function sizeOfFiles(directory: string): number {
  return readdirSync(directory)
    .map((name) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}

/**
 * Rows by key in files of this process, filled from the confirmed steps of the served versions
 * (docs/decisions/0113-look-up-index.md). Answers ask it first. What it does not know is read by statements.
 */
export class LookUpIndex {
  /** True if steps are read when answers need them. */
  readonly isOnDemand: boolean;
  readonly #directory: string;
  readonly #thread: IndexThread;
  readonly #lock: { release(): void };
  readonly #followers: readonly ProjectionFollower[];

  private constructor(store: FollowedStore, thread: IndexThread, lock: { release(): void }) {
    this.isOnDemand = store.demand !== undefined;
    this.#directory = store.directory;
    this.#thread = thread;
    this.#lock = lock;
    this.#followers = store.projections.map(
      (projection) => new ProjectionFollower(store, projection, thread),
    );
  }

  /** Starts to follow the store. Null if another process uses the directory. */
  static async start(store: FollowedStore): Promise<LookUpIndex | null> {
    const lock = takeDirectoryLock(store.directory, LOCK);
    if (!lock) return null;
    try {
      return new LookUpIndex(store, await IndexThread.start(), lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** The rows of a version; null if it is not followed. */
  open(database: string): VersionIndex | null {
    for (const follower of this.#followers) {
      const version = follower.open(database);
      if (version) return version;
    }
    return null;
  }

  /** The version of a projection that is followed and can be read; null if there is none. */
  find(projection: string): VersionIndex | null {
    const current = this.#find(projection)?.current;
    return current && !current.isBroken ? current : null;
  }

  /** Steps of a projection have become visible. */
  wake(projection: string): void {
    this.#find(projection)?.wake();
  }

  /** Answers of another process lacked steps of a projection, or read it. */
  addLacks(projection: string, lacks: number): void {
    this.#find(projection)?.addLacks(lacks);
  }

  get facts(): IndexFacts {
    const bytes = sizeOfFiles(this.#directory);
    const projections = this.#followers.map(({ name: projection, current }) => ({
      projection,
      database: current?.database ?? null,
      steps: current?.covered.at(-1) ?? null,
    }));
    return { bytes, projections };
  }

  /** Resolves when batches under way are written. */
  async close(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.close()));
    await this.#thread.end();
    this.#lock.release();
  }

  #find(projection: string): ProjectionFollower | undefined {
    return this.#followers.find(({ name }) => name === projection);
  }
}
