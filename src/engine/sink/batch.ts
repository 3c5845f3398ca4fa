import type { JournalEntry } from '../../log/port.ts';
import type { NativeTable } from '../../platform/clickhouse/native-format.ts';

/** A contiguous offset range of one lane within one epoch, as columns by landing table. */
export interface Batch {
  readonly lane: number;
  readonly epoch: number;
  /** First offset of the range. */
  readonly from: number;
  /** First offset behind the range. */
  readonly next: number;
  /**
   * Bounds of the rows' positions (masterchain seqnos), both inclusive; no other batch has rows between them. The first
   * is above the last where there are none: a range of copies.
   */
  readonly firstPosition: number;
  readonly lastPosition: number;
  /** By their landing names; tables without rows may be left out. */
  readonly tables: readonly NativeTable[];
}

/** The journal of the batch's lane: both throw where the lane has been lost to another owner. */
export interface BatchJournal {
  /** Durable when it resolves; called again, with the next attempt, where a range is inserted once more. */
  begin(entry: JournalEntry): Promise<void>;
  confirm(entry: JournalEntry): Promise<void>;
  /** Time that the lane is still this process's without a renewal, ms: 0 where it may be another's. */
  left(): number;
}
