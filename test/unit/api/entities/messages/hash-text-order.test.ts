import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { outermostTexts } from '../../../../../src/api/entities/messages/hash-text-order.ts';

const HASHES = Array.from({ length: 20_000 }, (_, i) => createHash('sha256').update(`${i}`).digest());
const inOrder = HASHES.toSorted((a, b) => (a.toString('base64') < b.toString('base64') ? -1 : 1));

it.each([
  [1, false],
  [1, true],
  [2, false],
  [2, true],
])('the hashes of depth %i, last %o, are an end of the order of texts', (depth, last) => {
  const { from, to } = outermostTexts(depth, last);
  const within = inOrder.filter((hash) => {
    const first8 = hash.readBigUInt64BE(0);
    return first8 >= from && first8 <= to;
  });
  expect(within.length).toBeGreaterThan(0);
  expect(within).toEqual(last ? inOrder.slice(-within.length) : inOrder.slice(0, within.length));
});
