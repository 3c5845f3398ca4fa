import { type LogRecord, toOffset } from '../../log/port.ts';
import type { AvroCodec } from '../../platform/avro/avro-codec.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { retryStore } from '../../platform/clickhouse/retry-store.ts';
import type { ColdRecords, NewRecord, StoredInput, StoredStep } from '../projection/stored-input.ts';

/** Source of records, and their form in the log. */
export interface StepSource {
  readonly client: StoreClient;
  readonly input: StoredInput;
  /** Database that keeps the records. */
  readonly database: string;
  readonly network: string;
  readonly codec: AvroCodec;
  readonly lanes: number;
  /** Records that the store has dropped. Default: it has all of these. */
  readonly cold?: ColdRecords;
  /** Replay inputs that the store does not keep, by position: start states and dead letters. */
  readonly inputs: ReadonlyMap<number, readonly LogRecord[]>;
  readonly signal: AbortSignal;
  /** Called when the store is away, before a retry. */
  readonly onFailure: (error: unknown, pauseMs: number) => void;
}

const WINDOW_BYTES = 8 << 20;
const WINDOW_STEPS = 512;

/**
 * Steps of one epoch as the records that the log had of them, so that whatever decodes the log decodes them. One
 * window of steps is read ahead of the one that is decoded.
 */
export class StepReader {
  readonly #source: StepSource;
  readonly #epoch: number;
  readonly #steps: readonly StoredStep[];
  #ahead: { readonly from: number; readonly records: Promise<readonly LogRecord[]> } | null = null;

  constructor(source: StepSource, epoch: number, steps: readonly StoredStep[]) {
    this.#source = source;
    this.#epoch = epoch;
    this.#steps = steps;
  }

  /** Records from an offset on, only whole steps; none after the last step. */
  async read(from: number): Promise<readonly LogRecord[]> {
    const index = this.#steps.findIndex(({ position }) => toOffset(position) >= from);
    if (index < 0) return [];
    const records = this.#ahead?.from === index ? this.#ahead.records : this.#window(index);
    const next = this.#end(index);
    this.#ahead = null;
    if (next < this.#steps.length) {
      const ahead = this.#window(next);
      // Met when it is asked for; until then it must not count as unhandled.
      ahead.catch(() => {});
      this.#ahead = { from: next, records: ahead };
    }
    return records;
  }

  /** The first step after the window that begins with `index`. */
  #end(index: number): number {
    let bytes = 0;
    let end = index;
    while (end < this.#steps.length && end - index < WINDOW_STEPS && bytes < WINDOW_BYTES)
      bytes += this.#steps[end++]?.bytes ?? 0;
    return end;
  }

  async #window(index: number): Promise<readonly LogRecord[]> {
    const steps = this.#steps.slice(index, this.#end(index));
    const [first, last] = [steps[0]?.position ?? 0, steps.at(-1)?.position ?? 0];
    const { input, signal, onFailure } = this.#source;
    const records = await retryStore(() => input.records(this.#source, { first, last }, this.#source), {
      signal,
      onFailure,
    });
    return steps.flatMap(({ position }) => this.#step(position, records.get(position) ?? []));
  }

  /** States first, then what was put aside, then the blocks: none of them needs another's rows. */
  #step(position: number, blocks: readonly NewRecord[]): LogRecord[] {
    const known = new Set(blocks.map(({ key }) => key));
    const inputs = (this.#source.inputs.get(position) ?? []).filter(
      ({ key, headers }) => headers.kind === 'state' || !known.has(key),
    );
    const count = inputs.length + blocks.length;
    const place = (i: number) => ({
      lane: this.#epoch % this.#source.lanes,
      offset: toOffset(position) + i,
      epoch: this.#epoch,
      position,
      endsStep: i === count - 1,
      appendedAt: 0,
    });
    return [
      ...inputs.map((record, i) => ({ ...record, ...place(i) })),
      ...blocks.map((block, i) => ({ ...block, ...place(inputs.length + i) })),
    ];
  }
}
