import { WorkerDiedError } from '../../platform/threads/pool-errors.ts';
import { type ChunkRecord, type DecodedChunk, isFailure } from './chunk.ts';
import { DecoderStoppedError } from './decoder-stopped-error.ts';
import type { Failure } from './failure.ts';

/** One attempt at a chunk. */
export type Attempt = (records: readonly ChunkRecord[]) => Promise<DecodedChunk>;

/** Code of dead letters whose record crashed the decoder twice. */
export const DECODER_DIED = 'decoder-died';

/** Whether the decoder ended in the middle of the chunk: one of its records may be the reason. */
function isWorkerCrash(error: unknown): error is Error {
  return error instanceof WorkerDiedError || error instanceof DecoderStoppedError;
}

/**
 * Decodes a chunk; after a worker crash retries it record by record: the one that crashes the decoder again is a failure
 * with the reason, the others get their rows. Other errors are thrown.
 */
export async function decodeWithRetry(
  attempt: Attempt,
  records: readonly ChunkRecord[],
  onWorkerCrash: (error: Error, records: readonly ChunkRecord[]) => void,
): Promise<DecodedChunk> {
  try {
    return await attempt(records);
  } catch (error) {
    if (!isWorkerCrash(error)) throw error;
    onWorkerCrash(error, records);
  }
  const chunks: DecodedChunk[] = [];
  try {
    for (const record of records) chunks.push(await decodeSingly(attempt, record, onWorkerCrash));
  } catch (error) {
    for (const chunk of chunks) chunk.release();
    throw error;
  }
  return joined(chunks);
}

async function decodeSingly(
  attempt: Attempt,
  record: ChunkRecord,
  onWorkerCrash: (error: Error, records: readonly ChunkRecord[]) => void,
): Promise<DecodedChunk> {
  try {
    return await attempt([record]);
  } catch (error) {
    if (!isWorkerCrash(error)) throw error;
    onWorkerCrash(error, [record]);
    const failure: Failure = { code: DECODER_DIED, message: `${record.key}: ${error.message}` };
    return { outcomes: [failure], parts: [], release() {} };
  }
}

function joined(chunks: readonly DecodedChunk[]): DecodedChunk {
  return {
    outcomes: chunks.flatMap(({ outcomes }) => outcomes),
    // Refused records left no rows.
    parts: chunks.flatMap(({ outcomes, parts }) => (outcomes.every(isFailure) ? [] : parts)),
    release: () => {
      for (const chunk of chunks) chunk.release();
    },
  };
}
