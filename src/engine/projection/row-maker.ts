import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { RowParts, RowSet } from './row-set.ts';

/** Facts of other projections that rows are made with. */
export interface NeededStore {
  /**
   * Database of the served version of a needed projection, once all its partitions have confirmed the position there; rejects when
   * the work is to end. Facts are to be read from it: a version that is served a moment later may not have the position yet.
   */
  databaseWith(projection: string, position: number): Promise<string>;
  /**
   * State of a consulted projection (`TableProjection.consults`), once it has confirmed a position or makes no progress.
   * `position` null: at once. Returns null if the projection was never started.
   */
  consult(projection: string, position: number | null): Promise<ConsultedStore | null>;
}

/** The served version of a consulted projection. */
export interface ConsultedStore {
  readonly database: string;
  /** End of the confirmed steps from the first one; -1 for none. */
  readonly last: number;
}

/** Start of a row maker. */
export interface RowStart {
  readonly client: StoreClient;
  /** Database of the version that is written. */
  readonly database: string;
  /** Partition of a projection in chain order; 0 of 1 otherwise. */
  readonly partition: number;
  readonly partitions: number;
  /** Position of the first step: everything of the partition below it is in the database. */
  readonly next: number;
  /** Present where rows are made, not only laid out. */
  readonly identity?: LogIdentity;
  /** Present if the projection needs others (`TableProjection.needs`) and rows are produced, not only laid out. */
  readonly needed?: NeededStore;
}

/**
 * Turns decoded records into the rows of one lane or partition. For a projection in chain order it carries state: calls
 * come in the order of the chain.
 */
export interface RowMaker {
  /** Rows without content; what is appended to any of them goes through the maker's state. */
  createRowSet(): RowSet;
  /** Loads the state that appending these records needs; comes before their `append`. */
  prepare(parts: readonly RowParts[]): Promise<void>;
  /** Everything up to the position is in the database: state that is not newer can be loaded again. */
  confirmed(position: number): void;
}

/** A maker that carries no state. */
export function statelessRows(createRowSet: () => RowSet): RowMaker {
  return { createRowSet, prepare: async () => {}, confirmed: () => {} };
}
