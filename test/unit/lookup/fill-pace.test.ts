import { tmpdir } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { hasRoom, isFresh, onDemand, type Paced } from '../../../src/lookup/fill-pace.ts';
import { IndexUse } from '../../../src/lookup/index-use.ts';

const VISIBLE = { first: 1, last: 9 };

/** A version whose last look was so long ago. */
const version = (lookedMs: number, isMissing = true): Paced => ({
  lookedMs,
  minCost: 3,
  lacks: () => isMissing,
});

async function lack(use: IndexUse, answers: number): Promise<void> {
  for (let i = 0; i < answers; i++) {
    use.lacked();
    await turn();
  }
}

it('fills after as many statements as filling costs, and again after those that it did cost', async () => {
  const use = new IndexUse();
  const pace = onDemand(use, () => true);
  expect(pace.next(version(Number.POSITIVE_INFINITY), VISIBLE)).toBe('nothing');
  await lack(use, 2);
  expect(pace.next(version(0), VISIBLE)).toBe('nothing');
  await lack(use, 1);
  expect(pace.next(version(0), VISIBLE)).toBe('fill');
  use.pay(10);
  await lack(use, 9);
  expect(pace.next(version(0), VISIBLE)).toBe('nothing');
  await lack(use, 1);
  expect(pace.next(version(0), VISIBLE)).toBe('fill');
});

it('counts the keys of one answer once', async () => {
  const woken: number[] = [];
  const use = new IndexUse(() => woken.push(use.lacks));
  for (let key = 0; key < 100; key++) use.lacked();
  await turn();
  use.lacked();
  expect(woken).toEqual([1, 2]);
});

it('does not fill what is complete, nor a disk without room', async () => {
  const use = new IndexUse();
  await lack(use, 5);
  expect(onDemand(use, () => false).next(version(0), VISIBLE)).toBe('nothing');
  const pace = onDemand(use, () => true);
  // Steps may have been confirmed again since the last look.
  expect(pace.next(version(60_000, false), VISIBLE)).toBe('fill');
  expect(pace.next(version(0, false), VISIBLE)).toBe('nothing');
  expect(use.lacks).toBe(0);
});

it('looks again for steps that were confirmed again while answers read, and not otherwise', () => {
  const use = new IndexUse();
  const pace = onDemand(use, () => true);
  expect(pace.next(version(15_000, false), VISIBLE)).toBe('nothing');
  use.read();
  expect(pace.next(version(5_000, false), VISIBLE)).toBe('nothing');
  expect(pace.next(version(15_000, false), VISIBLE)).toBe('look');
  expect([5_000, 15_000, 25_000].map((lookedMs) => isFresh({ lookedMs }))).toEqual([true, true, false]);
});

it('adds what answers of another process lacked', () => {
  const here = new IndexUse();
  const there = new IndexUse();
  there.lacked();
  here.add(there.take());
  expect([here.lacks, here.isRead, there.lacks, there.isRead]).toEqual([1, true, 0, false]);
});

it('knows whether the disk of a folder has room', () => {
  expect([hasRoom(tmpdir(), 0), hasRoom(tmpdir(), Number.MAX_SAFE_INTEGER)]).toEqual([true, false]);
});
