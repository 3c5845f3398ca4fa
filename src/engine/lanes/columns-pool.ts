import type { RowSet } from '../projection/row-set.ts';

/**
 * A few sets of columns that batches take turns with: while one is being inserted another is filled, and memory is
 * bounded by their number.
 */
export class ColumnsPool {
  readonly #free: RowSet[];
  readonly #waiting: ((columns: RowSet) => void)[] = [];

  constructor(create: () => RowSet, size: number) {
    this.#free = Array.from({ length: size }, create);
  }

  async take(): Promise<RowSet> {
    return this.#free.pop() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  give(columns: RowSet): void {
    columns.reset();
    const next = this.#waiting.shift();
    if (next) next(columns);
    else this.#free.push(columns);
  }
}
