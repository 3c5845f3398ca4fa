import { DataError } from '../platform/errors/error-kinds.ts';
import { WorkerPool } from '../platform/threads/worker-pool.ts';
import type { IndexAnswer, IndexJob } from './index-thread.ts';
import type { IndexFile } from './sqlite-index.ts';
import type { Progress } from './store-port.ts';

/** A thread that takes longer for a batch is given up, milliseconds. */
const JOB_MS = 600_000;
const SCRIPT = new URL('./index-thread.ts', import.meta.url);

/** The file of the look-up index could not be opened or written. */
export class IndexFileError extends DataError {
  constructor(reason: string) {
    super(`the look-up index could not be written: ${reason}`);
  }
}

type Commit = Extract<IndexJob, { readonly kind: 'commit' }>;

/** The writing thread as the thread of answers sees it. It writes the files of all versions, one job after the other. */
export class IndexThread {
  readonly #pool: WorkerPool<IndexAnswer>;

  private constructor(pool: WorkerPool<IndexAnswer>) {
    this.#pool = pool;
  }

  static async start(): Promise<IndexThread> {
    const options = { script: SCRIPT, workerData: null, workers: 1, name: 'look-ups', jobMs: JOB_MS };
    return new IndexThread(await WorkerPool.start<IndexAnswer>(options));
  }

  /** Opens a file, and makes it if it is missing, damaged or has another source. @throws IndexFileError */
  async open(file: IndexFile): Promise<Progress> {
    const progress = await this.#run({ kind: 'open', file });
    if (!progress) throw new IndexFileError('no file is open');
    return progress;
  }

  /** Writes a batch and its progress, or nothing. @throws IndexFileError */
  async commit(batch: Omit<Commit, 'kind'>): Promise<void> {
    await this.#run({ kind: 'commit', ...batch });
  }

  /** Closes an open file. */
  async close(path: string): Promise<void> {
    await this.#run({ kind: 'close', path });
  }

  /** Ends the thread. */
  async end(): Promise<void> {
    await this.#pool.close();
  }

  async #run(job: IndexJob): Promise<Progress | null> {
    const answer = await this.#pool.run(() => ({ job, transfer: [] }));
    if ('error' in answer) throw new IndexFileError(answer.error);
    return answer.progress;
  }
}
