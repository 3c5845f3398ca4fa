import {
  joinRanges,
  type PositionRange,
  subtractRanges,
} from '../../../src/engine/ranges/position-ranges.ts';
import type { CodeName } from './law-plan.ts';

/** Which positions of a version the older decoder decoded: all that is to be known of what its rows must be. */
export class DecodedBy {
  readonly older: readonly PositionRange[];

  constructor(older: readonly PositionRange[] = []) {
    this.older = older;
  }

  /** After `code` decoded the ranges, whatever decoded them before. */
  with(code: CodeName, ranges: readonly PositionRange[]): DecodedBy {
    return new DecodedBy(
      code === 'older' ? joinRanges([...this.older, ...ranges]) : subtractRanges(this.older, ranges),
    );
  }
}
