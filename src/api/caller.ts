/** Caller of an answer, and its deadline. */
export interface Caller {
  /** Aborted when the client left (reason: `ClientGoneError`) or the deadline passed (`DeadlineError`). */
  readonly signal: AbortSignal;
  /** The end of the time for the whole answer, in milliseconds of `performance.now()`. */
  readonly deadline: number;
  /** Names the client among others, for fair turns: its key, or its address. */
  readonly client: string;
  /** A web page of any origin (`--cors *`): it may read, and send no messages. */
  readonly readOnly: boolean;
}
