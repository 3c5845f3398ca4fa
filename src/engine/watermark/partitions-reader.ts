import type { ConfirmedRange } from './confirmed-range.ts';
import { type WatermarkOptions, WatermarkReader } from './watermark-reader.ts';

/** Follows what all partitions of a projection in chain order have confirmed: each confirms for itself. */
export class PartitionsReader {
  readonly #readers: readonly WatermarkReader[];

  constructor(options: Omit<WatermarkOptions, 'partition'>, partitions: number) {
    this.#readers = Array.from(
      { length: partitions },
      (_, partition) => new WatermarkReader({ ...options, partition }),
    );
  }

  /** Null while some partition has confirmed nothing, or no step is confirmed by all. */
  get current(): ConfirmedRange | null {
    const ranges = this.#readers.map(({ current }) => current).filter((range) => range !== null);
    if (ranges.length < this.#readers.length) return null;
    const first = Math.max(...ranges.map((range) => range.first));
    const last = Math.min(...ranges.map((range) => range.last));
    return first > last ? null : { first, last };
  }

  async start(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.start()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.stop()));
  }

  async freshen(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.freshen()));
  }

  /** A partition confirmed a range, in this process. */
  confirmed(range: ConfirmedRange, partition: number): void {
    this.#readers[partition]?.confirmed(range);
  }
}
