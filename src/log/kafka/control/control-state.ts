import type { CoordinationState } from '../../coordination/coordination-state.ts';

/** The newest command of a process: one that arrives a second time is passed over. */
export interface ClientState {
  seq: number;
  at: number;
}

/**
 * Everything that the control log decides. All processes apply the same commands in the same order and get the same
 * state; nothing else may change it. `now` never goes back, see `advanceClock`.
 */
export interface ControlState extends CoordinationState {
  /** What is added to the brokers' clock to get `now`, ms: by how much it was set back since. Absent: 0. */
  clockAhead?: number;
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
  const { identity, topics, writers, groups, clients, now, clockAhead } = JSON.parse(
    text,
  ) as Written<ControlState>;
  return {
    identity,
    topics: new Map(topics),
    writers: new Map(writers),
    groups: new Map(groups.map(([key, group]) => [key, { ...group, members: new Map(group.members) }])),
    clients: new Map(clients),
    now,
    ...(clockAhead !== undefined && { clockAhead }),
  };
}

/** The time for those who decide nothing: by the brokers' clock, unless nothing was decided for a while. */
export function getTime({ now, clockAhead = 0 }: ControlState): number {
  return Math.max(now, Date.now() + clockAhead);
}

/** Brokers whose clocks differ by less take turns as leaders, and time stands still for as long. */
const CLOCK_SKEW_MS = 1_000;

/**
 * Moves `now` to the broker's time `at` of a command. If the broker's clock was set back, time goes on from `now`: a
 * lease must not last longer by the length of the jump.
 */
export function advanceClock(state: ControlState, at: number): void {
  const ahead = state.clockAhead ?? 0;
  if (at + ahead < state.now - CLOCK_SKEW_MS) state.clockAhead = state.now - at;
  state.now = Math.max(state.now, at + (state.clockAhead ?? 0));
}
