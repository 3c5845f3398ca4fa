import { describe, expect, it } from 'vitest';
import { chooseState } from '../../../../../src/api/entities/accounts/find-state.ts';

const state = (mc_seqno: number, lt: string) => ({ mc_seqno, lt });

describe('chooseState at masterchain block 50 of a range that begins at 40', () => {
  const choose = (...states: { mc_seqno: number; lt: string }[]) => chooseState(states, 50, 40);

  it('nothing is known', () => {
    expect(choose()).toBeUndefined();
  });

  it('the newest state of the range counts', () => {
    expect(choose(state(45, '900'))).toEqual(state(45, '900'));
    expect(choose(state(45, '900'), state(60, '950'))).toEqual(state(45, '900'));
  });

  it('an account that changes only later has the state before that change', () => {
    expect(choose(state(60, '100'))).toEqual(state(60, '100'));
  });

  it('a state from before the range is replaced by a newer one from a later block', () => {
    expect(choose(state(3, '50'), state(60, '100'))).toEqual(state(60, '100'));
  });

  it('a start state counts if no later block has a newer one', () => {
    expect(choose(state(0, '100'), state(60, '100'))).toEqual(state(0, '100'));
    expect(choose(state(0, '100'))).toEqual(state(0, '100'));
  });
});
