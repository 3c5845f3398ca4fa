import { setTimeout as sleep, setImmediate as yieldToEvents } from 'node:timers/promises';
import type { JournalEntry, LaneLease, LogConsumer, LogRecord, ReadLimit } from '../../log/port.ts';
import {
  type BatchCounts,
  ChunkStream,
  type ChunkStreamPorts,
  holdsCopiesOnly,
  type LaneChunk,
} from '../decoding/chunk-stream.ts';
import type { SeenBlocks } from '../decoding/seen-blocks.ts';
import type { ProjectionDemand } from '../demand/projection-demand.ts';
import type { RowMaker } from '../projection/row-maker.ts';
import type { Batch, BatchJournal } from '../sink/batch.ts';
import type { SinkDefinition } from '../sink/sink-definition.ts';
import { BatchBuilder, buildBatch, type DecodedRange } from './batch-builder.ts';
import type { ColumnsPool } from './columns-pool.ts';
import { gatherChunks } from './gather-chunks.ts';
import { HeadPace } from './head-pace.ts';
import type { LaneSignals } from './run-member.ts';

/** Sink of batches: exactly once, by the journal (src/engine/sink). */
export interface BatchSink {
  write(batch: Batch, journal: BatchJournal, signal: AbortSignal, onVisible: () => void): Promise<void>;
  recover(
    entry: JournalEntry,
    journal: BatchJournal,
    rebuild: () => Promise<Batch>,
    signal: AbortSignal,
  ): Promise<void>;
}

/** Makes a lane's rows, in sets that are used in turns. */
export interface LaneRows {
  readonly maker: RowMaker;
  readonly pool: ColumnsPool;
}

export interface LaneLoopPorts extends ChunkStreamPorts {
  readonly consumer: LogConsumer;
  readonly sink: BatchSink;
  /** Begins to make the lane's rows: everything below the offset is in the store. */
  readonly beginRows: (from: number) => LaneRows;
  readonly definition: SinkDefinition;
  /** Partition of a projection in chain order. */
  readonly partition?: number;
  readonly batchRows: number;
  readonly batchMs: number;
  /** Lets the lane idle at the head without requests. Default: it never idles. */
  readonly demand?: ProjectionDemand | undefined;
  readonly onBatch: (range: DecodedRange) => void;
}

/** Raw bytes that make a batch full whatever its transactions: bounds memory on blocks with few transactions. */
const BATCH_BYTES = 24 << 20;
/** Real blocks have more bytes a transaction: a chunk is a part of a batch, whatever makes that full. */
const TRANSACTION_BYTES = 512;
const READ: ReadLimit = { records: 4_096, bytes: 8 << 20 };
/** An idle lane polls after this time, or when the log signals new records. */
const IDLE_MS = 500;
/** A batch that still grows is written at this age, if the one before is: others wait for a slot. */
const GROWING_MS = 5_000;

/** Works one lane, in order, until it is stopped: recovers what was left open, then batch after batch. */
export class LaneLoop {
  readonly #lease: LaneLease;
  readonly #ports: LaneLoopPorts;
  readonly #seen: SeenBlocks;
  #rows: LaneRows;
  #batch: BatchBuilder | null = null;
  #beganAt = Number.NEGATIVE_INFINITY;
  #lastWriteAt = 0;
  readonly #pace = new HeadPace();
  /** Transactions that were handed over since the last rest began, and when that was. */
  #sinceRest = { transactions: 0, at: performance.now() };
  /** The log had nothing more at the last look. */
  #isAtEnd = false;
  /** The insert under way; null when there is none. */
  #writing: Promise<void> | null = null;
  /** An insert failed: met by the next look. */
  #failure: { readonly error: unknown } | null = null;

  constructor(lease: LaneLease, seen: SeenBlocks, ports: LaneLoopPorts) {
    this.#lease = lease;
    this.#seen = seen;
    this.#ports = ports;
    this.#rows = ports.beginRows(lease.committed);
  }

  /** Resolves when it was stopped and the batch under way is done; throws `FencedError` when the lane is lost. */
  async run(signals: LaneSignals): Promise<void> {
    const offset = await this.#recover(signals.abort);
    this.#rows = this.#ports.beginRows(offset);
    const read = (from: number) => this.#ports.consumer.read(this.#lease.lane, from, READ);
    const { decoder, batchRows } = this.#ports;
    const chunkBytes = Math.min(decoder.chunkBytes, batchRows * TRANSACTION_BYTES);
    const stream = new ChunkStream(read, offset, this.#seen, { ...this.#ports, chunkBytes });
    try {
      while (!signals.stop.aborted) {
        this.#throwFailure();
        if (await this.#rest(signals.stop)) continue;
        const chunk = await stream.next();
        this.#isAtEnd = chunk === null;
        if (chunk) await this.#addAll(await this.#gather(stream, chunk), signals);
        else if (this.#batch && this.#isDue()) await this.#write(signals);
        else await this.#waitForMore(signals.stop);
      }
    } finally {
      this.#drop();
      await stream.close();
      await this.#writing;
      this.#ports.demand?.settled(this);
    }
    this.#throwFailure();
  }

  /** Chunks whose state is loaded together. Only rows in chain order have state. */
  async #gather(stream: ChunkStream, chunk: LaneChunk): Promise<readonly LaneChunk[]> {
    return this.#ports.partition === undefined ? [chunk] : gatherChunks(stream, chunk);
  }

  async #addAll(chunks: readonly LaneChunk[], signals: LaneSignals): Promise<void> {
    await this.#rows.maker.prepare(chunks.flatMap(({ decoded }) => decoded.parts));
    for (const chunk of chunks) {
      await this.#add(chunk, signals);
      // Leases are renewed and clients answered between two chunks.
      if (chunks.length > 1) await yieldToEvents();
    }
  }

  /** While a batch is being inserted the next one grows. */
  async #add(chunk: LaneChunk, signals: LaneSignals): Promise<void> {
    if (this.#batch && this.#batch.epoch !== chunk.epoch) await this.#write(signals);
    if (!this.#batch) {
      this.#batch = new BatchBuilder(await this.#rows.pool.take());
      this.#beganAt = performance.now();
    }
    this.#batch.add(chunk);
    this.#sinceRest.transactions += chunk.counts.transactions;
    if (chunk.endsStep && (this.#isFull(this.#batch.counts) || this.#isOld())) await this.#write(signals);
  }

  #isFull({ transactions, bytes }: BatchCounts): boolean {
    return transactions >= this.#ports.batchRows || bytes >= BATCH_BYTES;
  }

  #isOld(): boolean {
    return !this.#writing && performance.now() - this.#beganAt >= GROWING_MS;
  }

  /** At the head, small batches would make many small parts: the next one waits for its turn. */
  #isDue(): boolean {
    return !this.#writing && this.#dueInMs() <= 0;
  }

  #dueInMs(): number {
    const { batchMs } = this.#ports;
    return Math.max(this.#lastWriteAt + batchMs, this.#pace.nextAt(this.#lastWriteAt)) - performance.now();
  }

  /** Idles if everything in the log is written and no client asks; false if there is work. */
  async #rest(stop: AbortSignal): Promise<boolean> {
    const { demand } = this.#ports;
    if (!demand || !this.#isAtEnd || this.#batch || demand.isActive) return false;
    // Records that come during a write are for the batch after the rest: else a slow store would never see larger ones.
    if (this.#writing) {
      await this.#writing;
      return true;
    }
    demand.settled(this);
    const { transactions, at } = this.#sinceRest;
    this.#sinceRest = { transactions: 0, at: performance.now() };
    await demand.idle(this, stop, transactions / Math.max(1, (this.#sinceRest.at - at) / 1_000));
    this.#isAtEnd = false;
    return true;
  }

  /** Until the log has more, or the batch at hand may be due. */
  async #waitForMore(stop: AbortSignal): Promise<void> {
    if (!this.#batch && !this.#writing) this.#ports.demand?.settled(this);
    const more = this.#ports.consumer.waitForData(IDLE_MS);
    if (!this.#batch) return more;
    const waking = new AbortController();
    const signal = AbortSignal.any([stop, waking.signal]);
    const due = this.#writing ?? sleep(Math.max(1, this.#dueInMs()), undefined, { signal });
    // The last of them may fail: a lasting failure is met again.
    for (const promise of [more, due]) promise.catch(() => {});
    await Promise.race([more, due.catch(() => {})]);
    waking.abort();
  }

  /** Hands the batch over to be inserted, once the one before it is. */
  async #write({ stop, abort }: LaneSignals): Promise<void> {
    await this.#writing;
    this.#throwFailure();
    if (stop.aborted || !this.#batch) return;
    const batch = this.#batch;
    this.#batch = null;
    this.#lastWriteAt = performance.now();
    this.#writing = this.#insert(batch, abort).then(
      () => {
        this.#writing = null;
        this.#pace.wrote(performance.now() - this.#lastWriteAt, batch.counts.steps);
        this.#ports.demand?.settled(this);
      },
      (error: unknown) => {
        this.#writing = null;
        this.#failure = { error };
      },
    );
  }

  async #insert(batch: BatchBuilder, signal: AbortSignal): Promise<void> {
    try {
      const range = batch.range();
      const onVisible = this.#notifyOnce(range);
      // Copies leave no rows: only the offset moves.
      if (holdsCopiesOnly(range)) await this.#ports.consumer.commit(this.#lease, range.next);
      else await this.#ports.sink.write(batch.batch(...this.#counts()), this.#journal(), signal, onVisible);
      this.#rows.maker.confirmed(range.lastPosition);
      onVisible();
    } finally {
      this.#rows.pool.give(batch.columns);
    }
  }

  /** Notifies readers as soon as the range is visible: only the journal's part of the batch remains. */
  #notifyOnce(range: DecodedRange): () => void {
    let isNotified = false;
    return () => {
      if (isNotified) return;
      isNotified = true;
      this.#ports.onBatch(range);
      this.#ports.demand?.settled(this);
    };
  }

  #counts(): [SinkDefinition, number?] {
    const { definition, partition } = this.#ports;
    return partition === undefined ? [definition] : [definition, partition];
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  /** Drops decoded records that were not handed over: the next start decodes them again. */
  #drop(): void {
    if (!this.#batch) return;
    this.#rows.pool.give(this.#batch.columns);
    this.#batch = null;
  }

  #journal(): BatchJournal {
    const { consumer } = this.#ports;
    return {
      begin: (entry) => consumer.journal(this.#lease, entry),
      confirm: (entry) => consumer.confirm(this.#lease, entry),
      left: () => consumer.left(this.#lease),
    };
  }

  /** Recovers from an unclean stop: measures the open range and completes it. Returns the first offset to read. */
  async #recover(signal: AbortSignal): Promise<number> {
    const entry = await this.#ports.consumer.pending(this.#lease);
    if (!entry) return this.#lease.committed;
    const rebuild = async () => (await this.#rebuild(entry)).batch(...this.#counts());
    await this.#ports.sink.recover(entry, this.#journal(), rebuild, signal);
    return entry.next;
  }

  /** May be called more than once: each time from the state before the range. */
  async #rebuild(entry: JournalEntry): Promise<BatchBuilder> {
    this.#seen.rewind(entry.firstPosition);
    const read = (at: number) => this.#readBelow(entry, at);
    const stream = new ChunkStream(read, entry.from, this.#seen, this.#ports);
    return buildBatch(stream, this.#ports.beginRows(entry.from).maker);
  }

  async #readBelow({ lane, next }: JournalEntry, at: number): Promise<readonly LogRecord[]> {
    if (at >= next) return [];
    const records = await this.#ports.consumer.read(lane, at, READ);
    if (records.length === 0) throw new Error(`lane ${lane}: the log ends at ${at}, before ${next}`);
    return records.filter(({ offset }) => offset < next);
  }
}
