import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FeedBell } from '../../../../src/engine/feed/follow-feed.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('looks seldom while this process confirms, and often again once another one does', () => {
  const bell = new FeedBell();
  const often = bell.pollMs;
  bell.ring();
  expect(bell.pollMs).toBeGreaterThan(often);
  vi.advanceTimersByTime(59_000);
  expect(bell.pollMs).toBeGreaterThan(often);
  bell.ring();
  vi.advanceTimersByTime(59_000);
  expect(bell.pollMs).toBeGreaterThan(often);
  vi.advanceTimersByTime(2_000);
  expect(bell.pollMs).toBe(often);
});
