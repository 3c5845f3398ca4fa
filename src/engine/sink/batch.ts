import type { JournalEntry } from '../../log/port.ts';
import type { NativeTable } from '../../platform/clickhouse/native-format.ts';

/** A contiguous offset range of one lane within one epoch, as columns by landing table. */
export interface Batch {
  readonly lane: number;
  readonly epoch: number;
  /** First offset of the range. */
  readonly from: number;
  /** First offset after the range. */
  readonly next: number;
  /**
   * Bounds of the rows' positions (masterchain seqnos), both inclusive; no other batch has rows between them. The first
   * is above the last for a range of copies, which has no rows.
   */
  readonly firstPosition: number;
  readonly lastPosition: number;
  /** By their landing names; tables without rows may be left out. */
  readonly tables: readonly NativeTable[];
}

/** The journal of the batch's lane; both methods throw if the lane was lost. */
export interface BatchJournal {
  /** Durable when it resolves; called again, with the next attempt, for a repeated insert. */
  begin(entry: JournalEntry): Promise<void>;
  confirm(entry: JournalEntry): Promise<void>;
  /** Remaining time of the lane without renewal, ms: 0 if it may be lost. */
  left(): number;
}
