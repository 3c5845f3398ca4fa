import type { Peers } from '../platform/processes/peers.ts';
import { type Coverage, IndexedVersion } from './indexed-version.ts';
import { type IndexFacts, type LookUpIndex, sizeOfFiles } from './look-up-index.ts';
import { getIndexPath, openReader } from './sqlite-index.ts';

const TOPIC = 'look-up index';

/** A projection in the index of another process. */
interface SharedVersion extends Coverage {
  readonly projection: string;
  /** Null: it has no version now. */
  readonly database: string | null;
  readonly lookUps: readonly string[];
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
      ...(current?.coverage ?? { covered: [], lowest: -1 }),
    };
    this.#peers.say(TOPIC, shared);
  }
}

/**
 * The index of another process of the group, which fills it. This process reads the same files, and knows from messages
 * which steps they have. When the other process ends, nothing is known until another one fills the files.
 */
export class SharedIndex {
  readonly #directory: string;
  /** By projection. `from`: the process that fills it. */
  readonly #versions = new Map<string, { readonly from: number; readonly version: IndexedVersion }>();

  constructor(directory: string, peers: Peers) {
    this.#directory = directory;
    peers.listen(TOPIC, {
      said: (from, message) => this.#take(from, message as SharedVersion),
      joined() {},
      gone: (from) => this.#forget(from),
    });
  }

  /** The rows of a version; null if they are not known. */
  open(database: string): IndexedVersion | null {
    for (const { version } of this.#versions.values())
      if (version.database === database && !version.isBroken) return version;
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
    for (const projection of [...this.#versions.keys()]) this.#drop(projection);
  }

  #take(from: number, { projection, database, lookUps, covered, lowest }: SharedVersion): void {
    const known = this.#versions.get(projection);
    if (known?.from === from && known.version.database === database && !known.version.isBroken) {
      known.version.coverage = { covered, lowest };
      return;
    }
    this.#drop(projection);
    if (database === null) return;
    try {
      const reader = openReader({ path: getIndexPath(this.#directory, database), lookUps });
      const version = new IndexedVersion(database, lookUps, reader, { covered, lowest });
      this.#versions.set(projection, { from, version });
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
