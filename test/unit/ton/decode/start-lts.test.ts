import { describe, expect, it } from 'vitest';
import { formatStartLts, parseStartLts } from '../../../../src/ton/decode/start-lts.ts';

const WHOLE = 1n << 63n;
const LEFT = 0x4000000000000000n;
const RIGHT = 0xc000000000000000n;

describe('where an index begins, by shard', () => {
  const text = formatStartLts([
    { workchain: -1, shard: WHOLE, lt: 109n },
    { workchain: 0, shard: LEFT, lt: 107n },
    { workchain: 0, shard: RIGHT, lt: 108n },
  ]);

  it('is one line of text', () => {
    expect(text).toBe('-1:8000000000000000=109,0:4000000000000000=107,0:c000000000000000=108');
  });

  it.each([
    ['the masterchain', -1, WHOLE, 109n],
    ['a shard of the start', 0, LEFT, 107n],
    ['a child of one after a split', 0, 0xe000000000000000n, 108n],
    ['the whole after a merge: the lowest', 0, WHOLE, 107n],
    ['a workchain that came later: none', 5, WHOLE, 0n],
  ])('%s', (_, workchain, shard, lt) => {
    expect(parseStartLts(text).below(workchain, shard)).toBe(lt);
  });

  it('takes one number for every shard', () => {
    const everywhere = parseStartLts(formatStartLts(2n ** 64n - 1n));
    expect(everywhere.below(0, LEFT)).toBe(2n ** 64n - 1n);
    expect(everywhere.highest).toBe(2n ** 64n - 1n);
  });

  it('refuses other text, naming it', () => {
    expect(() => parseStartLts('0:80=1')).toThrow('0:80=1');
  });
});
