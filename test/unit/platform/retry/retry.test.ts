import { describe, expect, it } from 'vitest';
import { type RetryPolicy, retry } from '../../../../src/platform/retry/retry.ts';

function policy(over: Partial<RetryPolicy> = {}) {
  const pauses: number[] = [];
  const never = new AbortController().signal;
  const choices: RetryPolicy = {
    signal: never,
    firstPauseMs: 1,
    longestPauseMs: 4,
    isRetriable: () => true,
    onRetry: (_error, pauseMs) => pauses.push(pauseMs),
    ...over,
  };
  return { pauses, choices };
}

/** Fails with each error in turn, then succeeds. */
function failing(...errors: unknown[]) {
  return async () => {
    if (errors.length > 0) throw errors.shift();
    return 'done';
  };
}

describe('retry', () => {
  it('doubles its pauses up to the longest', async () => {
    const { pauses, choices } = policy();
    expect(await retry(failing(1, 2, 3, 4, 5), choices)).toBe('done');
    expect(pauses).toEqual([1, 2, 4, 4, 4]);
  });

  it('retries whatever may be retried: clients in a bad state throw TypeErrors', async () => {
    const { pauses, choices } = policy();
    expect(await retry(failing(new TypeError('null'), 'text', undefined), choices)).toBe('done');
    expect(pauses).toHaveLength(3);
  });

  it.each([new Error('for good'), new TypeError('for good'), 'text'])(
    'throws %s as it is where it must not be retried',
    async (error) => {
      const { pauses, choices } = policy({ isRetriable: () => false });
      await expect(retry(failing(error), choices)).rejects.toBe(error);
      expect(pauses).toEqual([]);
    },
  );

  it('throws what the classification throws', async () => {
    const refused = new Error('refused');
    const isRetriable = () => {
      throw refused;
    };
    await expect(retry(failing(new Error('cause')), policy({ isRetriable }).choices)).rejects.toBe(refused);
  });

  it('begins no retry behind its limit and throws the last failure', async () => {
    const last = new Error('last');
    const begun = performance.now();
    const { choices } = policy({ firstPauseMs: 10, longestPauseMs: 60_000, limitMs: 100 });
    await expect(retry(() => Promise.reject(last), choices)).rejects.toBe(last);
    expect(performance.now() - begun).toBeLessThan(30_000);
  });

  it('ends in the middle of a pause with the reason of its signal', async () => {
    const stop = new AbortController();
    const { choices } = policy({ signal: stop.signal, firstPauseMs: 60_000, longestPauseMs: 60_000 });
    const waiting = retry(failing(new Error('away')), choices);
    const reason = new Error('stopped');
    setTimeout(() => stop.abort(reason), 5);
    await expect(waiting).rejects.toBe(reason);
  });

  it('does not begin where its signal is aborted', async () => {
    const { choices } = policy({ signal: AbortSignal.abort(new Error('stopped')) });
    let attempts = 0;
    await expect(retry(async () => ++attempts, choices)).rejects.toThrow('stopped');
    expect(attempts).toBe(0);
  });

  it('keeps a result although its signal aborted meanwhile: the work is done', async () => {
    const stop = new AbortController();
    const { choices, pauses } = policy({ signal: stop.signal });
    const work = async () => {
      stop.abort();
      return 'done';
    };
    expect(await retry(work, choices)).toBe('done');
    expect(pauses).toEqual([]);
  });

  it('rejects with the reason where its signal aborted during an attempt that could be retried', async () => {
    const [stop, reason, failure] = [new AbortController(), new Error('stopped'), new Error('failed')];
    const work = async () => {
      stop.abort(reason);
      throw failure;
    };
    const { choices, pauses } = policy({ signal: stop.signal });
    await expect(retry(work, choices)).rejects.toBe(reason);
    expect(pauses).toEqual([]);
    const final = policy({ signal: stop.signal, isRetriable: () => false });
    await expect(retry(work, final.choices)).rejects.toBe(reason);
  });
});
