import { PoolClosedError } from '../../platform/threads/pool-errors.ts';
import type { JobMessage } from '../../platform/threads/pool-thread.ts';
import type { Need } from '../../platform/threads/serve-jobs.ts';
import type { ChunkDecoder, ChunkRecord, DecodedChunk, DecodeShare } from './chunk.ts';
import { type DecodeAnswer, packRecords, sumBytes } from './decode-job.ts';
import { type BorrowedThreads, borrowThreads, type ThreadLimits } from './decode-threads.ts';
import { decodeWithRetry } from './decode-with-retry.ts';
import type { DecoderSource } from './decode-worker.ts';
import { SpareBuffers } from './spare-buffers.ts';

export interface PooledDecoderOptions extends DecoderSource, ThreadLimits {
  /** A thread died: its reason and its records. */
  readonly onWorkerCrash: (text: string) => void;
}

/** About 20 ms of work; the transfer to the thread and back is cheap in comparison. */
const CHUNK_BYTES = 3 << 19;
/** Records' bytes are bought in whole steps, so that a buffer fits the next chunk too. */
const INPUT_STEP = 1 << 20;
const MAX_SPARE = 48;

let decoders = 0;

/** Decodes on threads that the decoders of this process share. Answers come when they are ready. */
export class PooledDecoder implements ChunkDecoder {
  readonly chunkBytes = CHUNK_BYTES;
  readonly ahead: number;
  readonly #threads: BorrowedThreads;
  readonly #need: Need;
  readonly #onWorkerCrash: (text: string) => void;
  readonly #inputs: SpareBuffers;
  readonly #outputs = new SpareBuffers(MAX_SPARE);
  /** End of each chunk that is under way. */
  readonly #open = new Set<(error: Error) => void>();
  #isClosed = false;

  private constructor(threads: BorrowedThreads, { module, options, onWorkerCrash }: PooledDecoderOptions) {
    this.#threads = threads;
    this.#need = { key: ++decoders, data: { module, options } satisfies DecoderSource };
    this.#onWorkerCrash = onWorkerCrash;
    // Each thread has one chunk at hand and one before it.
    this.ahead = threads.pool.workers * 2;
    this.#inputs = new SpareBuffers(this.ahead);
  }

  /** Starts the threads, if they do not run yet. Throws `WorkerStartError` if they, or the decoder, cannot start. */
  static async start(options: PooledDecoderOptions): Promise<PooledDecoder> {
    const decoder = new PooledDecoder(await borrowThreads(options), options);
    try {
      // A fault of the decoder shows before there are records.
      (await decoder.#attempt([])).release();
      return decoder;
    } catch (error) {
      await decoder.close();
      throw error;
    }
  }

  decode(records: readonly ChunkRecord[], share?: DecodeShare): Promise<DecodedChunk> {
    return decodeWithRetry(
      (some) => this.#attempt(some, share),
      records,
      (error, at) => this.#onWorkerCrash(`${error.message}; ${formatKeys(at)}`),
    );
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const end of this.#open) end(new PoolClosedError());
    this.#threads.pool.forget(this.#need.key);
    await this.#threads.giveBack();
  }

  async #attempt(records: readonly ChunkRecord[], share: DecodeShare | null = null): Promise<DecodedChunk> {
    const size = Math.max(1, Math.ceil(sumBytes(records) / INPUT_STEP)) * INPUT_STEP;
    const { input, outcomes, parts } = await this.#run(() => {
      const [own, spare] = [this.#inputs.atLeast(size), this.#outputs.take()];
      const job = packRecords(records, { decoder: this.#need.key, input: own, spare, share });
      return { job, need: this.#need, transfer: spare ? [own, spare] : [own] };
    });
    this.#inputs.give(input);
    return { outcomes, parts: [parts], release: () => this.#outputs.give(parts.buffer) };
  }

  /** An answer of the threads, unless this decoder is closed before: others may still use the threads. */
  #run(make: () => JobMessage): Promise<DecodeAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<DecodeAnswer>();
    if (this.#isClosed) reject(new PoolClosedError());
    this.#open.add(reject);
    this.#threads.pool.run(() => (this.#isClosed ? null : make())).then(resolve, reject);
    return promise.finally(() => this.#open.delete(reject));
  }
}

function formatKeys(records: readonly ChunkRecord[]): string {
  const [first, last] = [records[0]?.key, records.at(-1)?.key];
  return records.length === 1 ? `record ${first}` : `${records.length} records, ${first} to ${last}`;
}
