import type { Bus } from '../../log/port.ts';
import { deadLettersFrom, getIdentity, RESOLVES } from './dead-letter-list.ts';
import { DEAD_LETTERS } from './dead-letter-sink.ts';

/** Number of open dead letters, updated by new records of the log: each dead letter is read once, without its bytes. */
export class DeadLetterCount {
  readonly #bus: Bus;
  readonly #open = new Set<string>();
  #next = 0;
  #counting: Promise<number> | null = null;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** The number as the log has it now. Calls at the same time share one look. */
  read(): Promise<number> {
    this.#counting ??= this.#count().finally(() => {
      this.#counting = null;
    });
    return this.#counting;
  }

  async #count(): Promise<number> {
    const [end] = await this.#bus.bounds(DEAD_LETTERS);
    if (end === undefined || end.next <= this.#next) return this.#open.size;
    for await (const record of deadLettersFrom(this.#bus, this.#next, { withoutValues: true })) {
      const resolves = record.headers[RESOLVES];
      if (resolves === undefined) this.#open.add(getIdentity(record));
      else this.#open.delete(resolves);
      this.#next = record.offset + 1;
    }
    return this.#open.size;
  }
}
