import type { JournalEntry, LogIdentity, TopicKind } from '../../port.ts';

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
  /** When each member's session ends, by owner. */
  readonly members: Map<string, number>;
  readonly lanes: LaneState[];
}

/** The newest command of a process: one that arrives a second time is passed over. */
export interface ClientState {
  seq: number;
  at: number;
}

/**
 * Everything that the control log decides. All processes apply the same commands in the same order and get the same
 * state; nothing else may change it.
 */
export interface ControlState {
  identity: LogIdentity | null;
  readonly topics: Map<string, TopicState>;
  readonly writers: Map<string, WriterState>;
  readonly groups: Map<string, GroupState>;
  readonly clients: Map<string, ClientState>;
  /** Time of the newest command, Unix ms, by the brokers' clock; never goes back. */
  now: number;
}

export function emptyState(): ControlState {
  return {
    identity: null,
    topics: new Map(),
    writers: new Map(),
    groups: new Map(),
    clients: new Map(),
    now: 0,
  };
}

export const groupKey = (topic: string, group: string) => `${topic}\n${group}`;

/** The state as JSON; `readState` is its inverse. */
export function writeState(state: ControlState): string {
  return JSON.stringify(state, (_, value: unknown) => (value instanceof Map ? [...value] : value));
}

type Written<State> = {
  [Field in keyof State]: State[Field] extends Map<infer Key, infer Value>
    ? [Key, Written<Value>][]
    : State[Field];
};

export function readState(text: string): ControlState {
  const { identity, topics, writers, groups, clients, now } = JSON.parse(text) as Written<ControlState>;
  return {
    identity,
    topics: new Map(topics),
    writers: new Map(writers),
    groups: new Map(groups.map(([key, group]) => [key, { ...group, members: new Map(group.members) }])),
    clients: new Map(clients),
    now,
  };
}
