import { getPartitions, type TableProjection } from '../projection/projection.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import { PartitionsReader } from './partitions-reader.ts';
import { SpanReader } from './visible-span.ts';
import { type WatermarkOptions, WatermarkReader } from './watermark-reader.ts';

/** Follows what of one version may be answered from. */
export interface VisibleReader {
  /** Null while that is nothing. */
  readonly current: PositionRange | null;
  /** A range was confirmed by this process; `lane`: the partition of a projection in chain order. */
  confirmed(range: PositionRange, lane: number): void;
  /** To be called before an answer: brings `current` up to date where another process writes. */
  freshen(): Promise<void>;
  /** Resolves when `current` is known; throws what goes wrong until then. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The reader that fits a projection's order; `isolated`: nothing has to follow between the blocks. */
export function visibleReader(
  projection: Pick<TableProjection, 'order'>,
  isIsolated: boolean,
  options: Pick<WatermarkOptions, 'client' | 'database' | 'onError'>,
): VisibleReader {
  const partitions = getPartitions(projection);
  if (partitions !== null) return new PartitionsReader(options, partitions);
  return isIsolated ? new SpanReader(options) : new WatermarkReader(options);
}
