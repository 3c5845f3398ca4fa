import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PollSchedule } from '../../../../src/engine/watermark/poll-schedule.ts';

/** A schedule whose polls end on request of the test. */
function schedule() {
  const polls: (() => void)[] = [];
  const poll = vi.fn(() => new Promise<void>((resolve) => void polls.push(resolve)));
  const made = new PollSchedule({ poll, onError: () => expect.fail('a poll failed') });
  const end = async () => {
    polls.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { made, poll, end };
}

/** Whether it resolves without anything else happening. */
async function isThere(promise: Promise<void>): Promise<boolean> {
  let there = false;
  void promise.then(() => {
    there = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return there;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function started() {
  const parts = schedule();
  const start = parts.made.start();
  await parts.end();
  await start;
  return parts;
}

describe('polls at the store for answers', () => {
  it('are repeated after 50 ms, and waited for after 500 ms', async () => {
    const { made, poll, end } = await started();
    await vi.advanceTimersByTimeAsync(49);
    expect(await isThere(made.freshen())).toBe(true);
    expect(poll).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isThere(made.freshen())).toBe(true);
    expect(poll).toHaveBeenCalledTimes(2);
    await end();
    await vi.advanceTimersByTimeAsync(600);
    const asked = made.freshen();
    expect(await isThere(asked)).toBe(false);
    await end();
    expect(await isThere(asked)).toBe(true);
    await made.stop();
  });

  it('are rarer while nothing has changed for long, until something does', async () => {
    const { made, poll, end } = await started();
    for (let second = 0; second < 120; second++) {
      await vi.advanceTimersByTimeAsync(1_000);
      await end();
    }
    // At first after 1 s, in the end after 5 s.
    expect(poll.mock.calls.length).toBeGreaterThan(40);
    expect(poll.mock.calls.length).toBeLessThan(70);
    made.nudge();
    await end();
    const before = poll.mock.calls.length;
    await vi.advanceTimersByTimeAsync(399);
    expect(await isThere(made.freshen())).toBe(true);
    expect(poll).toHaveBeenCalledTimes(before);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isThere(made.freshen())).toBe(true);
    expect(poll).toHaveBeenCalledTimes(before + 1);
    made.changed();
    await end();
    await vi.advanceTimersByTimeAsync(50);
    expect(await isThere(made.freshen())).toBe(true);
    expect(poll).toHaveBeenCalledTimes(before + 2);
    await end();
    await made.stop();
  });

  it('are rarer if the writer announces, and answers of a busy server wait for none', async () => {
    const { made, poll, end } = await started();
    made.announced();
    // The poll without a request was due before the writer's announcement.
    await vi.advanceTimersByTimeAsync(1_000);
    await end();
    expect(poll).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(await isThere(made.freshen())).toBe(true);
    expect(poll).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isThere(made.freshen())).toBe(true);
    expect(poll).toHaveBeenCalledTimes(3);
    await end();
    // A request after a longer silence sees another process's writes meanwhile.
    await vi.advanceTimersByTimeAsync(5_000);
    const asked = made.freshen();
    expect(await isThere(asked)).toBe(false);
    await end();
    expect(await isThere(asked)).toBe(true);
    await made.stop();
  });

  it('are even rarer while the writer keeps announcing', async () => {
    const { made, poll, end } = await started();
    /** The writer announces each second. */
    const tellFor = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        made.announced();
        await vi.advanceTimersByTimeAsync(1_000);
      }
    };
    await tellFor(1);
    await end();
    expect(poll).toHaveBeenCalledTimes(2);
    await tellFor(8);
    expect(await isThere(made.freshen())).toBe(true);
    expect(poll).toHaveBeenCalledTimes(2);
    await tellFor(2);
    expect(await isThere(made.freshen())).toBe(true);
    expect(poll).toHaveBeenCalledTimes(3);
    await end();
    // It fell silent: another one may have taken over.
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await isThere(made.freshen())).toBe(false);
    expect(poll).toHaveBeenCalledTimes(4);
    await end();
    await made.stop();
  });

  it('end with the schedule, though the first was under way', async () => {
    const { made, poll, end } = schedule();
    const start = made.start();
    await made.stop();
    await end();
    await start;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(poll).toHaveBeenCalledTimes(1);
  });

  it('delay an answer by 500 ms at most', async () => {
    const { made, end } = await started();
    await vi.advanceTimersByTimeAsync(700);
    const asked = made.freshen();
    await vi.advanceTimersByTimeAsync(499);
    expect(await isThere(asked)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isThere(asked)).toBe(true);
    const stopped = made.stop();
    await end();
    await stopped;
  });
});
