import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AnswerTime } from '../../../../src/api/http/answer-time.ts';

/** Time of an answer, milliseconds; the tests wait several times as long. */
const TIME_MS = 20;

describe('the time of an answer', () => {
  it('ends at its deadline', async () => {
    const ended = Promise.withResolvers<void>();
    const time = new AnswerTime(TIME_MS, ended.resolve);
    const { deadline } = time;
    await ended.promise;
    expect(time.deadline).toBe(deadline);
  });

  it('does not pass while it is stopped, and continues when every stop has ended', async () => {
    const ended = Promise.withResolvers<void>();
    let isOver = false;
    const time = new AnswerTime(TIME_MS, () => {
      isOver = true;
      ended.resolve();
    });
    const before = time.deadline;
    const [first, second] = [time.stop(), time.stop()];
    await sleep(3 * TIME_MS);
    expect([isOver, time.deadline > performance.now()]).toEqual([false, true]);
    first();
    // A second call of the same end does nothing.
    first();
    await sleep(3 * TIME_MS);
    expect([isOver, time.deadline > performance.now()]).toEqual([false, true]);
    second();
    expect(time.deadline - before).toBeGreaterThan(4 * TIME_MS);
    await ended.promise;
  });

  it('does not end any more after its answer', async () => {
    let isOver = false;
    const time = new AnswerTime(TIME_MS, () => {
      isOver = true;
    });
    const resume = time.stop();
    time.end();
    resume();
    await sleep(3 * TIME_MS);
    expect(isOver).toBe(false);
  });
});
