import { FairQueue } from '../query/fair-queue.ts';

interface Waiter {
  readonly client: string;
  admit(): void;
}

/** Lets so many pieces of work run at the same time; the others wait in turn by client. */
export class Slots {
  #free: number;
  readonly #waiting = new FairQueue<Waiter>();

  constructor(slots: number) {
    this.#free = slots;
  }

  async run<T>(client: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((admit) => this.#waiting.add({ client, admit }));
    try {
      return await work();
    } finally {
      const next = this.#waiting.take();
      if (next) next.admit();
      else this.#free++;
    }
  }
}
