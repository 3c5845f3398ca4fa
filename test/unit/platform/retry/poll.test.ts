import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { pause, poll, pollFor } from '../../../../src/platform/retry/poll.ts';

/* Waiting for a condition. The pauses are one millisecond, and no test measures time. */

describe('poll', () => {
  it('returns the first value that is neither null nor false, also 0 and an empty text', async () => {
    for (const value of [7, 0, '', undefined]) {
      const readings = [null, false, value, 'not read'];
      expect(await poll(() => readings.shift() as typeof value | null | false, { everyMs: 1 })).toBe(value);
      expect(readings).toEqual(['not read']);
    }
  });

  it('throws what the read throws', async () => {
    const failure = new RangeError('away');
    await expect(poll(() => Promise.reject(failure), { everyMs: 1 })).rejects.toBe(failure);
  });

  it('throws the reason of a signal that aborts in a pause, and reads no more', async () => {
    const stop = new AbortController();
    let reads = 0;
    const polling = poll(
      () => {
        if (++reads === 2) queueMicrotask(() => stop.abort(new Error('stopped')));
        return null;
      },
      { everyMs: 1, signal: stop.signal },
    );
    await expect(polling).rejects.toThrow('stopped');
    expect(reads).toBe(2);
  });

  it('does not read after the signal aborted', async () => {
    const read = () => expect.unreachable();
    await expect(poll(read, { everyMs: 1, signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  });
});

describe('poll with a limit', () => {
  it('reads at least once, and returns null at the limit', async () => {
    let reads = 0;
    const read = () => {
      reads++;
      return null;
    };
    expect(await pollFor(read, 0, { everyMs: 1 })).toBeNull();
    expect(reads).toBeGreaterThan(0);
    expect(await pollFor(() => 'value', 0, { everyMs: 1 })).toBe('value');
  });
});

describe('pause', () => {
  it('resolves when the signal aborts, and leaves no listener', async () => {
    const stop = new AbortController();
    const paused = pause(2 ** 30, stop.signal);
    stop.abort();
    await paused;
    await pause(2 ** 30, stop.signal);
    await pause(1, new AbortController().signal);
    const { signal } = new AbortController();
    await pause(1, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
