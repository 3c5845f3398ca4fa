/**
 * Work that takes some milliseconds at a time: one piece a turn of the event loop, so that those who ask for little are heard in
 * between.
 */
export class EventLoopQueue {
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;

  /** Calls `work` in a turn of its own, behind what waits. */
  take(work: () => void): void {
    this.#waiting.push(work);
    if (this.#isBusy) return;
    this.#isBusy = true;
    setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    const work = this.#waiting.shift();
    this.#isBusy = this.#waiting.length > 0;
    if (this.#isBusy) setImmediate(this.#turn);
    work?.();
  };
}
