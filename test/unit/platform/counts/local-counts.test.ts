import { expect, it, vi } from 'vitest';
import { LocalCounts } from '../../../../src/platform/counts/local-counts.ts';
import { startLimited } from '../../../helpers/limited-server.ts';

it('counts in windows of a clock that only grows', () => {
  let monotonic = 7_000;
  const counts = new LocalCounts({ windowMs: 1_000, mostNames: 1, monotonic: () => monotonic });
  expect(counts.add('a')).toEqual({ count: 1, leftMs: 1_000 });
  monotonic += 400;
  expect(counts.add('a')).toEqual({ count: 2, leftMs: 600 });
  monotonic += 600;
  expect(counts.add('a')).toEqual({ count: 1, leftMs: 1_000 });
  expect(counts.add('b').count).toBe(1);
  expect(counts.add('a').count).toBe(1);
});

it('a server with its own counts refuses no client for the time by which the clock was set back', async () => {
  const { url } = await startLimited([]);
  const status = async () => (await fetch(`${url}/api/v2/detectHash?hash=${'a'.repeat(64)}`)).status;
  expect(await status()).toBe(200);
  const back = Date.now() - 3_600_000;
  vi.useFakeTimers({ toFake: ['Date'], now: back });
  try {
    // A window is a second: if windows followed the clock, this would take an hour.
    await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 60_000, interval: 200 });
  } finally {
    vi.useRealTimers();
  }
});
