import { BaseColumns } from '../../ton/columns/base-columns.ts';

/**
 * A few sets of columns that batches take turns with: while one is being inserted another is filled, and memory is
 * bounded by their number.
 */
export class ColumnsPool {
  readonly #free: BaseColumns[];
  readonly #waiting: ((columns: BaseColumns) => void)[] = [];

  constructor(size: number) {
    this.#free = Array.from({ length: size }, () => new BaseColumns());
  }

  async take(): Promise<BaseColumns> {
    return this.#free.pop() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  give(columns: BaseColumns): void {
    columns.reset();
    const next = this.#waiting.shift();
    if (next) next(columns);
    else this.#free.push(columns);
  }
}
