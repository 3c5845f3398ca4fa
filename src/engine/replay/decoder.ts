import type { LogRecord } from '../../log/port.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import type { ChunkDecoder, DecodeShare } from '../decoding/chunk.ts';
import { ChunkStream } from '../decoding/chunk-stream.ts';
import type { Failure } from '../decoding/failure.ts';
import { SeenBlocks } from '../decoding/seen-blocks.ts';
import { BatchBuilder } from '../lanes/batch-builder.ts';
import { ColumnsPool } from '../lanes/columns-pool.ts';
import { gatherChunks } from '../lanes/gather-chunks.ts';
import type { RowMaker } from '../projection/row-maker.ts';
import type { SinkDefinition } from '../sink/sink-definition.ts';
import type { DecodeRecords, ReplayedBatch } from './history.ts';

/** A block that the stored version was made of cannot be decoded by this code: the new version would lack it. */
export class ReplayRefusedError extends ConflictError {
  readonly key: string;
  readonly position: number;
  readonly code: string;
  constructor({ key, position }: LogRecord, { code, message }: Failure) {
    super(
      `masterchain ${position}: block ${key} was decoded before, and this code refuses it: ${code}: ${message}`,
    );
    this.key = key;
    this.position = position;
    this.code = code;
  }
}

export interface ReplayDecoderOptions {
  readonly decoder: ChunkDecoder;
  readonly batchRows: number;
  /** Epochs at the same time. */
  readonly lanes: number;
  readonly maker: RowMaker;
  readonly definition: SinkDefinition;
  /** Partition of a projection in chain order. */
  readonly share?: DecodeShare;
  /** Landing tables whose rows are there already. */
  readonly leaveOut: readonly string[];
  /** Names of records that could not be decoded before: they may fail again. */
  readonly mayFail: ReadonlySet<string>;
}

/** Raw bytes that make a batch full whatever its transactions. */
const BATCH_BYTES = 24 << 20;
const NOTHING_STORED = { highest: async () => -1, rootHash: async () => null };

/** The decoder of the stage `decode`, for records that do not come from the log. */
export function replayDecoder(options: ReplayDecoderOptions): DecodeRecords {
  const pool = new ColumnsPool(options.maker.createRowSet, options.lanes + 1);
  return (read, from) => batches(read, from, pool, options);
}

async function* batches(
  read: (from: number) => Promise<readonly LogRecord[]>,
  from: number,
  pool: ColumnsPool,
  options: ReplayDecoderOptions,
): AsyncGenerator<ReplayedBatch> {
  const { decoder, maker, batchRows, mayFail, share } = options;
  const put = async (record: LogRecord, failure: Failure) => {
    if (!mayFail.has(record.key)) throw new ReplayRefusedError(record, failure);
  };
  // The rest comes from the log: states, and what may fail.
  const isStored = ({ key, headers }: LogRecord) => headers.kind === 'block' && !mayFail.has(key);
  const readMarked = async (at: number) =>
    (await read(at)).map((record) => ({ ...record, isStored: isStored(record) }));
  const stream = new ChunkStream(readMarked, from, new SeenBlocks(NOTHING_STORED), {
    decoder,
    deadLetters: { put },
    ...(share && { share }),
  });
  let batch: BatchBuilder | null = null;
  try {
    for (let first = await stream.next(); first; first = await stream.next()) {
      const chunks = share === undefined ? [first] : await gatherChunks(stream, first);
      await maker.prepare(chunks.flatMap(({ decoded }) => decoded.parts));
      for (const chunk of chunks) {
        batch ??= new BatchBuilder(await pool.take());
        batch.add(chunk);
        const { transactions, bytes } = batch.counts;
        if (!chunk.endsStep || (transactions < batchRows && bytes < BATCH_BYTES)) continue;
        const full = batch;
        batch = null;
        yield replayed(full, pool, options);
      }
    }
    const last = batch;
    batch = null;
    if (last) yield replayed(last, pool, options);
  } finally {
    if (batch) pool.give(batch.columns);
    await stream.close();
  }
}

function replayed(
  builder: BatchBuilder,
  pool: ColumnsPool,
  { leaveOut, definition, share }: ReplayDecoderOptions,
): ReplayedBatch {
  const complete = builder.batch(definition, share?.partition);
  const batch = { ...complete, tables: complete.tables.filter(({ name }) => !leaveOut.includes(name)) };
  const { blocks, transactions } = builder.counts;
  return { batch, blocks, transactions, release: () => pool.give(builder.columns) };
}
