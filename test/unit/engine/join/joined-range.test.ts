import { describe, expect, it } from 'vitest';
import { checkIdentity, planRange } from '../../../../src/engine/join/joined-range.ts';
import type { LogIdentity } from '../../../../src/log/port.ts';
import type { StoreClient } from '../../../../src/platform/clickhouse/client.ts';

const INTO: LogIdentity = {
  network: 'mainnet',
  id: 'aa:bb',
  epochSize: 200_000,
  lanes: 8,
  facts: { continuity: 'chain', global_id: '-239', start_lt: '0' },
};
const RANGE = { name: './second', logged: 200, deadLetters: 0 };
const HERE = { first: 1, last: 100 };

describe('a range', () => {
  it('is joined if it begins after the index, and is present if the index has it', () => {
    expect(planRange(RANGE, [{ first: 101, last: 200 }], HERE)).toBe('join');
    expect(planRange({ ...RANGE, logged: 100 }, [{ first: 50, last: 100 }], HERE)).toBe('present');
  });

  it.each([
    ['nothing', RANGE, [], /has no blocks/],
    ['an overlap', RANGE, [{ first: 100, last: 200 }], /100 to 200 overlap with masterchain blocks 1 to 100/],
    ['a gap', RANGE, [{ first: 103, last: 200 }], /masterchain blocks 101 to 102 are missing/],
    ['an unfinished store', RANGE, [{ first: 101, last: 199 }], /its log ends at 200/],
    [
      'a hole',
      RANGE,
      [
        { first: 101, last: 120 },
        { first: 130, last: 200 },
      ],
      /not complete/,
    ],
    ['dead letters', { ...RANGE, deadLetters: 2 }, [{ first: 101, last: 200 }], /2 dead letters/],
  ])('is refused with %s', (_, range, islands, message) => {
    expect(() => planRange(range, islands, HERE)).toThrow(message);
  });

  it.each<[Partial<LogIdentity>, RegExp]>([
    [{ network: 'testnet' }, /its network is testnet, this index has mainnet/],
    [{ id: 'cc:dd' }, /its zerostate is cc:dd/],
    [{ epochSize: 10 }, /make the range with --epoch-size 200000/],
    [{ lanes: 4 }, /make the range with --lanes 8/],
    [{ facts: { ...INTO.facts, start_lt: '5' } }, /make the range with --start-lt 0/],
    [{ facts: { ...INTO.facts, other: 'x' } }, /its other is x, this index has nothing/],
  ])('of another identity %o is refused', (change, message) => {
    const range = { ...RANGE, identity: { ...INTO, ...change }, client: null as unknown as StoreClient };
    expect(() => checkIdentity(INTO, range)).toThrow(message);
    expect(() => checkIdentity(INTO, { ...range, identity: INTO })).not.toThrow();
  });
});
