import { parentPort } from 'node:worker_threads';

/** Messages of a thread: ready, then one result per job, in the order of the jobs. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly answer: unknown };

/** An answer, and the buffers in it that move to the caller. */
export interface Answered<Answer> {
  readonly answer: Answer;
  readonly transfer: ArrayBuffer[];
}

/**
 * The thread's side of a `WorkerPool`: reports that it is ready and answers one job at a time. An error thrown by
 * `work` ends the thread: the pool then knows the job.
 */
export function serveJobs<Job, Answer>(work: (job: Job) => Answered<Answer>): void {
  const port = parentPort;
  if (!port) throw new Error('jobs are served in a worker thread');
  port.on('message', (job: Job) => {
    const { answer, transfer } = work(job);
    port.postMessage({ kind: 'answer', answer } satisfies WorkerMessage, transfer);
  });
  port.postMessage({ kind: 'ready' } satisfies WorkerMessage);
}
