import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { processorWaitMs } from '../../../../src/platform/threads/processor-wait.ts';

it.skipIf(!existsSync('/proc/thread-self/schedstat'))(
  'grows while more threads run than there are processors',
  async () => {
    const threads = Array.from({ length: 32 }, () => new Worker('for (;;);', { eval: true }));
    try {
      await Promise.all(threads.map((thread) => new Promise((resolve) => thread.once('online', resolve))));
      const before = processorWaitMs();
      const until = performance.now() + 5_000;
      while (processorWaitMs() < before + 20 && performance.now() < until);
      expect(processorWaitMs() - before).toBeGreaterThanOrEqual(20);
    } finally {
      await Promise.all(threads.map((thread) => thread.terminate()));
    }
  },
);
