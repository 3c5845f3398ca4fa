import type { LogRecord } from '../../log/port.ts';
import { type ChunkDecoder, type DecodedChunk, type DecodeShare, isFailure } from './chunk.ts';
import type { DeadLetterSink, Failure } from './failure.ts';
import type { SeenBlocks } from './seen-blocks.ts';

/** Counts of decoded records. */
export interface BatchCounts {
  /** Masterchain steps that are no copies. */
  steps: number;
  blocks: number;
  transactions: number;
  messages: number;
  deadLetters: number;
  duplicates: number;
  bytes: number;
}

/**
 * A contiguous offset range of one lane within one epoch. The positions belong to records that are not copies: a copy's
 * rows are in the first one's batch. If the range has only copies, `firstPosition` is greater than `lastPosition`.
 */
export interface OffsetRange {
  readonly lane: number;
  readonly epoch: number;
  readonly from: number;
  readonly next: number;
  readonly firstPosition: number;
  readonly lastPosition: number;
}

/** Whether a range holds nothing that was not in the log before. */
export function holdsCopiesOnly({ firstPosition, lastPosition }: OffsetRange): boolean {
  return firstPosition > lastPosition;
}

/** Records of one lane and epoch, decoded, their dead letters written. */
export interface LaneChunk extends OffsetRange {
  readonly counts: BatchCounts;
  /** A batch may end after it. */
  readonly endsStep: boolean;
  readonly decoded: DecodedChunk;
}

export interface ChunkStreamPorts {
  readonly decoder: ChunkDecoder;
  readonly deadLetters: DeadLetterSink;
  /** Bytes of records for a chunk, if the decoder's own measure is too large. */
  readonly chunkBytes?: number;
  /** The partition that chunks are for. Default: all. */
  readonly share?: DecodeShare;
}

/** Records from an offset on, in order, whole steps; none if there are none now. */
export type ReadRecords = (from: number) => Promise<readonly LogRecord[]>;

/** Outcome of a record in a chunk under way: decoded with the others, a duplicate, or a failure. */
interface RecordOutcome {
  readonly record: LogRecord;
  readonly isDecoded: boolean;
  readonly failure: Failure | null;
}

interface ChunkUnderWay {
  readonly taken: readonly RecordOutcome[];
  readonly decoded: Promise<DecodedChunk>;
}

/**
 * Masterchain steps by which a chunk ends at the latest: every multiple of them begins one. So lanes that read the same log from
 * different offsets soon have the same chunks, whose decoding their threads share.
 */
const CHUNK_STEPS = 64;
/** Records of a chunk at most: many tiny ones would keep a thread as long as a few large ones. */
const CHUNK_RECORDS = 2_048;

/**
 * One lane of the log as decoded chunks, in order. Some chunks are decoded in advance. Every record is checked before
 * it is decoded and marked as seen afterwards, as if records were decoded one by one: a record whose key is in progress
 * waits for the outcome.
 */
export class ChunkStream {
  readonly #read: ReadRecords;
  readonly #seen: SeenBlocks;
  readonly #ports: ChunkStreamPorts;
  #offset: number;
  /** Read and not yet given to the decoder. */
  #records: readonly LogRecord[] = [];
  #at = 0;
  readonly #underWay: ChunkUnderWay[] = [];
  /** Keys of the records that are being decoded. */
  readonly #keys = new Set<string>();

  constructor(read: ReadRecords, from: number, seen: SeenBlocks, ports: ChunkStreamPorts) {
    this.#read = read;
    this.#offset = from;
    this.#seen = seen;
    this.#ports = ports;
  }

  /** True if there are further chunks without another look at the log. */
  get hasMore(): boolean {
    return this.#underWay.length > 0 || this.#at < this.#records.length;
  }

  /** The next chunk; null if the log has nothing more now. */
  async next(): Promise<LaneChunk | null> {
    await this.#decodeAhead();
    const head = this.#underWay.shift();
    if (!head) return null;
    const decoded = await head.decoded;
    try {
      return await this.#settle(head.taken, decoded);
    } catch (error) {
      decoded.release();
      throw error;
    }
  }

  /** Drops what was decoded ahead. */
  async close(): Promise<void> {
    const dropped = await Promise.allSettled(this.#underWay.splice(0).map(({ decoded }) => decoded));
    for (const chunk of dropped) if (chunk.status === 'fulfilled') chunk.value.release();
  }

  /** Keeps as many chunks under way as the decoder has use for. */
  async #decodeAhead(): Promise<void> {
    while (this.#underWay.length < this.#ports.decoder.ahead) {
      const taken = await this.#take();
      if (taken.length === 0) return;
      const records = taken.filter(({ isDecoded }) => isDecoded).map(({ record }) => record);
      const decoded =
        records.length > 0
          ? this.#ports.decoder.decode(records, this.#ports.share)
          : Promise.resolve(NOTHING_DECODED);
      // A failure is met when the chunk's turn comes; until then it must not count as unhandled.
      decoded.catch(() => {});
      this.#underWay.push({ taken, decoded });
    }
  }

  /** The checked records of the next chunk; none if there are none, or the first must wait. */
  async #take(): Promise<RecordOutcome[]> {
    const { decoder, chunkBytes = decoder.chunkBytes } = this.#ports;
    const taken: RecordOutcome[] = [];
    let bytes = 0;
    while (true) {
      const record = await this.#peek();
      const last = taken.at(-1)?.record;
      if (!record || (last && record.epoch !== last.epoch) || this.#keys.has(record.key)) return taken;
      const outcome = await this.#check(record);
      this.#at++;
      this.#offset = record.offset + 1;
      taken.push(outcome);
      if (outcome.isDecoded) {
        this.#keys.add(record.key);
        bytes += record.value.length;
      }
      const isAligned = (record.position + 1) % CHUNK_STEPS === 0;
      const isFull = bytes >= chunkBytes || taken.length >= CHUNK_RECORDS || isAligned;
      if (isFull && (record.endsStep || bytes >= chunkBytes * 2)) return taken;
    }
  }

  async #peek(): Promise<LogRecord | undefined> {
    if (this.#at === this.#records.length) {
      this.#records = await this.#read(this.#offset);
      this.#at = 0;
    }
    return this.#records[this.#at];
  }

  async #check(record: LogRecord): Promise<RecordOutcome> {
    const dedup = await this.#seen.check(record);
    if (dedup === 'new') return { record, isDecoded: true, failure: null };
    if (dedup === 'duplicate') return { record, isDecoded: false, failure: null };
    const message = `${record.key}: root hash ${record.headers.root_hash} under an id that is known with another`;
    return { record, isDecoded: false, failure: { code: 'changed-block', message } };
  }

  /** Counts, marks as seen and writes dead letters in the order of the records. */
  async #settle(taken: readonly RecordOutcome[], decoded: DecodedChunk): Promise<LaneChunk> {
    const counts = { ...NO_COUNTS };
    const outcomes = decoded.outcomes.values();
    for (const { record, isDecoded, failure } of taken) {
      if (isDecoded) this.#keys.delete(record.key);
      const outcome = isDecoded ? outcomes.next().value : failure;
      if (outcome === undefined) throw new RangeError(`${record.key}: the decoder said nothing of it`);
      if (record.endsStep && outcome !== null) counts.steps++;
      if (outcome === null) counts.duplicates++;
      else if (isFailure(outcome)) {
        await this.#ports.deadLetters.put(record, outcome);
        counts.deadLetters++;
      } else {
        this.#seen.add(record);
        counts.blocks += outcome.blocks;
        counts.transactions += outcome.transactions;
        counts.messages += outcome.messages;
        counts.bytes += record.value.length;
      }
    }
    return { ...getRange(taken), counts, decoded };
  }
}

export const NO_COUNTS: Readonly<BatchCounts> = {
  steps: 0,
  blocks: 0,
  transactions: 0,
  messages: 0,
  deadLetters: 0,
  duplicates: 0,
  bytes: 0,
};

const NOTHING_DECODED: DecodedChunk = { outcomes: [], parts: [], release() {} };

function getRange(taken: readonly RecordOutcome[]): OffsetRange & { readonly endsStep: boolean } {
  const [first, last] = [taken[0]?.record, taken.at(-1)?.record];
  if (!first || !last) throw new RangeError('a chunk has at least one record');
  const fresh = taken.filter(({ isDecoded }) => isDecoded).map(({ record }) => record.position);
  return {
    lane: first.lane,
    epoch: first.epoch,
    from: first.offset,
    next: last.offset + 1,
    firstPosition: fresh[0] ?? last.position + 1,
    lastPosition: fresh.at(-1) ?? last.position,
    endsStep: last.endsStep,
  };
}
