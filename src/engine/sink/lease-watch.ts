import { RangeLostError } from './fence.ts';

/** Longest delay of a timer, ms. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The right to write, while work is under way. */
export interface LeaseWatch {
  /** Aborts with the caller's reason, or with a `RangeLostError` once the lease has lapsed. */
  readonly signal: AbortSignal;
  /** To be called right before something is sent: a process that was stopped comes here before its timers. */
  check(): void;
}

export interface WatchedLease {
  /** Names the batch in errors. */
  readonly range: string;
  /** Time left of the lease, ms, by a monotonic clock. A renewal extends it. */
  readonly left: () => number;
}

/** Runs work that may write while the lease is held; ends it when the lease lapses without having been renewed. */
export async function whileHeld<Result>(
  { range, left }: WatchedLease,
  signal: AbortSignal,
  work: (watch: LeaseWatch) => Promise<Result>,
): Promise<Result> {
  const lapsed = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    if (left() <= 0) lapsed.abort(new RangeLostError(range, 'the lease has lapsed'));
    lapsed.signal.throwIfAborted();
  };
  const checkLease = () => {
    const ms = left();
    if (ms <= 0) lapsed.abort(new RangeLostError(range, 'the lease has lapsed'));
    else if (ms < Number.POSITIVE_INFINITY)
      timer = setTimeout(checkLease, Math.min(Math.ceil(ms), MAX_DELAY_MS));
  };
  checkLease();
  try {
    return await work({ signal: AbortSignal.any([signal, lapsed.signal]), check });
  } catch (error) {
    // Work under a signal reports an abort without its reason.
    if (lapsed.signal.aborted && !signal.aborted) throw lapsed.signal.reason;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
