import { type RowMaker, statelessRows } from '../../engine/projection/row-maker.ts';
import type { RowParts, RowSet } from '../../engine/projection/row-set.ts';
import { BaseColumns } from '../../ton/columns/base-columns.ts';
import type { TableBuilder } from '../../ton/columns/table-builder.ts';
import { appendParts } from '../../ton/kernel/native-parts.ts';

/** Rows of `base`: the columns that the kernel and the plain reader fill. */
class BaseRows implements RowSet {
  readonly tables: readonly TableBuilder<Record<string, string>>[];
  readonly #columns = new BaseColumns();

  constructor() {
    this.tables = Object.values(this.#columns.tables) as unknown as BaseRows['tables'];
  }

  append(parts: RowParts): void {
    appendParts(this.#columns, parts);
  }

  reset(): void {
    this.#columns.reset();
  }
}

export function createBaseRows(): RowSet {
  return new BaseRows();
}

/** Rows of `base`: each record's rows follow only from that record. */
export const beginBase = (): RowMaker => statelessRows(createBaseRows);
