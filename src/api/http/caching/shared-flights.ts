import type { Caller } from '../../caller.ts';
import { whileWaiting } from '../caller.ts';
import { ClientGoneError } from '../errors/caller-errors.ts';

interface Flight {
  readonly body: Promise<Buffer>;
  readonly controller: AbortController;
  waiting: number;
}

/** Answers that are being made, by key: each goes on as long as one of its callers waits. */
export class SharedFlights {
  readonly #flights = new Map<string, Flight>();

  get count(): number {
    return this.#flights.size;
  }

  /** The answer to `key` that is being made already; null where none is. Rejects when the caller's wait is over. */
  join(key: string, caller: Caller): Promise<Buffer> | null {
    const flight = this.#flights.get(key);
    return flight ? this.#wait(key, flight, caller) : null;
  }

  /** Makes the answer to `key`; its deadline and its turn are those of the first caller. */
  start(key: string, first: Caller, make: (shared: Caller) => Promise<Buffer>): Promise<Buffer> {
    const controller = new AbortController();
    const body = make({ ...first, signal: controller.signal });
    const flight: Flight = { body, controller, waiting: 0 };
    this.#flights.set(key, flight);
    const settled = () => this.#remove(key, flight);
    body.then(settled, settled);
    return this.#wait(key, flight, first);
  }

  async #wait(key: string, flight: Flight, caller: Caller): Promise<Buffer> {
    flight.waiting++;
    try {
      return await whileWaiting(caller, flight.body);
    } finally {
      if (--flight.waiting === 0) {
        // The next caller starts anew: this one ends.
        this.#remove(key, flight);
        flight.controller.abort(new ClientGoneError('no client waits for the answer any more'));
      }
    }
  }

  #remove(key: string, flight: Flight): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
