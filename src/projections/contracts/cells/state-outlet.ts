/** A cell as somebody claims to have it. */
export interface OfferedCell {
  /** Hash that was asked for, lower-case hex. */
  readonly hash: string;
  /** Bag of cells whose one root it is. Whether it is, says its hash: the taker looks. */
  readonly boc: Uint8Array;
  /** Where it is from, for errors. */
  readonly origin: string;
}

/**
 * Cells of states that no block of the index shows, by their hashes: a folder of states, a node. Nothing that it says is
 * taken on trust.
 */
export interface StateOutlet {
  /** Those of the cells (lower-case hex) that it has, in any order; a cell may come twice. */
  cells(hashes: ReadonlySet<string>): AsyncIterable<OfferedCell>;
}
