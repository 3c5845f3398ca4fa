import type { JournalEntry, LaneLease, LogConsumer, LogRecord } from '../../log/port.ts';
import { type DeadLetter, openDeadLetters, resolveDeadLetter } from '../dead-letters/dead-letter-list.ts';
import { type ChunkDecoder, isFailure } from '../decoding/chunk.ts';
import { ChunkStream } from '../decoding/chunk-stream.ts';
import { SeenBlocks } from '../decoding/seen-blocks.ts';
import { startStoreDecoder } from '../decoding/start-decoder.ts';
import type { DecoderSettings, EngineParts } from '../engine-parts.ts';
import { buildBatch } from '../lanes/batch-builder.ts';
import { partsOfVersion, tableSink } from '../lanes/lane-options.ts';
import { getPartitions, stepCounted } from '../projection/projection.ts';
import type { Batch } from '../sink/batch.ts';
import { getDatabase, getRetryGroup } from '../versions/version-names.ts';
import { tryChainDeadLetters } from './try-chain-dead-letters.ts';

export interface RetrySettings extends DecoderSettings {
  readonly sessionMs: number;
}

/**
 * Decodes the records of a projection's open dead letters again, from their original offsets. A block's rows cannot be
 * distinguished from other rows of its step in the counts, so the whole masterchain step is replaced.
 */
export async function retryDeadLetters(
  given: EngineParts,
  settings: RetrySettings,
  signal: AbortSignal,
): Promise<{ settled: number; left: number }> {
  const parts = await partsOfVersion(given);
  const { bus, owner, projection } = parts;
  const deadLetters = (await openDeadLetters(bus)).filter(({ stage }) => stage === projection.group);
  if (deadLetters.length === 0) return { settled: 0, left: (await openDeadLetters(bus)).length };
  if (getPartitions(projection) !== null) {
    await tryChainDeadLetters(parts, settings, deadLetters);
    return { settled: 0, left: (await openDeadLetters(bus)).length };
  }
  const consumer = await bus.consumer({
    topic: projection.reads,
    // Its journal protects the retry: the offsets of the projection's own group do not move.
    group: getRetryGroup(projection),
    owner,
    sessionMs: settings.sessionMs,
  });
  // Replacing a step may take longer than a session: the lanes stay held meanwhile.
  const renew = setInterval(() => void consumer.claim().catch(() => {}), settings.sessionMs / 4);
  let decoder: ChunkDecoder | null = null;
  try {
    decoder = await startStoreDecoder(parts, settings);
    const retry = new Retry(parts, decoder, consumer, signal);
    let settled = 0;
    for (const deadLetter of deadLetters) if (await retry.deadLetter(deadLetter)) settled++;
    return { settled, left: (await openDeadLetters(bus)).length };
  } finally {
    clearInterval(renew);
    await decoder?.close();
    await consumer.release();
  }
}

class Retry {
  readonly #parts: EngineParts;
  readonly #decoder: ChunkDecoder;
  readonly #consumer: LogConsumer;
  readonly #signal: AbortSignal;

  constructor(parts: EngineParts, decoder: ChunkDecoder, consumer: LogConsumer, signal: AbortSignal) {
    this.#parts = parts;
    this.#decoder = decoder;
    this.#consumer = consumer;
    this.#signal = signal;
  }

  /** Whether the letter's record could be decoded; its step is whole either way. */
  async deadLetter(deadLetter: DeadLetter): Promise<boolean> {
    const lane = Number(deadLetter.record.headers.lane);
    const offset = Number(deadLetter.record.headers.offset);
    const step = await stepAround(this.#parts, lane, offset);
    if (!(await this.#decodes(step.find((record) => record.offset === offset)))) return false;
    const lease = await this.#lease(lane);
    await this.#replace(step, lease);
    await resolveDeadLetter(this.#parts.bus, deadLetter);
    return true;
  }

  async #decodes(record: LogRecord | undefined): Promise<boolean> {
    if (!record) return false;
    const chunk = await this.#decoder.decode([record]);
    chunk.release();
    const failures = chunk.outcomes.filter(isFailure);
    for (const { code, message } of failures) this.#parts.log.warn({ key: record.key, code }, message);
    return failures.length === 0;
  }

  async #lease(lane: number): Promise<LaneLease> {
    const lease = (await this.#consumer.claim()).find((held) => held.lane === lane);
    if (!lease) throw new Error(`lane ${lane} of ${this.#consumer.group} is in use by another retry`);
    return lease;
  }

  /** Deletes the step's rows and inserts them again with what decodes now, guarded by the group's journal. */
  async #replace(step: readonly LogRecord[], lease: LaneLease): Promise<void> {
    const left = await this.#consumer.pending(lease);
    if (left) await this.#recover(left, await recordsBetween(this.#parts, left), lease);
    const { lane, epoch, from, next, firstPosition, lastPosition } = await this.#decode(step);
    const entry = { lane, epoch, from, next, firstPosition, lastPosition, attempt: 1, expected: {} };
    await this.#consumer.commit(lease, from);
    await this.#consumer.journal(lease, entry);
    await this.#recover(entry, step, lease);
  }

  async #recover(entry: JournalEntry, step: readonly LogRecord[], lease: LaneLease): Promise<void> {
    const journal = {
      begin: (opened: JournalEntry) => this.#consumer.journal(lease, opened),
      confirm: (done: JournalEntry) => this.#consumer.confirm(lease, done),
      left: () => this.#consumer.left(lease),
    };
    await tableSink(this.#parts, { group: this.#consumer.group }).recover(
      entry,
      journal,
      () => this.#decode(step),
      this.#signal,
    );
  }

  async #decode(step: readonly LogRecord[]): Promise<Batch> {
    const first = step[0]?.offset ?? 0;
    const nothingStored = { highest: async () => -1, rootHash: async () => null };
    // Records of the step that still fail have their dead letters already.
    const ports = { decoder: this.#decoder, deadLetters: { put: async () => {} } };
    const read = async (from: number) => step.filter(({ offset }) => offset >= from);
    const stream = new ChunkStream(read, first, new SeenBlocks(nothingStored), ports);
    const { client, identity, projection, version } = this.#parts;
    const database = getDatabase(identity, projection, version);
    const maker = projection.begin({ client, database, partition: 0, partitions: 1, next: 0 });
    return (await buildBatch(stream, maker)).batch(stepCounted(projection));
  }
}

/** The records of a journalled range that an interrupted retry left open. */
async function recordsBetween(
  { bus, projection }: EngineParts,
  { lane, from, next }: JournalEntry,
): Promise<readonly LogRecord[]> {
  const topic = projection.reads;
  const records: LogRecord[] = [];
  for (let at = from; at < next; at = records[records.length - 1]!.offset + 1) {
    const some = await bus.read(topic, lane, at, { records: 1_000, bytes: 16 << 20 });
    if (some.length === 0) throw new Error(`lane ${lane} of ${topic} has no offset ${at} any more`);
    records.push(...some.filter(({ offset }) => offset < next));
  }
  return records;
}

/** The records of the step that holds an offset. */
async function stepAround(
  { bus, projection }: EngineParts,
  lane: number,
  offset: number,
): Promise<readonly LogRecord[]> {
  const topic = projection.reads;
  for (let back = 64; ; back *= 4) {
    const start = Math.max(0, offset - back);
    const records: LogRecord[] = [];
    for (let at = start; at <= offset; ) {
      const some = await bus.read(topic, lane, at, { records: 1_000, bytes: 16 << 20 });
      if (some.length === 0) throw new Error(`lane ${lane} of ${topic} has no offset ${offset} any more`);
      records.push(...some);
      at = some[some.length - 1]!.offset + 1;
    }
    const wanted = records.find((record) => record.offset === offset);
    const step = records.filter(
      (record) => record.epoch === wanted?.epoch && record.position === wanted?.position,
    );
    if (start === 0 || step[0]?.offset !== records[0]?.offset) return step;
  }
}
