import type {
  Complaint,
  Election,
  ElectorState,
  PastElection,
} from '../../ton/contracts/elector/elector-state.ts';
import type { ValidatorSet } from '../../ton/contracts/elector/validator-set.ts';
import type { ReadScope } from '../query/scope.ts';
import { readElector } from './read-elector.ts';
import { type ShownSet, validatorSets } from './read-validator-sets.ts';

/** An election, and its set if known. */
export interface HeldElection {
  readonly election: Election;
  readonly set: ValidatorSet | null;
}

/** Seconds by which the begin of a set may differ from the id of its election, other than by its being postponed. */
const NEAR = 86_400;

/** A set, and when the one before it began; 0 where none is known. */
export interface SetInTurn extends ShownSet {
  readonly before: number;
}

/** Every set of the index, as `validatorSets`, each with the begin of the one before. */
export async function* setsInTurn(scope: ReadScope, descending: boolean): AsyncGenerator<SetInTurn> {
  let last: ShownSet | null = null;
  for await (const shown of validatorSets(scope, descending)) {
    if (!descending) yield { ...shown, before: last?.set.since ?? 0 };
    else if (last) yield { ...last, before: shown.set.since };
    last = shown;
  }
  if (descending && last) yield { ...last, before: 0 };
}

/**
 * Whether a set may have come from an election with an id within bounds: others need no look at the elector. The id is the time
 * at which the set was to begin. An election that too few took part in is postponed, for days if need be; the next one is announced
 * when its set is in force.
 */
export function mayComeFrom({ set: { since }, before }: SetInTurn, from: number, to: number = from): boolean {
  return since >= from - NEAR && Math.min(before, since - NEAR) <= to;
}

/** The round of a set, while its stakes are frozen; undefined if the elector does not have it. */
export function findRound(elector: ElectorState, { hash }: ValidatorSet): PastElection | undefined {
  return elector.past.find(({ setHash }) => setHash === hash);
}

/**
 * Elections in their last seen state, the newest first or last: the open one, and the one of each set, from the first
 * key block that shows the set. `skips`: whether a set's election can be skipped.
 *
 * @throws HttpError 500 the elector's state is not held
 */
export async function* heldElections(
  scope: ReadScope,
  descending: boolean,
  skips: (shown: SetInTurn) => boolean,
): AsyncGenerator<HeldElection> {
  const newest = await readElector(scope, scope.visible.last);
  const open = newest.election;
  const elected = open && newest.past.find(({ id }) => id === open.id)?.setHash;
  let openSet: ValidatorSet | null = null;
  if (open && descending) {
    for await (const { set } of validatorSets(scope, true)) {
      openSet = set.hash === elected ? set : null;
      break;
    }
    yield { election: open, set: openSet };
  }
  for await (const shown of setsInTurn(scope, descending)) {
    if (shown.set.hash === elected) openSet = shown.set;
    if (skips(shown)) continue;
    const election = await findElection(scope, shown);
    if (election && election.id !== open?.id) yield { election, set: shown.set };
  }
  if (open && !descending) yield { election: open, set: openSet };
}

/** The elector drops an election when its set is in the configuration. */
async function findElection(scope: ReadScope, { set, first }: ShownSet): Promise<Election | null> {
  for (const seqno of [first, first - 1]) {
    if (seqno < scope.visible.first) break;
    const elector = await readElector(scope, seqno);
    const { election } = elector;
    if (election && findRound(elector, set)?.id === election.id) return election;
  }
  return null;
}

/** A complaint, its round, and the sets that it speaks of. */
export interface HeldComplaint {
  readonly complaint: Complaint;
  readonly round: PastElection;
  /** The set that was complained about. */
  readonly set: ValidatorSet;
}

/**
 * Complaints about a set when it left the configuration, or now.
 * @throws HttpError 500 the elector's state is not held
 */
export async function readComplaints(scope: ReadScope, { set, next }: ShownSet): Promise<HeldComplaint[]> {
  const seqno = next === null ? scope.visible.last : Math.max(scope.visible.first, next - 1);
  const round = findRound(await readElector(scope, seqno), set);
  return round ? round.complaints.map((complaint) => ({ complaint, round, set })) : [];
}
