import { describe, expect, it } from 'vitest';
import {
  afterPart,
  atRest,
  duePart,
  MAX_FINDINGS,
  newProof,
  type ProofPace,
  type ProofScope,
  type ProofState,
} from '../../../../src/engine/integrity/proof-state.ts';
import type { AuditPart, CheckResult } from '../../../../src/engine/projection/table-audit.ts';

/* In what order a continuous proof looks at things, and what it remembers of them. */

const PACE: ProofPace = { headMs: 100, recheckMs: 50, roundMs: 1_000 };
const whole: CheckResult = { name: 'a', law: 'a holds', problems: 0, samples: [] };
const broken: CheckResult = { name: 'b', law: 'b holds', problems: 2, samples: ['step 7'] };
const left: CheckResult = { name: 'c', law: 'c holds', problems: 0, samples: [], skipped: 'no chain' };

const scopeTo = (last: number, facts: Partial<ProofScope> = {}): ProofScope => ({
  visible: { first: 1, last },
  accountParts: 2,
  width: 40,
  accountWidth: 1,
  ...facts,
});

/** Everything that is due at `now`, in its order. */
function run(from: ProofState, scope: ProofScope, now: number) {
  const parts: AuditPart[] = [];
  let state = from;
  for (let part = duePart(state, scope, PACE, now); part; part = duePart(state, scope, PACE, now)) {
    parts.push(part);
    state = afterPart(state, part, [whole, left], now);
  }
  return { parts, state };
}

describe('a round of the proof', () => {
  it('proves the newest steps first, none twice, then the accounts, and ends', () => {
    const { parts, state } = run(newProof(0), scopeTo(100), 1_000);
    expect(parts).toEqual([
      { steps: { first: 61, last: 100 } },
      { steps: { first: 21, last: 60 } },
      { steps: { first: 1, last: 20 } },
      { accounts: 0 },
      { accounts: 1 },
    ]);
    expect(state.proven).toEqual([{ first: 1, last: 100 }]);
    // A check that was left out proved nothing.
    expect(state.last).toEqual({ part: { accounts: 1 }, at: 1_000, checks: 1, problems: 0 });
    expect(atRest(state, PACE, 1_001).ended).toBe(1_001);
  });

  it('lets new steps wait for others, but not for long', () => {
    const { state } = run(newProof(0), scopeTo(100), 1_000);
    expect(duePart(state, scopeTo(103), PACE, 1_050)).toBeNull();
    expect(duePart(state, scopeTo(103), PACE, 1_100)).toEqual({ steps: { first: 101, last: 103 } });
    expect(duePart(state, scopeTo(150), PACE, 1_050)).toEqual({ steps: { first: 111, last: 150 } });
  });

  it('proves steps that were filled below like new steps', () => {
    const { state } = run(newProof(0), scopeTo(100, { visible: { first: 50, last: 100 } }), 1_000);
    expect(run(state, scopeTo(100), 1_001).parts).toEqual([
      { steps: { first: 10, last: 49 } },
      { steps: { first: 1, last: 9 } },
    ]);
  });

  it('is followed by the next when it is old, which keeps what was found', () => {
    const { state } = run(newProof(0), scopeTo(10), 1_000);
    const ended = atRest(state, PACE, 1_000);
    expect(atRest(ended, PACE, 1_999)).toBe(ended);
    const next = atRest(ended, PACE, 2_000);
    expect(next).toMatchObject({ began: 2_000, proven: [], accounts: 0, ended: null, endedBefore: 1_000 });
    expect(next.last).toEqual(ended.last);
    expect(run(next, scopeTo(10), 2_000).parts[0]).toEqual({ steps: { first: 1, last: 10 } });
  });
});

describe('the accounts', () => {
  it('are proved in the fewest possible portions', () => {
    const scope = scopeTo(10, { accountParts: 64, accountWidth: 16 });
    const began = { ...run(newProof(0), scopeTo(10, { accountParts: 5 }), 1_000).state };
    const { parts, state } = run(began, scope, 1_000);
    expect(parts).toEqual([
      { accounts: 5, count: 16 },
      { accounts: 21, count: 16 },
      { accounts: 37, count: 16 },
      { accounts: 53, count: 11 },
    ]);
    expect(state.accounts).toBe(64);
    expect(run(newProof(0), { ...scope, accountWidth: 63 }, 1_000).parts.slice(1)).toEqual([
      { accounts: 0, count: 63 },
      { accounts: 63 },
    ]);
  });
});

describe('what was found', () => {
  const part = { steps: { first: 1, last: 10 } };
  const found = afterPart(newProof(0), part, [whole, broken], 1_000);

  it('names the check and the portion, and is checked again until it is gone', () => {
    expect(found.findings).toEqual([{ part, at: 1_000, check: 'b', problems: 2, samples: ['step 7'] }]);
    expect(found.last).toMatchObject({ checks: 2, problems: 2 });
    expect(duePart(found, scopeTo(10), PACE, 1_049)).toEqual({ accounts: 0 });
    const seen = { ...found, accounts: 2 };
    expect(duePart(seen, scopeTo(10), PACE, 1_049)).toBeNull();
    expect(duePart(seen, scopeTo(10), PACE, 1_050)).toEqual(part);
    const again = afterPart(found, part, [whole, broken], 1_050);
    expect(again.findings).toHaveLength(1);
    expect(afterPart(again, part, [whole], 1_200).findings).toEqual([]);
  });

  it('is reported by a larger portion that contains it, not twice', () => {
    const account = afterPart(newProof(0), { accounts: 3 }, [broken], 1_000);
    expect(afterPart(account, { accounts: 0, count: 3 }, [whole], 1_010).findings).toEqual(account.findings);
    expect(afterPart(account, { accounts: 0, count: 4 }, [whole], 1_010).findings).toEqual([]);
    const wider = afterPart(account, { accounts: 0, count: 64 }, [broken], 1_010);
    expect(wider.findings.map((one) => one.part)).toEqual([{ accounts: 0, count: 64 }]);
    expect(afterPart(found, { steps: { first: 1, last: 20 } }, [whole], 1_010).findings).toEqual([]);
    expect(afterPart(found, { steps: { first: 2, last: 20 } }, [whole], 1_010).findings).toEqual(
      found.findings,
    );
  });

  it('is checked in turn with what was not checked yet', () => {
    expect(duePart(found, scopeTo(10), PACE, 1_050)).toEqual({ accounts: 0 });
    const other = afterPart(found, { accounts: 0 }, [whole], 1_050);
    expect(duePart(other, scopeTo(10), PACE, 1_050)).toEqual(part);
    const again = afterPart(other, part, [broken], 1_051);
    expect(duePart(again, scopeTo(10), PACE, 1_200)).toEqual({ accounts: 1 });
  });

  it('is bounded, the newest stay', () => {
    let state = newProof(0);
    for (let first = 1; first <= MAX_FINDINGS + 5; first++)
      state = afterPart(state, { steps: { first, last: first } }, [broken], first);
    expect(state.findings).toHaveLength(MAX_FINDINGS);
    expect(state.findings[0]?.part).toEqual({ steps: { first: 6, last: 6 } });
  });

  it('stays while other portions are whole', () => {
    const other = afterPart(found, { accounts: 0 }, [whole], 1_010);
    expect(other.findings).toEqual(found.findings);
  });
});
