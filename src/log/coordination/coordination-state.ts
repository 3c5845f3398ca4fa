import type { JournalEntry, LogIdentity, TopicKind } from '../port.ts';

export interface TopicState {
  readonly name: string;
  readonly kind: TopicKind;
  /** Oldest kept offset of each lane; what lies before it was trimmed. */
  readonly low: number[];
}

export interface WriterState {
  generation: number;
  owner: string | null;
  expiresAt: number;
}

export interface LaneState {
  readonly lane: number;
  committed: number;
  generation: number;
  owner: string | null;
  expiresAt: number;
  /** Taken back for another member while a batch was under way; ends with that batch or with the lease. */
  revoked: boolean;
  pending: JournalEntry | null;
}

export interface GroupState {
  readonly topic: string;
  readonly group: string;
  /** Number of partitions of a group whose lanes are partitions. */
  readonly partitions?: number;
  /** When each member's session ends, by owner. */
  readonly members: Map<string, number>;
  readonly lanes: LaneState[];
}

/**
 * Decisions about a log: identity and topics, its writer, and the owner and progress of each lane. Only commands change
 * them (`applyCommand`), at the time `now`. Each log stores them in its own way.
 */
export interface CoordinationState {
  identity: LogIdentity | null;
  readonly topics: Map<string, TopicState>;
  readonly writers: Map<string, WriterState>;
  /** By `groupKey`. */
  readonly groups: Map<string, GroupState>;
  /** Unix time of the newest command, ms, by the clock that all who share the log go by. */
  now: number;
}

export const groupKey = (topic: string, group: string) => `${topic}\n${group}`;
