/**
 * Keeps inserts and repairs of a sink apart. A repair reads counted targets and corrects a derived one by what it
 * lacks: of an insert under way beside it, it would see the first half, correct for it, and the second half would then
 * count twice. Two repairs at once would both write the same correction. So inserts run side by side, a repair alone.
 */
export class RepairGate {
  #inserts = 0;
  #repairing = false;
  readonly #waitingInserts: (() => void)[] = [];
  readonly #waitingRepairs: (() => void)[] = [];

  async insert<T>(work: () => Promise<T>): Promise<T> {
    // A repair that waits goes first: inserts would never leave it a gap.
    while (this.#repairing || this.#waitingRepairs.length > 0)
      await new Promise<void>((resolve) => this.#waitingInserts.push(resolve));
    this.#inserts++;
    try {
      return await work();
    } finally {
      this.#inserts--;
      this.#wake();
    }
  }

  async repair<T>(work: () => Promise<T>): Promise<T> {
    if (this.#repairing || this.#inserts > 0)
      await new Promise<void>((resolve) => this.#waitingRepairs.push(resolve));
    this.#repairing = true;
    try {
      return await work();
    } finally {
      this.#repairing = false;
      this.#wake();
    }
  }

  #wake(): void {
    if (this.#repairing || this.#inserts > 0) return;
    const repair = this.#waitingRepairs.shift();
    if (repair) {
      // Taken before it runs: nobody may slip in between.
      this.#repairing = true;
      repair();
      return;
    }
    for (const insert of this.#waitingInserts.splice(0)) insert();
  }
}
