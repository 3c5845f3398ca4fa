import type { PositionRange } from '../engine/ranges/position-ranges.ts';
import type { IndexUse } from './index-use.ts';
import type { IndexedRow, IndexReader, KeyBounds } from './store-port.ts';

/** What is known of the rows of a version. */
export interface Coverage {
  /** Steps whose rows are complete. */
  readonly covered: readonly PositionRange[];
  /** The lowest confirmed step; -1: not known. */
  readonly lowest: number;
}

/** What an indexed version is made of. */
export interface IndexedParts {
  readonly database: string;
  /** Names of its look-ups. */
  readonly lookUps: readonly string[];
  readonly reader: IndexReader;
  readonly coverage: Coverage;
  readonly use: IndexUse;
}

/** Rows of a version by key, as answers read them. A failed read ends it: `isBroken`. */
export class IndexedVersion {
  readonly database: string;
  readonly #use: IndexUse;
  readonly #lookUps: ReadonlySet<string>;
  readonly #reader: IndexReader;
  #coverage: Coverage;
  #failure: unknown = null;

  constructor({ database, lookUps, reader, coverage, use }: IndexedParts) {
    this.database = database;
    this.#use = use;
    this.#lookUps = new Set(lookUps);
    this.#reader = reader;
    this.#coverage = coverage;
  }

  /** Steps whose rows are complete. */
  get covered(): readonly PositionRange[] {
    return this.#coverage.covered;
  }

  get coverage(): Coverage {
    return this.#coverage;
  }

  set coverage(coverage: Coverage) {
    this.#coverage = coverage;
  }

  /** Names of its look-ups. */
  get lookUps(): readonly string[] {
    return [...this.#lookUps];
  }

  /** True if reading has failed: nothing is answered any more. */
  get isBroken(): boolean {
    return this.#failure !== null;
  }

  /** What ended it; null if nothing did. */
  get failure(): unknown {
    return this.#failure;
  }

  /** True if the version has the keys of a look-up. */
  has(lookUp: string): boolean {
    return this.#lookUps.has(lookUp);
  }

  /** True if all rows of these steps are there. If not, the answer needs a statement, which is counted. */
  covers({ first, last }: PositionRange): boolean {
    if (this.isBroken || first > last) return false;
    const isCovered = this.covered.some((range) => range.first <= first && range.last >= last);
    if (!isCovered) this.#use.lacked();
    return isCovered;
  }

  /** The lowest step from which on all rows are there up to a step; null if they are not there at that step. */
  coveredFrom(last: number): number | null {
    if (this.isBroken) return null;
    return this.covered.find((range) => range.first <= last && range.last >= last)?.first ?? null;
  }

  /** True if no step below is confirmed. */
  isLowest(step: number): boolean {
    return step === this.#coverage.lowest;
  }

  get(lookUp: string, key: Uint8Array): IndexedRow | null {
    return this.#read((reader) => reader.get(lookUp, key)) ?? null;
  }

  range(lookUp: string, bounds: KeyBounds, limit: number): readonly IndexedRow[] {
    return this.#read((reader) => reader.range(lookUp, bounds, limit)) ?? [];
  }

  /** Ends reading. */
  end(): void {
    this.#failure ??= new Error('the look-up index of this version is closed');
    this.#reader.close();
  }

  #read<T>(read: (reader: IndexReader) => T): T | null {
    if (this.isBroken) return null;
    this.#use.read();
    try {
      return read(this.#reader);
    } catch (error) {
      this.#failure = error;
      return null;
    }
  }
}
