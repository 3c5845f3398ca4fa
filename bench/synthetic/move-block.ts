import type { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import type { Stopwatch } from '../common/stopwatch.ts';
import type { PlannedBlock } from './chain-plan.ts';
import { type CopyMasks, copyMasks } from './masks.ts';
import { ColumnShift } from './shift-columns.ts';

/** Runs a decoder of one block and moves its rows to their place in the synthetic chain; keeps the masks of a few copies. */
export class BlockMover {
  readonly #shift = new ColumnShift();
  readonly #masks = new Map<number, CopyMasks>();
  readonly #times: Stopwatch;

  constructor(times: Stopwatch) {
    this.#times = times;
  }

  decode<T>(columns: BaseColumns, block: PlannedBlock, decode: () => T): T {
    const mark = this.#shift.mark(columns);
    const result = this.#times.measure('decode', decode);
    this.#times.measure('shift (bench only)', () =>
      this.#shift.apply(columns, mark, block, this.#masksOf(block.copy)),
    );
    return result;
  }

  #masksOf(copy: number): CopyMasks {
    let masks = this.#masks.get(copy);
    if (!masks) {
      masks = copyMasks(copy);
      this.#masks.set(copy, masks);
      if (this.#masks.size > 64) this.#masks.delete(this.#masks.keys().next().value as number);
    }
    return masks;
  }
}
