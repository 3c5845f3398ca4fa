import { expect, it } from 'vitest';
import { HeadPace } from '../../../../src/engine/lanes/head-pace.ts';

it('begins the next batch at once while batches take what they usually do', () => {
  const pace = new HeadPace();
  expect(pace.intervalMs).toBe(0);
  for (const ms of [900, 300, 300, 450, 590]) {
    pace.wrote(ms);
    expect(pace.intervalMs).toBe(ms);
  }
});

it('leaves others three times what a batch took beyond twice the briefest, within a bound', () => {
  const pace = new HeadPace();
  pace.wrote(100);
  pace.wrote(450);
  expect(pace.intervalMs).toBe(450);
  pace.wrote(700);
  expect(pace.intervalMs).toBe(700 + 3 * (700 - 500));
  pace.wrote(5_000);
  expect(pace.intervalMs).toBe(1_500);
  pace.wrote(110);
  expect(pace.intervalMs).toBe(110);
});

it('forgets the briefest batch by and by: a store that has become slow is not waited for', () => {
  const pace = new HeadPace();
  pace.wrote(400);
  pace.wrote(1_000);
  expect(pace.intervalMs).toBe(1_500);
  for (let batch = 0; batch < 1_000; batch++) pace.wrote(1_000);
  expect(pace.intervalMs).toBe(1_000);
});
