/** A thread for the tests of the pool: does what the job contains. */
import { threadId, workerData } from 'node:worker_threads';
import { serveJobs } from '../../../../src/platform/threads/serve-jobs.ts';

export interface TestJob {
  readonly what: 'answer' | 'exit' | 'throw' | 'hang' | 'memory';
  readonly number: number;
  readonly ms?: number;
}

export interface TestAnswer {
  readonly number: number;
  readonly thread: number;
}

if (workerData === 'no start') throw new Error('this one does not start');

function busy(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function fillMemory(): never {
  const kept: number[][] = [];
  for (;;) kept.push(Array.from({ length: 100_000 }, (_, i) => i * 1.5 + kept.length));
}

serveJobs<TestJob, TestAnswer>(({ what, number, ms = 0 }) => {
  if (what === 'exit') process.exit(7);
  if (what === 'throw') throw new TypeError(`job ${number} is not to my taste`);
  if (what === 'hang') for (;;) busy(1);
  if (what === 'memory') fillMemory();
  if (ms > 0) busy(ms);
  return { answer: { number, thread: threadId }, transfer: [] };
});
