import { untilSharedMoment } from '../../platform/retry/shared-moment.ts';
import { WAITED_SHARE, type WaitedShare } from './waited-share.ts';

/** A batch at the head usually takes up to so many times the briefest of late. */
const USUAL_FACTOR = 2;
/** Or so long, milliseconds, whatever the briefest was: batches vary. */
const USUAL_MS = 800;
/** Each further step makes it longer by this part: else steps that gathered would make more of them gather. */
const OF_FURTHER_STEP = 0.25;
/** After a slower batch others use the store: the next one waits for this multiple of the excess time. */
const PAUSE_FACTOR = 3;
/** However long batches take, the next one begins after this. */
const MAX_PAUSE_MS = 1_500;
/** The briefest batch is forgotten by and by: doubled after some 350 batches. */
const FORGETTING = 1.002;
/**
 * If this thread waits for a processor more than a share of its time, batches begin at multiples of these milliseconds:
 * two and four steps of most chains.
 */
const SHARED_MOMENTS = [
  { above: 0.25, everyMs: 1_600 },
  { above: 0.15, everyMs: 800 },
] as const;

/**
 * Decides when the next batch at the head begins: at once while store and processors are free, later while they are
 * busy (decision 87).
 */
export class HeadPace {
  #briefestMs = Number.POSITIVE_INFINITY;
  #intervalMs = 0;
  readonly #waited: Pick<WaitedShare, 'current'>;

  constructor(waited: Pick<WaitedShare, 'current'> = WAITED_SHARE) {
    this.#waited = waited;
  }

  /**
   * Start of the next batch if the last one began at `lastAt` (`performance.now()`). If steps gather, all lanes share the
   * moments: an answer that reads several lanes then waits only once.
   */
  nextAt(lastAt: number): number {
    const own = lastAt + this.#intervalMs;
    const waited = this.#waited.current;
    const shared = SHARED_MOMENTS.find(({ above }) => waited > above);
    return shared ? Math.max(own, lastAt + untilSharedMoment(shared.everyMs, lastAt)) : own;
  }

  /** A batch of so many masterchain steps was written in so many milliseconds. */
  wrote(ms: number, steps: number): void {
    this.#briefestMs = Math.min(ms, this.#briefestMs * FORGETTING);
    const usual =
      Math.max(USUAL_MS, this.#briefestMs * USUAL_FACTOR) * (1 + Math.max(0, steps - 1) * OF_FURTHER_STEP);
    const beyond = Math.max(0, ms - usual);
    this.#intervalMs = Math.min(MAX_PAUSE_MS, ms + beyond * PAUSE_FACTOR);
  }
}
