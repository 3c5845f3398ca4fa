import { WorkerPool } from '../../platform/threads/worker-pool.ts';
import type { ChunkDecoder, ChunkRecord, DecodedChunk } from './chunk.ts';
import { type DecodeAnswer, packRecords, sumBytes } from './decode-job.ts';
import { decodeWithRetry } from './decode-with-retry.ts';
import type { DecodeWorkerData } from './decode-worker.ts';
import { SpareBuffers } from './spare-buffers.ts';

export interface PooledDecoderOptions extends DecodeWorkerData {
  /** Threads, at least 1. */
  readonly workers: number;
  /** A thread that takes longer for a chunk is given up and replaced, ms. Default 60,000. */
  readonly chunkMs?: number;
  /** Memory of a thread's JavaScript, MiB: beyond it the thread ends, not the process. Default 1,024. */
  readonly heapMb?: number;
  /** A thread died: its reason and its records. */
  readonly onWorkerCrash: (text: string) => void;
}

/** About 20 ms of work; the transfer to the thread and back is cheap in comparison. */
const CHUNK_BYTES = 3 << 19;
/** Chunks are far from it, so that a block of the largest size on a busy machine is not taken for a hang. */
const CHUNK_MS = 60_000;
const HEAP_MB = 1_024;
/** Records' bytes are bought in whole steps, so that a buffer fits the next chunk too. */
const INPUT_STEP = 1 << 20;
const MAX_SPARE = 48;

const WORKER = new URL('./decode-worker.ts', import.meta.url);

/** Decodes on threads of its own. Order is the caller's matter: answers come when they are ready. */
export class PooledDecoder implements ChunkDecoder {
  readonly chunkBytes = CHUNK_BYTES;
  readonly ahead: number;
  readonly #pool: WorkerPool<DecodeAnswer>;
  readonly #onWorkerCrash: (text: string) => void;
  readonly #inputs: SpareBuffers;
  readonly #outputs = new SpareBuffers(MAX_SPARE);

  private constructor(pool: WorkerPool<DecodeAnswer>, onWorkerCrash: (text: string) => void) {
    this.#pool = pool;
    this.#onWorkerCrash = onWorkerCrash;
    // Each thread has one chunk at hand and one before it.
    this.ahead = pool.workers * 2;
    this.#inputs = new SpareBuffers(this.ahead);
  }

  /** Starts the threads. Throws `WorkerStartError` if they cannot start. */
  static async start(options: PooledDecoderOptions): Promise<PooledDecoder> {
    const { module, options: own, workers, chunkMs = CHUNK_MS, heapMb = HEAP_MB, onWorkerCrash } = options;
    const workerData: DecodeWorkerData = { module, options: own };
    const pool = await WorkerPool.start<DecodeAnswer>({
      script: WORKER,
      workerData,
      workers,
      name: 'decode',
      jobMs: chunkMs,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    return new PooledDecoder(pool, onWorkerCrash);
  }

  decode(records: readonly ChunkRecord[]): Promise<DecodedChunk> {
    return decodeWithRetry(
      (some) => this.#attempt(some),
      records,
      (error, at) => this.#onWorkerCrash(`${error.message}; ${formatKeys(at)}`),
    );
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #attempt(records: readonly ChunkRecord[]): Promise<DecodedChunk> {
    const size = Math.max(1, Math.ceil(sumBytes(records) / INPUT_STEP)) * INPUT_STEP;
    const { input, outcomes, parts } = await this.#pool.run(() => {
      const job = packRecords(records, this.#inputs.atLeast(size), this.#outputs.take());
      return { job, transfer: job.spare ? [job.input, job.spare] : [job.input] };
    });
    this.#inputs.give(input);
    return { outcomes, parts: [parts], release: () => this.#outputs.give(parts.buffer) };
  }
}

function formatKeys(records: readonly ChunkRecord[]): string {
  const [first, last] = [records[0]?.key, records.at(-1)?.key];
  return records.length === 1 ? `record ${first}` : `${records.length} records, ${first} to ${last}`;
}
