import { expect, it } from 'vitest';
import { compareRows } from '../../lake/compare-rows.ts';

it('rows of the lake differ by values, and by rows that only one side has', () => {
  const verdict = compareRows({
    table: 'blocks',
    key: ['seqno'],
    found: [
      { seqno: '1', count: '5', flag: true },
      { seqno: '2', count: '6', flag: null },
      { seqno: '4', count: '1', flag: null },
    ],
    expected: [
      { seqno: 1, count: 5n, flag: true },
      { seqno: 2, count: 7, flag: null },
      { seqno: 3, count: 1, flag: null },
    ],
  });
  expect(verdict).toEqual({
    table: 'blocks',
    rows: 3,
    compared: 6,
    different: 3,
    examples: ['2 count: expected 7, found 6', '3: not in the lake', '4: only in the lake'],
  });
});
