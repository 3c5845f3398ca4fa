import type { LogRecord } from '../../log/port.ts';
import type { RowParts } from '../projection/row-set.ts';
import type { Failure } from './failure.ts';

/** Parts of a record of the log that decoding needs. */
export interface ChunkRecord extends Pick<LogRecord, 'key' | 'position' | 'value'> {
  /** The record is made of a row of `raw_blocks`, see `KernelOptions`. Default: it is not. */
  readonly isStored?: boolean;
}

/** Counts of a record's rows; none of a record that holds a state. */
export interface RecordCounts {
  readonly blocks: number;
  readonly transactions: number;
  readonly messages: number;
}

/** A record's rows are among the chunk's, or why they are not. */
export type RecordOutcome = RecordCounts | Failure;

export const isFailure = (outcome: RecordOutcome): outcome is Failure => 'code' in outcome;

/** Some records of the log, decoded: their rows in the order of the records. */
export interface DecodedChunk {
  /** By record. */
  readonly outcomes: readonly RecordOutcome[];
  /** In sequence. */
  readonly parts: readonly RowParts[];
  /** The rows are not needed any more: their memory serves again. To be called once. */
  release(): void;
}

/** One partition of a projection in chain order. */
export interface DecodeShare {
  readonly partition: number;
  readonly partitions: number;
}

/**
 * Decodes records: bytes in, rows out, in `spare` if it is large enough. A record that cannot be decoded has its reason
 * among the outcomes. A thrown error is not one record's fault: the whole chunk is void.
 * `share`: the partition that the rows are for. A decoder may leave out what other partitions need; their makers skip it anyway.
 */
export type DecodeRecords = (
  records: readonly ChunkRecord[],
  spare: ArrayBuffer | null,
  share?: DecodeShare | null,
) => { readonly outcomes: readonly RecordOutcome[]; readonly parts: RowParts };

/** Decodes chunks, several at a time if they are given so. */
export interface ChunkDecoder {
  /** Bytes of records that make a good chunk: large enough to be worth the way, small enough not to hold up others. */
  readonly chunkBytes: number;
  /** Chunks of one lane that are worth having under way. */
  readonly ahead: number;
  /** `share`: as of `DecodeRecords`. Default: the rows are for all partitions. */
  decode(records: readonly ChunkRecord[], share?: DecodeShare): Promise<DecodedChunk>;
  close(): Promise<void>;
}
