import { describe, expect, it } from 'vitest';
import { PortionWidth } from '../../../../src/engine/integrity/portion-width.ts';

describe('the width of a portion', () => {
  it('grows while portions are fast, shrinks if one is slow or fails, and keeps its bounds', () => {
    const width = new PortionWidth({ first: 1, least: 1, most: 64, growth: 4 });
    const widthsAfter = (...times: readonly number[]) =>
      times.map((ms) => {
        width.took(ms);
        return width.now;
      });
    expect(width.now).toBe(1);
    expect(widthsAfter(10, 10, 10, 10, 1_000, 2_001)).toEqual([4, 16, 64, 64, 64, 32]);
    width.failed();
    expect(width.now).toBe(16);
    expect(widthsAfter(9_999, 9_999, 9_999, 9_999, 9_999, 1)).toEqual([8, 4, 2, 1, 1, 4]);
  });
});
