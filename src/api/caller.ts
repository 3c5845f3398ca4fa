/** Caller of an answer, and its deadline. */
export interface Caller {
  /** Aborted when the client left (reason: `ClientGoneError`) or the deadline passed (`DeadlineError`). */
  readonly signal: AbortSignal;
  /** The end of the time for the whole answer, in milliseconds of `performance.now()`. */
  readonly deadline: number;
  /**
   * Stops the time of the answer until the result is called: the server itself is not ready. The deadline moves by the
   * length of the stop. Absent: the time cannot be stopped.
   */
  stopTime?(): () => void;
  /** Names the client among others, for fair turns: its key, or its address. */
  readonly client: string;
  /** A web page of any origin (`--cors *`): it may read, and send no messages. */
  readonly readOnly: boolean;
}
