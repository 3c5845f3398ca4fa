import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import type { TableProjection } from './projection.ts';

/** Rows of a table in one epoch. */
export interface EpochSum {
  readonly rows: bigint;
  /** Sum of the rows' hashes, modulo 2^64: the same whatever their order. */
  readonly checksum: bigint;
}

/** By epoch. */
export type EpochSums = ReadonlyMap<number, EpochSum>;

/** Two versions of a projection, and what of them is compared. */
export interface VersionPair {
  readonly client: StoreClient;
  readonly projection: TableProjection;
  /** Databases. */
  readonly from: string;
  readonly to: string;
  readonly ranges: readonly PositionRange[];
  readonly epochSize: number;
  /** Blocks follow one another without a gap. */
  readonly isChain: boolean;
}

/** Counts and checksums by table and epoch, before and after. */
export type VersionSums = ReadonlyMap<string, { readonly old: EpochSums; readonly next: EpochSums }>;
