import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalEntry, LaneLease, LogConsumer, LogRecord, ReadLimit } from '../../platform/bus/port.ts';
import type { Batch, BatchJournal } from '../../platform/clickhouse/sink/batch.ts';
import type { BaseColumns } from '../../ton/columns/base-columns.ts';
import { type BatchBuilderPorts, type BatchCounts, buildRange, type DecodedRange } from './batch-builder.ts';
import type { ColumnsPool } from './columns-pool.ts';
import type { SeenBlocks } from './seen-blocks.ts';

/** Where batches go: exactly once, by the journal (src/platform/clickhouse/sink). */
export interface BatchSink {
  write(batch: Batch, journal: BatchJournal, signal: AbortSignal): Promise<void>;
  recover(
    entry: JournalEntry,
    journal: BatchJournal,
    rebuild: () => Promise<Batch>,
    signal: AbortSignal,
  ): Promise<void>;
}

export interface LaneLoopPorts extends BatchBuilderPorts {
  readonly consumer: LogConsumer;
  readonly sink: BatchSink;
  readonly pool: ColumnsPool;
  readonly batchRows: number;
  readonly batchMs: number;
  readonly onBatch: (range: DecodedRange) => void;
}

/** Raw bytes that make a batch full whatever its transactions: bounds memory on blocks with few transactions. */
const BATCH_BYTES = 24 << 20;
const READ: ReadLimit = { records: 4_096, bytes: BATCH_BYTES };
/** A lane that has nothing new looks again after this, or as soon as the log says so. */
const IDLE_MS = 500;

/** How a lane ends: `stop` after the batch under way, `abort` at once, leaving that batch in the journal. */
export interface LaneSignals {
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
}

/** Works one lane, in order, until it is stopped: recovers what was left open, then batch after batch. */
export class LaneLoop {
  readonly #lease: LaneLease;
  readonly #ports: LaneLoopPorts;
  readonly #seen: SeenBlocks;
  #writing: Promise<void> = Promise.resolve();
  #lastBatchAt = 0;

  constructor(lease: LaneLease, seen: SeenBlocks, ports: LaneLoopPorts) {
    this.#lease = lease;
    this.#seen = seen;
    this.#ports = ports;
  }

  /** Resolves when it was stopped and the batch under way is done; throws `FencedError` when the lane is lost. */
  async run(signals: LaneSignals): Promise<void> {
    const { stop, abort } = signals;
    let offset = await this.#recover(abort);
    try {
      while (!stop.aborted) {
        const records = await this.#ports.consumer.read(this.#lease.lane, offset, READ);
        if (records.length === 0) await this.#ports.consumer.waitForData(IDLE_MS);
        else offset = await this.#batch(records, signals);
      }
    } finally {
      await this.#writing;
    }
  }

  /** Decodes the next batch while the one before is still being inserted; returns the offset behind it. */
  async #batch(records: readonly LogRecord[], { stop, abort }: LaneSignals): Promise<number> {
    await this.#pace(records, stop);
    const columns = await this.#ports.pool.take();
    let range: DecodedRange;
    try {
      range = await buildRange(records, columns, this.#seen, this.#ports, this.#full);
      await this.#writing;
    } catch (error) {
      this.#ports.pool.give(columns);
      throw error;
    }
    if (stop.aborted) {
      this.#ports.pool.give(columns);
      return range.from;
    }
    this.#writing = this.#write(range, columns, abort);
    // The failure is met at the next await of #writing; until then it must not count as unhandled.
    this.#writing.catch(() => {});
    return range.next;
  }

  readonly #full = (counts: BatchCounts): boolean =>
    counts.transactions >= this.#ports.batchRows || counts.bytes >= BATCH_BYTES;

  async #write(range: DecodedRange, columns: BaseColumns, signal: AbortSignal): Promise<void> {
    try {
      await this.#ports.sink.write(batchOf(range, columns), this.#journal(), signal);
      this.#ports.onBatch(range);
    } finally {
      this.#ports.pool.give(columns);
    }
  }

  /** At the head, small batches would make many small parts: the next one waits for its turn. */
  async #pace(records: readonly LogRecord[], signal: AbortSignal): Promise<void> {
    const wait = this.#lastBatchAt + this.#ports.batchMs - Date.now();
    if (records.length < 64 && wait > 0) await sleep(wait, undefined, { signal }).catch(() => {});
    this.#lastBatchAt = Date.now();
  }

  #journal(): BatchJournal {
    const { consumer } = this.#ports;
    return {
      begin: (entry) => consumer.journal(this.#lease, entry),
      confirm: (entry) => consumer.confirm(this.#lease, entry),
    };
  }

  /** What an unclean stop left: the range is measured, and made whole. Returns the first offset to read. */
  async #recover(signal: AbortSignal): Promise<number> {
    const entry = await this.#ports.consumer.pending(this.#lease);
    if (!entry) return this.#lease.committed;
    const columns = await this.#ports.pool.take();
    try {
      const rebuild = async () => batchOf(await this.#rebuild(entry, columns), columns);
      await this.#ports.sink.recover(entry, this.#journal(), rebuild, signal);
    } finally {
      this.#ports.pool.give(columns);
    }
    return entry.next;
  }

  async #rebuild(entry: JournalEntry, columns: BaseColumns): Promise<DecodedRange> {
    columns.reset();
    this.#seen.rewind(entry.firstPosition);
    const records: LogRecord[] = [];
    for (let at = entry.from; at < entry.next; ) {
      const some = await this.#ports.consumer.read(entry.lane, at, READ);
      if (some.length === 0)
        throw new Error(`lane ${entry.lane}: the log ends at ${at}, before ${entry.next}`);
      records.push(...some.filter((record) => record.offset < entry.next));
      at = some[some.length - 1]!.offset + 1;
    }
    return buildRange(records, columns, this.#seen, this.#ports, () => false);
  }
}

/** The batch of a decoded range: the columns by landing table. */
export function batchOf(range: DecodedRange, columns: BaseColumns): Batch {
  const { lane, epoch, from, next, firstPosition, lastPosition } = range;
  return { lane, epoch, from, next, firstPosition, lastPosition, tables: Object.values(columns.tables) };
}
