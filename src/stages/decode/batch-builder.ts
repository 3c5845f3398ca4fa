import type { Batch } from '../../platform/clickhouse/sink/batch.ts';
import { BatchTables } from './batch-tables.ts';
import type { DecodedChunk } from './chunk.ts';
import {
  type BatchCounts,
  ChunkStream,
  type ChunkStreamPorts,
  type LaneChunk,
  NO_COUNTS,
  type OffsetRange,
  type ReadRecords,
} from './chunk-stream.ts';
import type { SeenBlocks } from './seen-blocks.ts';

/** A contiguous offset range of one lane within one epoch, decoded. */
export interface DecodedRange extends OffsetRange {
  readonly counts: BatchCounts;
}

/** A batch under construction: chunks that follow each other. Its rows are not copied: the chunks keep them. */
export class BatchBuilder {
  readonly #tables = new BatchTables();
  readonly #chunks: DecodedChunk[] = [];
  readonly #counts: BatchCounts = { ...NO_COUNTS };
  readonly #first: OffsetRange;
  #last: OffsetRange;

  constructor(first: LaneChunk) {
    this.#first = first;
    this.#last = first;
    this.add(first);
  }

  get epoch(): number {
    return this.#first.epoch;
  }

  get counts(): Readonly<BatchCounts> {
    return this.#counts;
  }

  add(chunk: LaneChunk): void {
    this.#last = chunk;
    this.#chunks.push(chunk.decoded);
    for (const parts of chunk.decoded.parts) this.#tables.add(parts);
    for (const name of Object.keys(NO_COUNTS) as (keyof BatchCounts)[])
      this.#counts[name] += chunk.counts[name];
  }

  range(): DecodedRange {
    const { lane, epoch, from, firstPosition } = this.#first;
    const { next, lastPosition } = this.#last;
    return { lane, epoch, from, next, firstPosition, lastPosition, counts: this.#counts };
  }

  /** The batch: its tables are valid until `release`. */
  batch(): Batch {
    const { counts: _, ...range } = this.range();
    return { ...range, tables: this.#tables.tables() };
  }

  release(): void {
    for (const chunk of this.#chunks.splice(0)) chunk.release();
  }
}

/** Decodes all records that `read` gives, which must be of one epoch, into one batch; null where there are none. */
export async function buildBatch(
  read: ReadRecords,
  from: number,
  seen: SeenBlocks,
  ports: ChunkStreamPorts,
): Promise<BatchBuilder | null> {
  const stream = new ChunkStream(read, from, seen, ports);
  let batch: BatchBuilder | null = null;
  try {
    for (let chunk = await stream.next(); chunk; chunk = await stream.next()) {
      if (batch) batch.add(chunk);
      else batch = new BatchBuilder(chunk);
    }
    return batch;
  } catch (error) {
    batch?.release();
    throw error;
  } finally {
    await stream.close();
  }
}
