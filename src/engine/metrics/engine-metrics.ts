import type { Counter, Histogram, Metrics } from '../../platform/observability/metrics/metrics.ts';

type OfProjection = Counter<'projection'>;

/** Counts of a batch of rows. */
export interface IndexedCounts {
  readonly steps: number;
  readonly blocks: number;
  readonly transactions: number;
  readonly messages: number;
  readonly bytes: number;
  readonly duplicates: number;
  readonly deadLetters: number;
}

/** Counts of a batch of published records. */
export interface PublishedCounts {
  readonly blocks: number;
  readonly records: number;
  readonly repeated: number;
  readonly deadLetters: number;
}

/** Work of this process, by projection: counters, whose rates show the speed, and durations of inserts. */
export class EngineMetrics {
  readonly #blocks: OfProjection;
  readonly #steps: OfProjection;
  readonly #transactions: OfProjection;
  readonly #messages: OfProjection;
  readonly #bytes: OfProjection;
  readonly #batches: OfProjection;
  readonly #duplicates: OfProjection;
  readonly #deadLetters: OfProjection;
  readonly #records: OfProjection;
  readonly #inserts: Histogram<'projection' | 'table'>;

  constructor(metrics: Metrics) {
    const counter = (name: string, help: string): OfProjection =>
      metrics.counter({ name, help, labels: ['projection'] });
    this.#blocks = counter('tonhouse_indexed_blocks_total', 'Blocks that this process confirmed');
    this.#steps = counter('tonhouse_indexed_steps_total', 'Masterchain steps that this process confirmed');
    this.#transactions = counter('tonhouse_indexed_transactions_total', 'Transactions of those blocks');
    this.#messages = counter('tonhouse_indexed_messages_total', 'Messages of those blocks');
    this.#bytes = counter('tonhouse_indexed_bytes_total', 'Bytes of those blocks as the log has them');
    this.#batches = counter('tonhouse_batches_total', 'Batches that this process confirmed');
    this.#duplicates = counter('tonhouse_duplicate_records_total', 'Copies in the log that were left out');
    this.#deadLetters = counter('tonhouse_dead_letters_total', 'Dead letters that this process wrote');
    this.#records = counter('tonhouse_published_records_total', 'Records that this process published');
    this.#inserts = metrics.durations({
      name: 'tonhouse_store_insert_duration_seconds',
      help: 'Inserts into one landing table, the failed ones included',
      labels: ['projection', 'table'],
    });
  }

  /** A batch of rows was confirmed. */
  indexed(projection: string, counts: IndexedCounts): void {
    const labels = { projection };
    this.#batches.inc(labels);
    this.#blocks.inc(labels, counts.blocks);
    this.#steps.inc(labels, counts.steps);
    this.#transactions.inc(labels, counts.transactions);
    this.#messages.inc(labels, counts.messages);
    this.#bytes.inc(labels, counts.bytes);
    this.#duplicates.inc(labels, counts.duplicates);
    this.#deadLetters.inc(labels, counts.deadLetters);
  }

  /** A batch of records was published. */
  published(projection: string, counts: PublishedCounts): void {
    const labels = { projection };
    this.#batches.inc(labels);
    this.#blocks.inc(labels, counts.blocks);
    this.#records.inc(labels, counts.records);
    this.#duplicates.inc(labels, counts.repeated);
    this.#deadLetters.inc(labels, counts.deadLetters);
  }

  /** Begins to time an insert; the answer ends it. */
  insert(projection: string, table: string): () => void {
    return this.#inserts.startTimer({ projection, table });
  }
}
