import { WorkerPool } from '../../platform/threads/worker-pool.ts';
import type { DecodeAnswer } from './decode-job.ts';

/** Threads that decode. */
export interface ThreadLimits {
  /** Threads, at least 1. */
  readonly workers: number;
  /** A thread that takes longer for a chunk is given up and replaced, ms. Default 60,000. */
  readonly chunkMs?: number;
  /** Memory of a thread's JavaScript, MiB: beyond it the thread ends, not the process. Default 1,024. */
  readonly heapMb?: number;
}

export type DecodePool = WorkerPool<DecodeAnswer>;

/** Threads in use; to be given back once. */
export interface BorrowedThreads {
  readonly pool: DecodePool;
  /** Ends the threads if nobody else uses them. */
  giveBack(): Promise<void>;
}

interface SharedThreads {
  readonly starting: Promise<DecodePool>;
  users: number;
}

/** Chunks are far from it, so that a block of the largest size on a busy machine is not taken for a hang. */
const CHUNK_MS = 60_000;
const HEAP_MB = 1_024;
const WORKER = new URL('./decode-worker.ts', import.meta.url);

/** By limits. The decoders of a process share threads: with threads of their own, six projections had six times as many. */
const shared = new Map<string, SharedThreads>();

/** Starts threads, or joins those that run with the same limits. Throws `WorkerStartError` if they cannot start. */
export async function borrowThreads(limits: ThreadLimits): Promise<BorrowedThreads> {
  const { workers, chunkMs = CHUNK_MS, heapMb = HEAP_MB } = limits;
  const key = [workers, chunkMs, heapMb].join();
  const threads = shared.get(key) ?? {
    starting: WorkerPool.start<DecodeAnswer>({
      ...{ script: WORKER, workerData: null, workers, name: 'decode', jobMs: chunkMs },
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    }),
    users: 0,
  };
  shared.set(key, threads);
  threads.users++;
  const giveBack = async (): Promise<void> => {
    if (--threads.users > 0) return;
    if (shared.get(key) === threads) shared.delete(key);
    await (await threads.starting).close();
  };
  try {
    const pool = await threads.starting;
    if (pool.isRunning) return { pool, giveBack };
  } catch (error) {
    if (shared.get(key) === threads) shared.delete(key);
    throw error;
  }
  // Those who use them meet the failure at their next chunk.
  if (shared.get(key) === threads) shared.delete(key);
  await giveBack();
  return borrowThreads(limits);
}
