import { expect, it } from 'vitest';
import { HeadPace } from '../../../../src/engine/lanes/head-pace.ts';

it('begins the next batch at once while batches take what they usually do', () => {
  const pace = new HeadPace(() => 0);
  expect(pace.intervalMs).toBe(0);
  for (const ms of [900, 300, 300, 450, 790]) {
    pace.wrote(ms, 1);
    expect(pace.intervalMs).toBe(ms);
  }
});

it('leaves others three times what a batch took beyond twice the briefest, within a bound', () => {
  const pace = new HeadPace(() => 0);
  pace.wrote(100, 1);
  pace.wrote(450, 1);
  expect(pace.intervalMs).toBe(450);
  pace.wrote(900, 1);
  expect(pace.intervalMs).toBe(900 + 3 * (900 - 800));
  pace.wrote(5_000, 1);
  expect(pace.intervalMs).toBe(1_500);
  pace.wrote(110, 1);
  expect(pace.intervalMs).toBe(110);
});

it('forgets the briefest batch by and by: a store that has become slow is not waited for', () => {
  const pace = new HeadPace(() => 0);
  pace.wrote(400, 1);
  pace.wrote(1_200, 1);
  expect(pace.intervalMs).toBe(1_500);
  for (let batch = 0; batch < 1_000; batch++) pace.wrote(1_200, 1);
  expect(pace.intervalMs).toBe(1_200);
});

it('expects more of batches of gathered steps: they make no more of them gather', () => {
  const pace = new HeadPace(() => 0);
  pace.wrote(100, 1);
  for (const [steps, expected] of [
    [0, 1_300 + 3 * (1_300 - 800)],
    [1, 1_300 + 3 * (1_300 - 800)],
    [3, 1_300 + 3 * (1_300 - 1_200)],
    [5, 1_300],
  ] as const) {
    pace.wrote(1_300, steps);
    expect([steps, pace.intervalMs]).toEqual([steps, Math.min(1_500, expected)]);
  }
});

it('leaves the processor to others the more this thread waits for it', () => {
  let [now, waited] = [1_000, 5_000];
  const pace = new HeadPace(
    () => waited,
    () => now,
  );
  /** A batch of 350 ms, so long after the one before, in which this thread waited so long. */
  const batch = (afterMs: number, waitedMs: number) => {
    now += afterMs;
    waited += waitedMs;
    pace.wrote(350, 1);
    return pace.intervalMs;
  };
  expect(batch(400, 20)).toBe(350);
  expect(batch(400, 40)).toBe(500);
  expect(batch(400, 80)).toBe(1_000);
  expect(batch(1_000, 200)).toBe(1_000);
  expect(batch(1_000, 600)).toBe(1_500);
  expect(batch(1_500, 90)).toBe(350);
  // Nobody asked for a minute, in which it waited a little now and then.
  expect(batch(60_000, 2_000)).toBe(350);
});
