/** A value of a column or of the API's `details`. */
export type Value = string | number | bigint | boolean | null | readonly Value[] | Fields;
/** Object of values; a field that is undefined is left out. */
export interface Fields {
  readonly [name: string]: Value | undefined;
}

/** Columns of an action that depend on its type; the meaning per type is section 1 of v3-actions-rules. Absent = null. */
export interface Columns {
  readonly source?: string | null;
  readonly source_secondary?: string | null;
  readonly destination?: string | null;
  readonly destination_secondary?: string | null;
  readonly asset?: string | null;
  readonly asset_secondary?: string | null;
  readonly asset2?: string | null;
  readonly asset2_secondary?: string | null;
  readonly opcode?: number | null;
  readonly value?: bigint | null;
  readonly amount?: bigint | null;
  readonly value_extra_currencies?: Fields;
  /** Values that release 1.3 moved out of the columns above. */
  readonly extra?: Fields;
  /** Nested objects: `ton_transfer_data`, `jetton_swap_data` … */
  readonly [data: `${string}_data`]: Fields | undefined;
}

/** One action of a trace. Addresses are raw upper-case text, hashes base64. */
export interface Action {
  /** By which actions are stored and filtered. */
  readonly type: string;
  /** As the API answers it: `type`, but for messages with extra currencies. */
  readonly answeredType: string;
  readonly actionId: string;
  readonly traceId: string;
  /** The action that contains this one; null for top-level actions. */
  readonly parentActionId: string | null;
  /** Types of the actions above, outermost first: a client that supports one of them does not see this action. */
  readonly ancestorTypes: readonly string[];
  readonly success: boolean;
  readonly startLt: bigint;
  readonly endLt: bigint;
  readonly startUtime: number;
  readonly endUtime: number;
  /** Largest masterchain seqno among its transactions. */
  readonly mcSeqnoEnd: number;
  /** Without repetition; order means nothing. */
  readonly accounts: readonly string[];
  /** Without repetition; order means nothing. */
  readonly txHashes: readonly string[];
  readonly columns: Columns;
  /** The API's `details`; null for types without a layout, whose columns are answered as `raw_action`. */
  readonly details: Fields | null;
}

/** A rule that failed unexpectedly: our error, not the trace's. */
export interface Problem {
  readonly matcher: string;
  readonly traceId: string;
  readonly error: unknown;
}

/** Outcome of a classification. */
export interface Classified {
  readonly actions: readonly Action[];
  /** `failed`: only the basic actions were answered. */
  readonly state: 'ok' | 'failed';
  readonly problems: readonly Problem[];
}
