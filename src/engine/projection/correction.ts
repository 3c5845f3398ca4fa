import type { LogIdentity } from '../../log/port.ts';
import type { AvroCodec } from '../../platform/avro/avro-codec.ts';
import type { NativeTable } from '../../platform/clickhouse/native-format.ts';
import type { NeededStore } from './row-maker.ts';
import type { StoreDatabase } from './stored-input.ts';

/** A version whose rows are corrected. */
export interface CorrectionStart extends StoreDatabase {
  readonly identity: LogIdentity;
  readonly needed: NeededStore;
  /** Database that keeps the projection's input. */
  readonly input: string;
  readonly codec: AvroCodec;
  readonly signal: AbortSignal;
}

/** Rows that take the place of others of their step. */
export interface RowReplacement {
  /** Rows that are deleted before the new ones are inserted, in this order. */
  readonly deletes: readonly RowDelete[];
  /** By their landing names. */
  readonly tables: readonly NativeTable[];
  /** Rows that are deleted after the new ones are there, in this order: readers always find one of both. Default: none. */
  readonly deletesAfter?: readonly RowDelete[];
}

/** Rows of the step in a counted table. */
export interface RowDelete {
  readonly table: string;
  /** Condition. */
  readonly where: string;
}

/** Rows of one step that are to be corrected. */
export interface Correction {
  readonly position: number;
  /**
   * Makes the rows, calls `replace` if they changed, and records that the correction is done. If it is cut off anywhere,
   * the correction is still due and may run again.
   */
  run(replace: (rows: RowReplacement) => Promise<void>): Promise<void>;
}

/** Finds rows of confirmed steps that were made without facts that are there now. */
export interface CorrectionSource {
  /** Some of the due corrections in steps up to a confirmed one, ascending; empty if none is due. */
  due(confirmed: number): Promise<readonly Correction[]>;
}
