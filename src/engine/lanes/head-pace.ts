/** A batch at the head usually takes up to so many times the briefest of late. */
const USUAL_FACTOR = 2;
/** Or so long, milliseconds, whatever the briefest was: batches vary. */
const USUAL_MS = 800;
/** Each further step makes it longer by this part: else steps that gathered would make more of them gather. */
const OF_FURTHER_STEP = 0.25;
/** Where it took longer, others use the store: the next one leaves them so many times what it took beyond that. */
const PAUSE_FACTOR = 3;
/** However long batches take, the next one begins after this. */
const LONGEST_PAUSE_MS = 1_500;
/** The briefest batch is forgotten by and by: doubled after some 350 batches. */
const FORGETTING = 1.002;

/** When the next batch at the head may begin: at once while the store is free, later where it is busy with others (decision 87). */
export class HeadPace {
  #briefestMs = Number.POSITIVE_INFINITY;
  #intervalMs = 0;

  /** From the beginning of the last batch to that of the next, milliseconds at least. */
  get intervalMs(): number {
    return this.#intervalMs;
  }

  /** A batch of so many masterchain steps was written in so many milliseconds. */
  wrote(ms: number, steps: number): void {
    this.#briefestMs = Math.min(ms, this.#briefestMs * FORGETTING);
    const usual =
      Math.max(USUAL_MS, this.#briefestMs * USUAL_FACTOR) * (1 + Math.max(0, steps - 1) * OF_FURTHER_STEP);
    const beyond = Math.max(0, ms - usual);
    this.#intervalMs = Math.min(LONGEST_PAUSE_MS, ms + beyond * PAUSE_FACTOR);
  }
}
