import { ChainGapError } from '../errors.ts';
import { type Bus, type LogIdentity, type LogRecord, type ReadLimit, stepFrom, toOffset } from '../port.ts';

/** Ports of the log that the reader needs. */
export interface ChainSource {
  readonly bus: Pick<Bus, 'read' | 'bounds' | 'highest'>;
  readonly topic: string;
  readonly identity: Pick<LogIdentity, 'epochSize' | 'lanes'>;
  /** Number of the reading partition, which its records carry. */
  readonly partition: number;
}

/** Offset at which a reader that found nothing continues. */
export interface AwaitedPlace {
  readonly lane: number;
  readonly offset: number;
}

const ONE: ReadLimit = { records: 1, bytes: 1 };

/**
 * The steps of a topic in chain order, whatever their lane. Offsets of its records follow from positions (`toOffset`).
 * Copies of steps are omitted.
 */
export class ChainReader {
  readonly #source: ChainSource;
  /** The step that comes next. */
  #next = 0;
  /** Offset of the lane at which the search continues, until another step is asked for. */
  #at: number | null = null;

  constructor(source: ChainSource) {
    this.#source = source;
  }

  /** Offset of the next step; null before the first read. */
  get awaited(): AwaitedPlace | null {
    return this.#at === null ? null : { lane: this.#getLane(this.#next), offset: this.#at };
  }

  /**
   * Reads records from an offset on, whole steps of one epoch; none if the log has none now. Offset 0 means the first
   * step of the log.
   * @throws ChainGapError
   */
  async read(from: number, limit: ReadLimit): Promise<readonly LogRecord[]> {
    const records = await (from === 0 ? this.#readFirst(limit) : this.#readFrom(stepFrom(from), limit));
    return numbered(records, this.#source.partition);
  }

  /** The first steps of the log; retention may free them between the look and the reading: then it begins elsewhere. */
  async #readFirst(limit: ReadLimit): Promise<readonly LogRecord[]> {
    for (;;) {
      const first = await this.#firstPosition();
      if (first === null) return [];
      try {
        return await this.#readFrom(first, limit);
      } catch (error) {
        if (!(error instanceof ChainGapError) || (await this.#firstPosition()) === first) throw error;
      }
    }
  }

  async #readFrom(wanted: number, limit: ReadLimit): Promise<readonly LogRecord[]> {
    if (wanted !== this.#next) this.#at = null;
    this.#next = wanted;
    this.#at ??= await this.#seek(wanted);
    return this.#readSteps(limit);
  }

  /** Whole steps in order, from the one that comes next. */
  async #readSteps(limit: ReadLimit): Promise<readonly LogRecord[]> {
    const epoch = this.#getEpoch(this.#next);
    const found: LogRecord[] = [];
    let next = this.#next;
    let passed: number | null = null;
    let isGap = false;
    while (found.length === 0) {
      const records = await this.#read(this.#at ?? 0, limit);
      if (records.length === 0) return this.#nothing(passed);
      for (const step of groupSteps(records)) {
        const [{ position, epoch: stands }] = step as [LogRecord];
        if (stands > epoch) passed ??= position;
        if (stands !== epoch || position < next) continue;
        if (position > next) {
          if (found.length === 0) throw new ChainGapError(next, position);
          isGap = true;
          break;
        }
        found.push(...step);
        next++;
      }
      this.#at = (records.at(-1)?.offset ?? 0) + 1;
    }
    // The next epoch is in another lane. After a gap the step is searched again, and reported by name if missing.
    if (this.#getEpoch(next) !== epoch || isGap) this.#at = null;
    this.#next = next;
    return found;
  }

  /** The step is not in its lane: it will come, or it was freed if the lane begins after it. */
  async #nothing(passed: number | null): Promise<readonly LogRecord[]> {
    const { bus, topic } = this.#source;
    const lane = this.#getLane(this.#next);
    const bounds = (await bus.bounds(topic)).find((one) => one.lane === lane);
    if (!bounds || bounds.first === 0) return [];
    // If the lane was freed completely, the other lanes show whether the log is past the step.
    const beyond = passed ?? (bounds.first === bounds.next ? await this.#firstBeyond(this.#next) : null);
    if (beyond !== null) throw new ChainGapError(this.#next, beyond);
    return [];
  }

  /** The lowest first position of a lane above a position. */
  async #firstBeyond(position: number): Promise<number | null> {
    const beyond = (await this.#firstPositions()).filter((first) => first > position);
    return beyond.length === 0 ? null : Math.min(...beyond);
  }

  /** The first offset of the step's lane at or after which the step can be. */
  async #seek(position: number): Promise<number> {
    const { bus, topic } = this.#source;
    const lane = this.#getLane(position);
    const bounds = (await bus.bounds(topic)).find((one) => one.lane === lane);
    if (!bounds) return 0;
    let [low, high] = [bounds.first, bounds.next];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [record] = await bus.read(topic, lane, middle, ONE);
      if (record && record.offset < high && record.position < position) low = record.offset + 1;
      else high = middle;
    }
    // Copies of earlier steps may mislead the search: then the lane is read from its start.
    const [record] = await bus.read(topic, lane, low, ONE);
    const isAstray = record ? record.position > position : (await bus.highest(topic)) >= position;
    return isAstray ? bounds.first : low;
  }

  async #firstPosition(): Promise<number | null> {
    const positions = await this.#firstPositions();
    return positions.length === 0 ? null : Math.min(...positions);
  }

  async #firstPositions(): Promise<readonly number[]> {
    const { bus, topic } = this.#source;
    const positions: number[] = [];
    for (const { lane, first, next } of await bus.bounds(topic)) {
      if (first === next) continue;
      const [record] = await bus.read(topic, lane, first, ONE);
      if (record) positions.push(record.position);
    }
    return positions;
  }

  #read(offset: number, limit: ReadLimit): Promise<readonly LogRecord[]> {
    const { bus, topic } = this.#source;
    return bus.read(topic, this.#getLane(this.#next), offset, limit);
  }

  #getEpoch(position: number): number {
    return Math.floor(position / this.#source.identity.epochSize);
  }

  #getLane(position: number): number {
    return this.#getEpoch(position) % this.#source.identity.lanes;
  }
}

/** Runs of records of one position that end with their step's last record. */
function groupSteps(records: readonly LogRecord[]): LogRecord[][] {
  const steps: LogRecord[][] = [];
  let step: LogRecord[] = [];
  for (const record of records) {
    step.push(record);
    if (!record.endsStep) continue;
    steps.push(step);
    step = [];
  }
  return steps;
}

function numbered(records: readonly LogRecord[], partition: number): LogRecord[] {
  let [position, place] = [-1, 0];
  return records.map((record) => {
    place = record.position === position ? place + 1 : 0;
    position = record.position;
    return { ...record, lane: partition, offset: toOffset(position) + place };
  });
}
