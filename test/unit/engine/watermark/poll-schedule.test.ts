import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PollSchedule } from '../../../../src/engine/watermark/poll-schedule.ts';

/** A schedule whose polls end on request of the test. */
function schedule() {
  const looks: (() => void)[] = [];
  const look = vi.fn(() => new Promise<void>((resolve) => void looks.push(resolve)));
  const made = new PollSchedule({ look, onError: () => expect.fail('a look failed') });
  const end = async () => {
    looks.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { made, look, end };
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

describe('looks at the store for answers', () => {
  it('are repeated after 50 ms, and waited for after 500 ms', async () => {
    const { made, look, end } = await started();
    await vi.advanceTimersByTimeAsync(49);
    expect(await isThere(made.freshen())).toBe(true);
    expect(look).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isThere(made.freshen())).toBe(true);
    expect(look).toHaveBeenCalledTimes(2);
    await end();
    await vi.advanceTimersByTimeAsync(600);
    const asked = made.freshen();
    expect(await isThere(asked)).toBe(false);
    await end();
    expect(await isThere(asked)).toBe(true);
    await made.stop();
  });

  it('are seldomer where the writer tells, and answers of a busy server wait for none', async () => {
    const { made, look, end } = await started();
    made.told();
    // The poll without a request was due before the writer's announcement.
    await vi.advanceTimersByTimeAsync(1_000);
    await end();
    expect(look).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(await isThere(made.freshen())).toBe(true);
    expect(look).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isThere(made.freshen())).toBe(true);
    expect(look).toHaveBeenCalledTimes(3);
    await end();
    // A request after a longer silence sees another process's writes meanwhile.
    await vi.advanceTimersByTimeAsync(5_000);
    const asked = made.freshen();
    expect(await isThere(asked)).toBe(false);
    await end();
    expect(await isThere(asked)).toBe(true);
    await made.stop();
  });

  it('are seldomer still while the writer goes on telling', async () => {
    const { made, look, end } = await started();
    /** The writer announces each second. */
    const tellFor = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        made.told();
        await vi.advanceTimersByTimeAsync(1_000);
      }
    };
    await tellFor(1);
    await end();
    expect(look).toHaveBeenCalledTimes(2);
    await tellFor(8);
    expect(await isThere(made.freshen())).toBe(true);
    expect(look).toHaveBeenCalledTimes(2);
    await tellFor(2);
    expect(await isThere(made.freshen())).toBe(true);
    expect(look).toHaveBeenCalledTimes(3);
    await end();
    // It fell silent: another one may have taken over.
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await isThere(made.freshen())).toBe(false);
    expect(look).toHaveBeenCalledTimes(4);
    await end();
    await made.stop();
  });

  it('end with the schedule, though the first was under way', async () => {
    const { made, look, end } = schedule();
    const start = made.start();
    await made.stop();
    await end();
    await start;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(look).toHaveBeenCalledTimes(1);
  });

  it('hold an answer up for 500 ms at most', async () => {
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
