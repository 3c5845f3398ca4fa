import { setImmediate } from 'node:timers/promises';
import type { ChunkDecoder, ChunkRecord, DecodedChunk, DecodeRecords, DecodeShare } from './chunk.ts';
import { decodeWithRetry } from './decode-with-retry.ts';
import { SpareBuffers } from './spare-buffers.ts';

/** A few milliseconds of work: other things of the thread (leases, HTTP) come in between. */
const CHUNK_BYTES = 256 << 10;
const MAX_SPARE = 16;

/** Decodes on the caller's thread. */
export class LocalDecoder implements ChunkDecoder {
  readonly chunkBytes = CHUNK_BYTES;
  readonly ahead = 1;
  readonly #decode: DecodeRecords;
  readonly #spare = new SpareBuffers(MAX_SPARE);
  readonly #onWorkerCrash: (text: string) => void;

  constructor(decode: DecodeRecords, onWorkerCrash: (text: string) => void = () => {}) {
    this.#decode = decode;
    this.#onWorkerCrash = onWorkerCrash;
  }

  decode(records: readonly ChunkRecord[], share?: DecodeShare): Promise<DecodedChunk> {
    return decodeWithRetry(
      (some) => this.#attempt(some, share),
      records,
      (error) => this.#onWorkerCrash(error.message),
    );
  }

  async close(): Promise<void> {}

  async #attempt(records: readonly ChunkRecord[], share?: DecodeShare): Promise<DecodedChunk> {
    await setImmediate();
    const { outcomes, parts } = this.#decode(records, this.#spare.take(), share);
    return { outcomes, parts: [parts], release: () => this.#spare.give(parts.buffer) };
  }
}
