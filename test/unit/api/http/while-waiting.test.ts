import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { whileWaiting } from '../../../../src/api/http/caller.ts';
import { ClientGoneError } from '../../../../src/api/http/errors/caller-errors.ts';
import { testCaller } from '../../../helpers/test-caller.ts';

it('leaves no unhandled rejection, whether its caller has left or leaves later', async () => {
  const unheard = vi.fn();
  process.on('unhandledRejection', unheard);
  try {
    const controller = new AbortController();
    for (const leaves of ['before', 'meanwhile']) {
      const signal = leaves === 'before' ? AbortSignal.abort(new ClientGoneError('gone')) : controller.signal;
      const work = Promise.withResolvers<void>();
      const waiting = whileWaiting(testCaller({ signal }), work.promise);
      if (leaves === 'meanwhile') {
        const aborted = once(controller.signal, 'abort');
        controller.abort(new ClientGoneError('gone'));
        await aborted;
      }
      await expect(waiting).rejects.toThrow('gone');
      work.reject(new Error('the work failed afterwards'));
      await sleep(10);
    }
    expect(unheard).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', unheard);
  }
});
