/** A cell as offered by a source. */
export interface OfferedCell {
  /** Hash that was asked for, lower-case hex. */
  readonly hash: string;
  /** Bag of cells with this cell as its root. The receiver verifies its hash. */
  readonly boc: Uint8Array;
  /** Origin, for errors. */
  readonly origin: string;
}

/**
 * Cells of states that no block of the index shows, by hash: a folder of states, a node. Nothing is trusted without its
 * hash.
 */
export interface StateOutlet {
  /** The available cells among the requested ones (lower-case hex), in any order; a cell may be repeated. */
  cells(hashes: ReadonlySet<string>): AsyncIterable<OfferedCell>;
}
