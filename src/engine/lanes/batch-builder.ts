import {
  type BatchCounts,
  type ChunkStream,
  holdsCopiesOnly,
  type LaneChunk,
  NO_COUNTS,
  type OffsetRange,
} from '../decoding/chunk-stream.ts';
import type { RowMaker } from '../projection/row-maker.ts';
import type { RowSet } from '../projection/row-set.ts';
import type { Batch } from '../sink/batch.ts';
import type { SinkDefinition } from '../sink/sink-definition.ts';
import { stepRows } from '../sink/step-rows.ts';

/** A contiguous offset range of one lane within one epoch, decoded. */
export interface DecodedRange extends OffsetRange {
  readonly counts: BatchCounts;
}

/** A batch under construction: chunks that follow each other, their rows in one set of columns. */
export class BatchBuilder {
  readonly columns: RowSet;
  readonly #counts: BatchCounts = { ...NO_COUNTS };
  #first: OffsetRange | null = null;
  #last: OffsetRange | null = null;
  /** The first and last chunk with something new. */
  #firstNew: OffsetRange | null = null;
  #lastNew: OffsetRange | null = null;

  /** `columns`: empty, and used only by this batch. */
  constructor(columns: RowSet) {
    this.columns = columns;
  }

  get isEmpty(): boolean {
    return this.#first === null;
  }

  /** Epoch of a batch that is not empty. */
  get epoch(): number | undefined {
    return this.#first?.epoch;
  }

  get counts(): Readonly<BatchCounts> {
    return this.#counts;
  }

  /** Appends the chunk's rows and gives its memory back. */
  add(chunk: LaneChunk): void {
    this.#first ??= chunk;
    this.#last = chunk;
    if (!holdsCopiesOnly(chunk)) {
      this.#firstNew ??= chunk;
      this.#lastNew = chunk;
    }
    for (const parts of chunk.decoded.parts) this.columns.append(parts);
    if (chunk.endsStep) this.columns.endStep?.();
    chunk.decoded.release();
    for (const name of Object.keys(NO_COUNTS) as (keyof BatchCounts)[])
      this.#counts[name] += chunk.counts[name];
  }

  range(): DecodedRange {
    if (!this.#first || !this.#last) throw new RangeError('a batch has at least one record');
    const { lane, epoch, from } = this.#first;
    const { next } = this.#last;
    const { firstPosition } = this.#firstNew ?? this.#last;
    const { lastPosition } = this.#lastNew ?? this.#last;
    return { lane, epoch, from, next, firstPosition, lastPosition, counts: this.#counts };
  }

  /**
   * The batch: the columns as its tables, with row counts for each step. `partition`: of a projection in chain order.
   */
  batch(definition: SinkDefinition, partition?: number): Batch {
    const { counts: _, ...range } = this.range();
    const { tables } = this.columns;
    return { ...range, tables: [...tables, stepRows(definition, tables, partition)] };
  }
}

/**
 * Decodes all records of the stream, which must be of one epoch, into one batch, and closes the stream. The batch may
 * be empty.
 */
export async function buildBatch(stream: ChunkStream, maker: RowMaker): Promise<BatchBuilder> {
  const batch = new BatchBuilder(maker.createRowSet());
  try {
    for (let chunk = await stream.next(); chunk; chunk = await stream.next()) {
      await maker.prepare(chunk.decoded.parts);
      batch.add(chunk);
    }
    return batch;
  } finally {
    await stream.close();
  }
}
