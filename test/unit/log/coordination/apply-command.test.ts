import { describe, expect, it } from 'vitest';
import { applyCommand } from '../../../../src/log/coordination/apply-command.ts';
import type { CoordinationState } from '../../../../src/log/coordination/coordination-state.ts';
import { FencedError, JournalConflictError } from '../../../../src/log/errors.ts';

const GROUP = { topic: 'raw-blocks', group: 'decode' };
const ENTRY = {
  lane: 0,
  epoch: 0,
  from: 0,
  next: 5,
  firstPosition: 0,
  lastPosition: 4,
  attempt: 1,
  expected: {},
};
const SESSION = 1_000;

function joined(): CoordinationState {
  const topic = { name: GROUP.topic, kind: 'steps' as const, low: [0, 0] };
  const topics = new Map([[GROUP.topic, topic]]);
  const state: CoordinationState = { identity: null, topics, writers: new Map(), groups: new Map(), now: 0 };
  applyCommand(state, 'join', GROUP);
  return state;
}

const claim = (state: CoordinationState, owner: string, held: [number, number][] = []) =>
  applyCommand(state, 'claim', { ...GROUP, owner, sessionMs: SESSION, held });
const right = (owner: string, generation: number) => ({ ...GROUP, owner, lane: 0, generation });
const journal = (state: CoordinationState, owner: string, generation: number, attempt = 1) =>
  applyCommand(state, 'journal', {
    ...right(owner, generation),
    entry: { ...ENTRY, attempt },
    checkedAt: 0,
    problem: null,
  });

describe('the coordination', () => {
  it('hands a lane with its open batch to the next owner once the lease has lapsed, and fences the one before', () => {
    const state = joined();
    claim(state, 'first');
    journal(state, 'first', 1);
    state.now = SESSION;
    const [lease] = claim(state, 'next');
    expect(lease).toEqual({ lane: 0, committed: 0, generation: 2, owner: 'next' });
    expect(() => journal(state, 'first', 1, 2)).toThrow(FencedError);
    expect(() => applyCommand(state, 'confirm', { ...right('first', 1), entry: ENTRY })).toThrow(FencedError);
    journal(state, 'next', 2, 2);
    applyCommand(state, 'confirm', { ...right('next', 2), entry: { ...ENTRY, attempt: 2 } });
    expect([...state.groups.values()][0]?.lanes[0]).toMatchObject({ committed: 5, pending: null });
  });

  it('leaves the state unchanged on a refusal', () => {
    const state = joined();
    claim(state, 'first');
    journal(state, 'first', 1);
    const before = structuredClone(state);
    expect(() => journal(state, 'first', 1)).toThrow(JournalConflictError);
    expect(() => applyCommand(state, 'commit', { ...right('first', 1), next: 5, end: 9 })).toThrow(
      JournalConflictError,
    );
    state.now = SESSION;
    expect(() => journal(state, 'first', 1, 2)).toThrow(FencedError);
    expect({ ...state, now: 0 }).toEqual(before);
  });
});
