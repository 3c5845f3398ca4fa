import { expect, it, vi } from 'vitest';
import { Shutdown } from '../../../../src/platform/observability/shutdown.ts';

it('closes last first and once, whatever fails, and tells what fails and what takes long', async () => {
  vi.useFakeTimers();
  try {
    const shutdown = new Shutdown();
    const closed: string[] = [];
    const gate = Promise.withResolvers<void>();
    shutdown.add('first', () => void closed.push('first'));
    shutdown.add('slow', () => gate.promise.then(() => void closed.push('slow')));
    shutdown.add('broken', () => {
      throw new Error('no');
    });
    const failed = vi.fn();
    const slow = vi.fn();
    const closing = shutdown.close(failed, slow);
    expect(shutdown.signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(7_000);
    expect(slow).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(slow.mock.calls).toEqual([['slow']]);
    gate.resolve();
    await Promise.all([closing, shutdown.close(failed, slow)]);
    expect(closed).toEqual(['slow', 'first']);
    expect(failed.mock.calls).toEqual([['broken', new Error('no')]]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(slow).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});
