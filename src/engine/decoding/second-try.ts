import { WorkerDiedError } from '../../platform/threads/pool-errors.ts';
import { type ChunkRecord, type DecodedChunk, isFailure } from './chunk.ts';
import { DecoderStoppedError } from './decoder-stopped-error.ts';
import type { Failure } from './failure.ts';

/** One go at a chunk. */
export type Attempt = (records: readonly ChunkRecord[]) => Promise<DecodedChunk>;

/** Code of dead letters whose record the decoder died of, twice. */
export const DECODER_DIED = 'decoder-died';

/** The decoder ended in the middle of the chunk: one of its records may be the reason. */
function isDeath(error: unknown): error is Error {
  return error instanceof WorkerDiedError || error instanceof DecoderStoppedError;
}

/**
 * Decodes a chunk; where the decoder dies of it, once more, record by record: the one that it dies of again gets its
 * reason, the others their rows. Anything else that goes wrong is thrown.
 */
export async function decodeTwice(
  attempt: Attempt,
  records: readonly ChunkRecord[],
  onDeath: (error: Error, records: readonly ChunkRecord[]) => void,
): Promise<DecodedChunk> {
  try {
    return await attempt(records);
  } catch (error) {
    if (!isDeath(error)) throw error;
    onDeath(error, records);
  }
  const chunks: DecodedChunk[] = [];
  try {
    for (const record of records) chunks.push(await decodeAlone(attempt, record, onDeath));
  } catch (error) {
    for (const chunk of chunks) chunk.release();
    throw error;
  }
  return joined(chunks);
}

async function decodeAlone(
  attempt: Attempt,
  record: ChunkRecord,
  onDeath: (error: Error, records: readonly ChunkRecord[]) => void,
): Promise<DecodedChunk> {
  try {
    return await attempt([record]);
  } catch (error) {
    if (!isDeath(error)) throw error;
    onDeath(error, [record]);
    const failure: Failure = { code: DECODER_DIED, message: `${record.key}: ${error.message}` };
    return { outcomes: [failure], parts: [], release() {} };
  }
}

function joined(chunks: readonly DecodedChunk[]): DecodedChunk {
  return {
    outcomes: chunks.flatMap(({ outcomes }) => outcomes),
    // What was refused left no rows.
    parts: chunks.flatMap(({ outcomes, parts }) => (outcomes.every(isFailure) ? [] : parts)),
    release: () => {
      for (const chunk of chunks) chunk.release();
    },
  };
}
