import { expect, it } from 'vitest';
import { WaitedShare } from '../../../../src/engine/lanes/waited-share.ts';

it('returns for what part of the last second or more a thread waited, the same value until the next poll', () => {
  let [now, waited] = [1_000, 5_000];
  const share = new WaitedShare(
    () => waited,
    () => now,
  );
  const after = (ms: number, waitedMs: number) => {
    now += ms;
    waited += waitedMs;
    return share.current;
  };
  expect(after(999, 500)).toBe(0);
  expect(after(1, 0)).toBe(0.5);
  expect(after(600, 600)).toBe(0.5);
  expect(after(600, 0)).toBe(0.5);
  expect(after(60_000, 600)).toBe(0.01);
});

it('is absent if the system reports nothing', () => {
  let now = 0;
  const share = new WaitedShare(
    () => 0,
    () => now,
  );
  now = 5_000;
  expect(share.current).toBe(0);
});
