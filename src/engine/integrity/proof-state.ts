import type { AuditPart, CheckResult } from '../projection/table-audit.ts';
import { joinRanges, type PositionRange, subtractRanges } from '../ranges/position-ranges.ts';

/** One portion that was proven, or found to be broken. */
export interface Proof {
  readonly part: AuditPart;
  /** Unix time of its end, ms. */
  readonly at: number;
  /** Checks that were made. */
  readonly checks: number;
  /** Breaches found. */
  readonly problems: number;
}

/** Breaches that a check found in a portion, until a later look at the portion does not find them. */
export interface Finding {
  readonly part: AuditPart;
  readonly at: number;
  readonly check: string;
  readonly problems: number;
  readonly samples: readonly string[];
}

/** How far the proof of one version of a projection is. A round looks at everything once, then at what comes. */
export interface ProofState {
  /** Unix time when the round began, ms. */
  readonly began: number;
  /** Steps that the round has looked at. */
  readonly proven: readonly PositionRange[];
  /** Parts of the accounts that it has looked at. */
  readonly accounts: number;
  /** When it had looked at everything; null while it has not. */
  readonly ended: number | null;
  /** When the round before had; null for the first round. */
  readonly endedBefore: number | null;
  /** The last portion of steps at the head of the chain began to be due then. */
  readonly headAt: number;
  readonly last: Proof | null;
  readonly findings: readonly Finding[];
}

/** Intervals of the looks, ms. */
export interface ProofPace {
  /** New steps at the head wait so long for others to be looked at with them. */
  readonly headMs: number;
  /** A portion that was found broken is looked at again after so long. */
  readonly recheckMs: number;
  /** A round that has ended is followed by the next after so long. */
  readonly roundMs: number;
}

/** Steps and accounts that there are to look at. */
export interface ProofScope {
  readonly visible: PositionRange;
  /** Parts that the accounts are looked at in; 0: no check is by account. */
  readonly accountParts: number;
  /** Steps of a portion. */
  readonly width: number;
  /** Parts of the accounts that a portion holds. */
  readonly accountWidth: number;
}

/** The state before anything was looked at. */
export function newProof(now: number): ProofState {
  return {
    began: now,
    proven: [],
    accounts: 0,
    ended: null,
    endedBefore: null,
    headAt: 0,
    last: null,
    findings: [],
  };
}

/** Findings that are kept, the newest: a store that is broken everywhere has one for each portion and check. */
export const MAX_FINDINGS = 200;

/**
 * The next portion: known problems first, then the newest steps that no portion had, then the next part of the
 * accounts. After a problem portion another kind comes first, so that much damage does not block the rest. Null if
 * nothing is due.
 */
export function duePart(
  state: ProofState,
  scope: ProofScope,
  pace: ProofPace,
  now: number,
): AuditPart | null {
  const due = state.findings.find(({ at }) => now - at >= pace.recheckMs)?.part ?? null;
  const wasBroken = state.last !== null && state.last.problems > 0;
  return wasBroken
    ? (unprovedPart(state, scope, pace, now) ?? due)
    : (due ?? unprovedPart(state, scope, pace, now));
}

function unprovedPart(state: ProofState, scope: ProofScope, pace: ProofPace, now: number): AuditPart | null {
  const steps = dueSteps(state, scope, pace, now);
  return steps ? { steps } : dueAccounts(state.accounts, scope);
}

function dueAccounts(accounts: number, { accountParts, accountWidth }: ProofScope): AuditPart | null {
  const count = Math.min(accountWidth, accountParts - accounts);
  if (count <= 0) return null;
  return count === 1 ? { accounts } : { accounts, count };
}

function dueSteps(state: ProofState, { visible, width }: ProofScope, pace: ProofPace, now: number) {
  const open = subtractRanges([visible], state.proven);
  const newest = open.at(-1);
  const isHead = newest !== undefined && newest.last === visible.last && newest.first > visible.first;
  const isYoung = isHead && newest.last - newest.first + 1 < width && now - state.headAt < pace.headMs;
  const { first, last } = (isYoung ? open.at(-2) : newest) ?? {};
  return first === undefined || last === undefined
    ? null
    : { first: Math.max(first, last - width + 1), last };
}

/** The state after a portion was looked at. */
export function afterPart(
  state: ProofState,
  part: AuditPart,
  results: readonly CheckResult[],
  now: number,
): ProofState {
  const made = results.filter(({ skipped }) => skipped === undefined);
  const found = made.filter(({ problems }) => problems > 0);
  const findings = found.map(({ name: check, problems, samples }) => ({
    ...{ part, at: now, check, problems, samples },
  }));
  const others = state.findings.filter((finding) => !holds(part, finding.part));
  const problems = found.reduce((sum, result) => sum + result.problems, 0);
  return {
    ...state,
    ...('steps' in part
      ? { proven: joinRanges([...state.proven, part.steps]), headAt: now }
      : { accounts: Math.max(state.accounts, getEnd(part)) }),
    last: { part, at: now, checks: made.length, problems },
    findings: [...others, ...findings].slice(-MAX_FINDINGS),
  };
}

/** The state when nothing is due: the round has ended, or the next one begins. */
export function atRest(state: ProofState, { roundMs }: ProofPace, now: number): ProofState {
  if (state.ended === null) return { ...state, ended: now };
  if (now - state.ended < roundMs) return state;
  const { last, findings, ended } = state;
  return { ...newProof(now), last, findings, endedBefore: ended };
}

/** Whether a portion looks at all that another looked at. */
function holds(outer: AuditPart, inner: AuditPart): boolean {
  if ('steps' in outer)
    return 'steps' in inner && outer.steps.first <= inner.steps.first && inner.steps.last <= outer.steps.last;
  return 'accounts' in inner && outer.accounts <= inner.accounts && getEnd(inner) <= getEnd(outer);
}

/** The part of the accounts after a portion. */
function getEnd({ accounts, count = 1 }: Extract<AuditPart, { readonly accounts: number }>): number {
  return accounts + count;
}
