import { parentPort } from 'node:worker_threads';

/** Messages to a thread. What a job needs is made before the first job that needs it. */
export type ThreadTask =
  | { readonly kind: 'make'; readonly need: Need }
  | { readonly kind: 'forget'; readonly key: number }
  | { readonly kind: 'job'; readonly job: unknown };

/** What jobs need in each thread that works at them, such as a module that it loads. */
export interface Need {
  /** No two needs of a process share it. */
  readonly key: number;
  readonly data: unknown;
}

/** Messages of a thread: ready, then one result per job, in the order of the jobs. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly answer: unknown }
  /** What the job needs could not be made. */
  | { readonly kind: 'unmade'; readonly key: number; readonly reason: string };

/** An answer, and the buffers in it that move to the caller. */
export interface Answered<Answer> {
  readonly answer: Answer;
  readonly transfer: ArrayBuffer[];
}

/** Makes and forgets what jobs need. */
export interface Needs {
  make(need: Need): Promise<void>;
  forget(key: number): void;
}

/**
 * The thread's side of a `WorkerPool`: reports that it is ready and answers one job at a time. An error thrown by
 * `work` ends the thread: the pool then knows the job.
 */
export function serveJobs<Job, Answer>(work: (job: Job) => Answered<Answer>, needs?: Needs): void {
  const port = parentPort;
  if (!port) throw new Error('jobs are served in a worker thread');
  const tell = (message: WorkerMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  /** Tasks while something is being made, in order. */
  let making: Promise<void> | null = null;
  let unmade: Extract<WorkerMessage, { readonly kind: 'unmade' }> | null = null;

  const run = (task: Exclude<ThreadTask, { readonly kind: 'make' }>): void => {
    if (task.kind === 'forget') needs?.forget(task.key);
    else if (unmade) {
      // The job that needs it comes next.
      tell(unmade);
      unmade = null;
    } else {
      const { answer, transfer } = work(task.job as Job);
      tell({ kind: 'answer', answer }, transfer);
    }
  };
  const after = (step: () => void | Promise<void>): void => {
    const now: Promise<void> = (making ?? Promise.resolve()).then(step).then(() => {
      if (making === now) making = null;
    });
    making = now;
  };
  port.on('message', (task: ThreadTask) => {
    if (task.kind === 'make')
      after(async () => {
        try {
          await needs?.make(task.need);
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          unmade = { kind: 'unmade', key: task.need.key, reason };
        }
      });
    else if (making) after(() => run(task));
    else run(task);
  });
  tell({ kind: 'ready' });
}
