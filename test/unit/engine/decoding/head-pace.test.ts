import { expect, it } from 'vitest';
import { HeadPace } from '../../../../src/engine/lanes/head-pace.ts';

/** No lane's thread waits for a processor. */
const IDLE = { current: 0 };

it('begins the next batch immediately while batches take their usual time', () => {
  const pace = new HeadPace(IDLE);
  expect(pace.nextAt(0)).toBe(0);
  for (const ms of [900, 300, 300, 450, 790]) {
    pace.wrote(ms, 1);
    expect(pace.nextAt(0)).toBe(ms);
  }
});

it('leaves others three times what a batch took beyond twice the briefest, within a bound', () => {
  const pace = new HeadPace(IDLE);
  pace.wrote(100, 1);
  pace.wrote(450, 1);
  expect(pace.nextAt(0)).toBe(450);
  pace.wrote(900, 1);
  expect(pace.nextAt(0)).toBe(900 + 3 * (900 - 800));
  pace.wrote(5_000, 1);
  expect(pace.nextAt(0)).toBe(1_500);
  pace.wrote(110, 1);
  expect(pace.nextAt(0)).toBe(110);
});

it('forgets the briefest batch by and by: a store that has become slow is not waited for', () => {
  const pace = new HeadPace(IDLE);
  pace.wrote(400, 1);
  pace.wrote(1_200, 1);
  expect(pace.nextAt(0)).toBe(1_500);
  for (let batch = 0; batch < 1_000; batch++) pace.wrote(1_200, 1);
  expect(pace.nextAt(0)).toBe(1_200);
});

it('expects more of batches of gathered steps: they make no more of them gather', () => {
  const pace = new HeadPace(IDLE);
  pace.wrote(100, 1);
  for (const [steps, expected] of [
    [0, 1_300 + 3 * (1_300 - 800)],
    [1, 1_300 + 3 * (1_300 - 800)],
    [3, 1_300 + 3 * (1_300 - 1_200)],
    [5, 1_300],
  ] as const) {
    pace.wrote(1_300, steps);
    expect([steps, pace.nextAt(0)]).toEqual([steps, Math.min(1_500, expected)]);
  }
});

it('begins batches at the same moments for all lanes if this thread waits for a processor', () => {
  const waited = { current: 0 };
  const [one, other] = [new HeadPace(waited), new HeadPace(waited)];
  one.wrote(100, 1);
  other.wrote(350, 1);
  const at = 1_600_000 * 1_000;
  const next = () => [one.nextAt(at + 10), other.nextAt(at + 90)].map((moment) => moment - at);
  expect(next()).toEqual([110, 440]);
  waited.current = 0.15;
  expect(next()).toEqual([110, 440]);
  waited.current = 0.16;
  expect(next()).toEqual([800, 800]);
  waited.current = 0.26;
  expect(next()).toEqual([1_600, 1_600]);
  // One whose turn is over begins at once.
  expect(one.nextAt(at - 400) - at).toBe(0);
});

it('waits longer than that if the store is slow', () => {
  const pace = new HeadPace({ current: 0.16 });
  pace.wrote(100, 1);
  pace.wrote(1_000, 1);
  expect(pace.nextAt(0)).toBe(1_500);
});
