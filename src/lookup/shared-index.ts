import type { Peers } from '../platform/processes/peers.ts';
import { isFresh } from './fill-pace.ts';
import { IndexUse } from './index-use.ts';
import { type Coverage, IndexedVersion } from './indexed-version.ts';
import { type IndexFacts, type LookUpIndex, sizeOfFiles } from './look-up-index.ts';
import { getIndexPath, openReader } from './sqlite-index.ts';

const TOPIC = 'look-up index';
const USE_TOPIC = 'look-up index use';
/** Use of an index is told so long after it began, milliseconds. */
const TELL_MS = 250;
/** There was no look: messages have no infinity. */
const NEVER_MS = Number.MAX_SAFE_INTEGER;

/** A projection in the index of another process. */
interface SharedVersion extends Coverage {
  readonly projection: string;
  /** Null: it has no version now. */
  readonly database: string | null;
  readonly lookUps: readonly string[];
  /** Milliseconds since the last look for steps that were confirmed again; null: answers need not care. */
  readonly lookedMs: number | null;
}

/** What answers of a process lacked since it last told. */
interface SharedUse {
  readonly projection: string;
  readonly lacks: number;
}

/** Tells the other processes of a group what the index of this one has, whenever `changed` is called. */
export class IndexSharing {
  readonly #peers: Peers;
  #index: LookUpIndex | null = null;

  constructor(peers: Peers) {
    this.#peers = peers;
  }

  /** Begins with an index. */
  share(index: LookUpIndex): void {
    this.#index = index;
    const joined = () => {
      for (const { projection } of index.facts.projections) this.changed(projection);
    };
    this.#peers.listen(TOPIC, { said() {}, joined, gone() {} });
    const said = (_from: number, message: unknown) => {
      const { projection, lacks } = message as SharedUse;
      index.addLacks(projection, lacks);
    };
    this.#peers.listen(USE_TOPIC, { said, joined() {}, gone() {} });
    joined();
  }

  /** A projection has another version or other steps. */
  changed(projection: string): void {
    if (!this.#index) return;
    const current = this.#index.find(projection);
    const shared: SharedVersion = {
      projection,
      database: current?.database ?? null,
      lookUps: current?.lookUps ?? [],
      lookedMs: this.#index.isOnDemand && current ? Math.min(current.lookedMs, NEVER_MS) : null,
      ...(current?.coverage ?? { covered: [], lowest: -1 }),
    };
    this.#peers.say(TOPIC, shared);
  }
}

/** A version in the index of another process. */
interface KnownVersion {
  /** The process that fills it. */
  readonly from: number;
  readonly version: IndexedVersion;
  readonly use: IndexUse;
  /** Time of the last look on the clock of `performance`; null: answers need not care. */
  lookedAt: number | null;
}

/**
 * The index of another process of the group, which fills it. This process reads the same files, and knows from messages
 * which steps they have. When the other process ends, nothing is known until another one fills the files.
 */
export class SharedIndex {
  readonly #directory: string;
  readonly #peers: Peers;
  /** By projection. */
  readonly #versions = new Map<string, KnownVersion>();
  #timer: NodeJS.Timeout | null = null;

  constructor(directory: string, peers: Peers) {
    this.#directory = directory;
    this.#peers = peers;
    peers.listen(TOPIC, {
      said: (from, message) => this.#take(from, message as SharedVersion),
      joined() {},
      gone: (from) => this.#forget(from),
    });
  }

  /** The rows of a version; null if they are not known. */
  open(database: string): IndexedVersion | null {
    for (const { version, use, lookedAt } of this.#versions.values()) {
      if (version.database !== database || version.isBroken) continue;
      if (lookedAt !== null) this.#tellSoon();
      if (lookedAt === null || isFresh({ lookedMs: performance.now() - lookedAt })) return version;
      use.lacked();
    }
    return null;
  }

  /** The other process follows by itself. */
  wake(): void {}

  get facts(): IndexFacts {
    const projections = [...this.#versions].map(([projection, { version }]) => ({
      projection,
      database: version.database,
      steps: version.covered.at(-1) ?? null,
    }));
    return { bytes: sizeOfFiles(this.#directory), projections };
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer ?? undefined);
    for (const projection of [...this.#versions.keys()]) this.#drop(projection);
  }

  /** Tells the other process how answers use its index. */
  #tellSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      for (const [projection, { use }] of this.#versions)
        if (use.isRead) this.#peers.say(USE_TOPIC, { projection, lacks: use.take() } satisfies SharedUse);
    }, TELL_MS).unref();
  }

  #take(from: number, { projection, database, lookUps, lookedMs, covered, lowest }: SharedVersion): void {
    const known = this.#versions.get(projection);
    const lookedAt = lookedMs === null ? null : performance.now() - lookedMs;
    if (known?.from === from && known.version.database === database && !known.version.isBroken) {
      known.version.coverage = { covered, lowest };
      known.lookedAt = lookedAt;
      return;
    }
    this.#drop(projection);
    if (database === null) return;
    try {
      const reader = openReader({ path: getIndexPath(this.#directory, database), lookUps });
      const use = new IndexUse();
      const version = new IndexedVersion({ database, lookUps, reader, coverage: { covered, lowest }, use });
      this.#versions.set(projection, { from, version, use, lookedAt });
    } catch {
      // The file is gone again: its next message says more.
    }
  }

  #forget(from: number): void {
    for (const [projection, known] of this.#versions) if (known.from === from) this.#drop(projection);
  }

  #drop(projection: string): void {
    this.#versions.get(projection)?.version.end();
    this.#versions.delete(projection);
  }
}
