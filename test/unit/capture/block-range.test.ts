import { expect, it } from 'vitest';
import { parseBlockRange } from '../../../src/capture/block-range.ts';

it.each([
  [{}, null],
  [{ from: 'now' }, null],
  [{ from: '0' }, { first: 0, last: null }],
  [
    { from: '5', to: '5' },
    { first: 5, last: 5 },
  ],
  [{ to: '4294967295' }, { first: null, last: 4_294_967_295 }],
])('%o is %o', (settings, range) => {
  expect(parseBlockRange(settings)).toEqual(range);
});

it.each([
  [{ from: '2026-11-28' }, /a masterchain seqno for packages/],
  [{ from: 'x' }, /--from "x"/],
  [{ from: '6', to: '5' }, /allowed: a masterchain seqno from 6/],
  [{ to: '4294967296' }, /--to/],
  [{ to: '-1' }, /--to/],
])('%o is refused', (settings, message) => {
  expect(() => parseBlockRange(settings)).toThrow(message);
});
