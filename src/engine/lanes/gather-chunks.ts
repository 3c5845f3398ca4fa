import type { ChunkStream, LaneChunk } from '../decoding/chunk-stream.ts';

/** Bounds of what is gathered: it is in memory together, decoded. */
const MAX_BYTES = 8 << 20;
const MAX_TRANSACTIONS = 4_000;

/**
 * The chunk and the next ones that the stream has at hand. Their state is loaded by the same statements: these cost the
 * store about as much for a chunk with few transactions as for several.
 */
export async function gatherChunks(
  stream: Pick<ChunkStream, 'next' | 'hasMore'>,
  first: LaneChunk,
): Promise<readonly LaneChunk[]> {
  const chunks = [first];
  let { bytes, transactions } = first.counts;
  try {
    while (bytes < MAX_BYTES && transactions < MAX_TRANSACTIONS && stream.hasMore) {
      const chunk = await stream.next();
      if (!chunk) break;
      chunks.push(chunk);
      bytes += chunk.counts.bytes;
      transactions += chunk.counts.transactions;
    }
    return chunks;
  } catch (error) {
    for (const { decoded } of chunks) decoded.release();
    throw error;
  }
}
