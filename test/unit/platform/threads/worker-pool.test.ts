import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { WorkerPool, type WorkerPoolOptions } from '../../../../src/platform/threads/worker-pool.ts';
import { threadNames } from '../../../helpers/thread-names.ts';
import type { TestAnswer, TestJob } from './pool-child.ts';

const SCRIPT = new URL('./pool-child.ts', import.meta.url);

const pools: WorkerPool<TestAnswer>[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

async function start(options: Partial<WorkerPoolOptions> = {}): Promise<WorkerPool<TestAnswer>> {
  const pool = await WorkerPool.start<TestAnswer>({
    script: SCRIPT,
    workerData: null,
    workers: 2,
    name: 'pool-test',
    jobMs: 120_000,
    resourceLimits: { maxOldGenerationSizeMb: 32 },
    ...options,
  });
  pools.push(pool);
  return pool;
}

const give = (pool: WorkerPool<TestAnswer>, job: TestJob) => pool.run(() => ({ job, transfer: [] }));
const answer = (number: number, ms = 0): TestJob => ({ what: 'answer', number, ms });
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('WorkerPool', () => {
  it('answers every job with its own answer, by all threads', async () => {
    const pool = await start();
    const answers = await Promise.all(numbers(40).map((i) => give(pool, answer(i, i % 3))));
    expect(answers.map(({ number }) => number)).toEqual(numbers(40));
    expect(new Set(answers.map(({ thread }) => thread)).size).toBe(2);
  });

  it('makes a job only when a thread has room for it', async () => {
    const pool = await start({ workers: 1 });
    let made = 0;
    let answered = 0;
    let most = 0;
    const jobs = numbers(12).map(async (i) => {
      await pool.run(() => {
        most = Math.max(most, ++made - answered);
        return { job: answer(i, 2), transfer: [] };
      });
      answered++;
    });
    expect(made).toBe(2);
    await Promise.all(jobs);
    // One under way, one ready, and one more while the answer before is on its way to the caller.
    expect(most).toBeLessThanOrEqual(3);
  });

  it.each([
    ['exit', 'code 7'],
    ['throw', 'TypeError: job 3 is not to my taste'],
    ['memory', 'memory'],
  ] as const)('a thread that dies (%s) takes one job with it and is replaced', async (what, reason) => {
    const pool = await start();
    const jobs = numbers(12).map((i) => give(pool, i === 3 ? { what, number: i } : answer(i, 5)));
    const results = await Promise.allSettled(jobs);
    const failed = results.flatMap((result, i) => (result.status === 'rejected' ? [i] : []));
    expect(failed).toEqual([3]);
    await expect(jobs[3]).rejects.toMatchObject({
      name: 'WorkerDiedError',
      reason: expect.stringContaining(reason),
    });
    // Until the new thread has its share.
    const threads = new Set<number>();
    while (threads.size < 2) {
      const some = await Promise.all(numbers(4).map((i) => give(pool, answer(i, 5))));
      for (const { thread } of some) threads.add(thread);
    }
  });

  it('a thread that hangs is given up after its time, counted from when it began', async () => {
    const pool = await start({ workers: 1, jobMs: 4_000 });
    const slow = numbers(6).map((i) => give(pool, answer(i, 700)));
    const hanging = give(pool, { what: 'hang', number: 6 });
    const behind = give(pool, answer(7));
    expect((await Promise.all(slow)).map(({ number }) => number)).toEqual(numbers(6));
    await expect(hanging).rejects.toMatchObject({ name: 'WorkerDiedError', reason: 'no answer in 4000 ms' });
    expect((await behind).number).toBe(7);
  });

  it('a pool whose threads cannot start says so, and why', async () => {
    await expect(start({ workerData: 'no start' })).rejects.toMatchObject({
      name: 'WorkerStartError',
      message: expect.stringContaining('this one does not start'),
    });
  });

  it.skipIf(process.platform !== 'linux')(
    'closing ends the threads, hanging ones too, and rejects what is open',
    async () => {
      const pool = await start({ workers: 1 });
      const open = [give(pool, { what: 'hang', number: 0 }), give(pool, answer(1)), give(pool, answer(2))];
      const settled = Promise.allSettled(open);
      await sleep(50);
      expect(threadNames()).toContain('pool-test');
      await pool.close();
      expect(threadNames()).not.toContain('pool-test');
      for (const result of await settled)
        expect(result).toMatchObject({ status: 'rejected', reason: { name: 'PoolClosedError' } });
      await expect(give(pool, answer(3))).rejects.toMatchObject({ name: 'PoolClosedError' });
    },
  );
});
