import type { CoordinationState } from '../../coordination/coordination-state.ts';

/** The newest command of a process: one that arrives a second time is passed over. */
export interface ClientState {
  seq: number;
  at: number;
}

/**
 * Everything that the control log decides. All processes apply the same commands in the same order and get the same
 * state; nothing else may change it. `now` is the brokers' clock, and never goes back.
 */
export interface ControlState extends CoordinationState {
  readonly clients: Map<string, ClientState>;
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
