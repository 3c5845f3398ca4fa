/** Input of a check: one slice of the visible range. */
export interface Slice {
  /** Inclusive masterchain seqnos. */
  readonly first: number;
  readonly last: number;
}

/** Facts of the index that decide what may be missing. */
export interface IndexFacts {
  /** `chain`: every step follows the one before; `isolated`: unrelated blocks, nothing follows. */
  readonly continuity: 'chain' | 'isolated';
  /** First masterchain step that has blocks. */
  readonly firstStep: number;
  /** First logical time of the index. */
  readonly startLt: bigint;
}

/**
 * A condition that must hold, as a query for its violations: a column `problem` with the facts of each. Parameters of
 * every query: `db` (Identifier), `first` and `last` (UInt32), `first_step` (UInt32), `start_lt` (UInt64), `gap` (Bool:
 * something below is not confirmed yet). Checks by account also have `from` and `to` (accounts, hex). Only confirmed
 * steps from `first` to `last` count: the rest may be in progress.
 */
export interface Check {
  readonly name: string;
  /** The statement that a clean check proves, in words. */
  readonly law: string;
  /**
   * `range`: run for each slice of visible masterchain seqnos; `all`: for each slice of those that hold anything;
   * `accounts`: for each slice of accounts, over all time.
   */
  readonly over: 'range' | 'all' | 'accounts';
  /** Meaningless where blocks are unrelated. */
  readonly needsChain?: boolean;
  /** Table that versions of older releases lack; then the check is left out. Default: every version has the tables. */
  readonly table?: string;
  /**
   * `{packed}` is the table with the packed rows of transactions; `{open}` and `{cold}` are conditions on steps, see
   * `VerifyOptions`.
   */
  readonly sql: string;
}

/** Masterchain seqnos a slice: keeps the memory of a check bounded. */
export const SLICE_STEPS = 20_000;

/** Parameters of a statement. */
export type CheckParams = Readonly<Record<string, unknown>>;
