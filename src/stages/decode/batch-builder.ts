import { STEP_COUNTED } from '../../../pipelines/decode.ts';
import type { Batch } from '../../platform/clickhouse/sink/batch.ts';
import { stepRows } from '../../platform/clickhouse/sink/step-rows.ts';
import type { BaseColumns } from '../../ton/columns/base-columns.ts';
import { appendParts } from '../../ton/kernel/native-parts.ts';
import {
  type BatchCounts,
  ChunkStream,
  type ChunkStreamPorts,
  holdsCopiesOnly,
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

/** A batch under construction: chunks that follow each other, their rows in one set of columns. */
export class BatchBuilder {
  readonly columns: BaseColumns;
  readonly #counts: BatchCounts = { ...NO_COUNTS };
  #first: OffsetRange | null = null;
  #last: OffsetRange | null = null;
  /** The first and last chunk with something new. */
  #firstNew: OffsetRange | null = null;
  #lastNew: OffsetRange | null = null;

  /** `columns`: without rows, and the batch's alone. */
  constructor(columns: BaseColumns) {
    this.columns = columns;
  }

  get isEmpty(): boolean {
    return this.#first === null;
  }

  /** Of a batch that is not empty. */
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
    for (const parts of chunk.decoded.parts) appendParts(this.columns, parts);
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

  /** The batch: its tables are the columns, and how many rows they have for each step. */
  batch(): Batch {
    const { counts: _, ...range } = this.range();
    const tables = Object.values(this.columns.tables);
    return { ...range, tables: [...tables, stepRows(STEP_COUNTED, tables)] };
  }
}

/** Decodes all records that `read` gives, which must be of one epoch, into one batch; it is empty where there are none. */
export async function buildBatch(
  read: ReadRecords,
  from: number,
  columns: BaseColumns,
  seen: SeenBlocks,
  ports: ChunkStreamPorts,
): Promise<BatchBuilder> {
  const stream = new ChunkStream(read, from, seen, ports);
  const batch = new BatchBuilder(columns);
  try {
    for (let chunk = await stream.next(); chunk; chunk = await stream.next()) batch.add(chunk);
    return batch;
  } finally {
    await stream.close();
  }
}
