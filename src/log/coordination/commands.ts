import type { JournalEntry, LaneLease, Lease, LogIdentity, TopicKind } from '../port.ts';

/** The right that a command is given under. */
export interface LaneRight {
  readonly topic: string;
  readonly group: string;
  readonly owner: string;
  readonly lane: number;
  readonly generation: number;
}

/** Commands of the coordination: their arguments, and their results if granted. */
export interface Commands {
  establish: { args: { readonly identity: LogIdentity }; result: undefined };
  topic: { args: { readonly name: string; readonly kind: TopicKind | null }; result: TopicKind };
  takeWriter: {
    args: { readonly topic: string; readonly owner: string; readonly sessionMs: number };
    result: Lease;
  };
  renewWriter: {
    args: {
      readonly topic: string;
      readonly owner: string;
      readonly generation: number;
      readonly sessionMs: number;
    };
    result: undefined;
  };
  releaseWriter: {
    args: { readonly topic: string; readonly owner: string; readonly generation: number };
    result: undefined;
  };
  join: { args: { readonly topic: string; readonly group: string }; result: undefined };
  joinPartitions: {
    args: { readonly topic: string; readonly group: string; readonly partitions: number };
    result: undefined;
  };
  claim: {
    args: {
      readonly topic: string;
      readonly group: string;
      readonly owner: string;
      readonly sessionMs: number;
      /** Lane and generation of the member's leases that it does not know to be lost. */
      readonly held: readonly (readonly [lane: number, generation: number])[];
    };
    result: readonly LaneLease[];
  };
  leave: {
    args: {
      readonly topic: string;
      readonly group: string;
      readonly owner: string;
      readonly held: readonly (readonly [lane: number, generation: number])[];
    };
    result: undefined;
  };
  journal: {
    args: LaneRight & {
      readonly entry: JournalEntry;
      /** The committed offset that the range was checked against, and what was wrong with it. */
      readonly checkedAt: number;
      readonly problem: string | null;
    };
    result: undefined;
  };
  confirm: { args: LaneRight & { readonly entry: JournalEntry }; result: undefined };
  commit: { args: LaneRight & { readonly next: number; readonly end: number }; result: undefined };
  trim: {
    args: {
      readonly topic: string;
      /** Ends of the runs that may go, by lane, oldest first. */
      readonly ends: readonly (readonly number[])[];
      /** The records before the ends are gone already: groups that have not passed them do not keep them. */
      readonly areGone?: true;
    };
    result: undefined;
  };
}

export type CommandName = keyof Commands;
