import type {
  LaneLease,
  LaneTransform,
  LogConsumer,
  LogRecord,
  OutputRecord,
  ReadLimit,
  TransformProgress,
} from '../../log/port.ts';
import { type ChunkDecoder, type DecodedChunk, isFailure } from '../decoding/chunk.ts';
import type { DeadLetterSink } from '../decoding/failure.ts';
import type { OutputBatch } from '../projection/projection.ts';
import { PublishedSteps } from './published-steps.ts';

/** Records that one transaction made visible. */
export interface PublishedBatch {
  readonly lane: number;
  readonly next: number;
  readonly blocks: number;
  readonly records: number;
  readonly deadLetters: number;
  readonly repeated: number;
}

/** Ports of a lane whose records become records of other topics. */
export interface TopicLanePorts {
  readonly consumer: LogConsumer;
  readonly decoder: ChunkDecoder;
  readonly beginOutput: () => OutputBatch;
  /** Takes a lane over; throws `FencedError` if another member has it. */
  readonly transform: (lease: LaneLease) => Promise<LaneTransform>;
  readonly deadLetters: DeadLetterSink;
  readonly onBatch: (batch: PublishedBatch) => void;
  /** Something that people should know: a step that stood in the log twice. */
  readonly onNotice: (text: string) => void;
}

/** Raw blocks that make a transaction: readers of committed records wait for its end. */
const READ: ReadLimit = { records: 256, bytes: 2 << 20 };
/** An idle lane polls after this time, or when the log signals new records. */
const IDLE_MS = 500;

interface Prepared {
  readonly batch: PublishedBatch;
  readonly output: readonly OutputRecord[];
  readonly progress: TransformProgress;
}

/** Works one lane, in order, until it is stopped: while a transaction is under way the next one is prepared. */
export class TopicLane {
  readonly #lease: LaneLease;
  readonly #ports: TopicLanePorts;
  #steps = PublishedSteps.parse('');

  constructor(lease: LaneLease, ports: TopicLanePorts) {
    this.#lease = lease;
    this.#ports = ports;
  }

  /** Resolves when it was stopped and the transaction under way is done; throws `FencedError` when the lane is lost. */
  async run(stop: AbortSignal): Promise<void> {
    const transform = await this.#ports.transform(this.#lease);
    let ahead: Promise<Prepared | null> | null = null;
    try {
      this.#steps = PublishedSteps.parse(transform.progress.note);
      let { next } = transform.progress;
      while (!stop.aborted) {
        const prepared: Prepared | null = await (ahead ?? this.#prepare(next));
        ahead = null;
        if (!prepared) {
          await this.#idle(transform);
          continue;
        }
        next = prepared.progress.next;
        ahead = this.#prepare(next);
        // Handled at its turn, or never: the next owner prepares unwritten records again.
        ahead.catch(() => {});
        await transform.write(prepared.output, prepared.progress);
        this.#ports.onBatch(prepared.batch);
      }
      await transform.settle();
    } finally {
      await ahead?.catch(() => {});
      await transform.close();
    }
  }

  async #idle(transform: LaneTransform): Promise<void> {
    await transform.settle();
    await this.#ports.consumer.waitForData(IDLE_MS);
  }

  /** Records from `from` on, as records of the typed topics; null if there are none now. */
  async #prepare(from: number): Promise<Prepared | null> {
    const { lane } = this.#lease;
    const records = await this.#ports.consumer.read(lane, from, READ);
    const last = records.at(-1);
    if (!last) return null;
    const counts = { blocks: 0, deadLetters: 0, repeated: 0 };
    const output = await this.#buildOutput(this.#fresh(records, counts), counts);
    const next = last.offset + 1;
    const progress = { next, note: this.#steps.toString() };
    return { batch: { lane, next, records: output.length, ...counts }, output, progress };
  }

  /** Without the steps that are out already. */
  #fresh(records: readonly LogRecord[], counts: { repeated: number }): LogRecord[] {
    return records.filter((record) => {
      const isNew = !this.#steps.has(record);
      if (isNew && record.endsStep) this.#steps.add(record);
      if (isNew) return true;
      counts.repeated++;
      const { key, lane, offset } = record;
      this.#ports.onNotice(`lane ${lane}, offset ${offset}: ${key} is of a step that was published before`);
      return false;
    });
  }

  async #buildOutput(
    records: readonly LogRecord[],
    counts: { blocks: number; deadLetters: number },
  ): Promise<OutputRecord[]> {
    const { decoder, beginOutput, deadLetters } = this.#ports;
    // Record by record, so that every row is known by the place of its block in the log.
    const decoding = records.map((record) => decoder.decode([record]));
    for (const one of decoding) one.catch(() => {});
    const batch = beginOutput();
    const output: OutputRecord[] = [];
    let at = 0;
    try {
      for (; at < records.length; at++) {
        const [record, chunk] = [records[at] as LogRecord, await (decoding[at] as Promise<DecodedChunk>)];
        const failure = chunk.outcomes.find(isFailure);
        if (failure) {
          await deadLetters.put(record, failure);
          counts.deadLetters++;
        } else {
          for (const parts of chunk.parts) for (const made of batch.encode(parts, record)) output.push(made);
          counts.blocks++;
        }
        chunk.release();
      }
      return output;
    } finally {
      for (const left of await Promise.allSettled(decoding.slice(at)))
        if (left.status === 'fulfilled') left.value.release();
    }
  }
}
