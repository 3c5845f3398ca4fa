import { setImmediate } from 'node:timers/promises';

/** Lets other work of the thread run (leases, HTTP) when decoding has held it for a while. */
export class Turn {
  #since = performance.now();
  readonly #holdMs: number;

  constructor(holdMs = 8) {
    this.#holdMs = holdMs;
  }

  async yield(): Promise<void> {
    if (performance.now() - this.#since < this.#holdMs) return;
    await setImmediate();
    this.#since = performance.now();
  }
}
