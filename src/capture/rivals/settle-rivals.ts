import { type BlockIdExt, blockIdText, sameBlock } from '../block-id.ts';
import type { Evidence } from './evidence.ts';
import { type Claim, claimText, RivalBlockError } from './rival-block-error.ts';

/** Winner of an id, and the others with the reason; without a winner all of them are refused. */
export interface Settlement {
  readonly winner: Claim | null;
  readonly refused: readonly RefusedClaim[];
}

export interface RefusedClaim {
  readonly claim: Claim;
  readonly error: RivalBlockError;
}

/** A decision: the winner, and what is said of a loser. */
interface Decision {
  readonly winner: Claim;
  readonly reason: (loser: Claim) => string;
}

type Rule = (claims: readonly Claim[], court: Court) => Decision | null;

/** Facts while ids are being settled. */
interface Court {
  readonly evidence: Evidence;
  /** The accepted block of an id; null if there is none, undefined if it is undecided. */
  taken(id: BlockIdExt): BlockIdExt | null | undefined;
}

/**
 * Decides ids that several blocks claim (at least two different blocks an id). A block that others name by hash is
 * proved by them. Otherwise the only valid block wins, and then the only one that does not contradict the blocks it
 * names. An accepted block is a witness for others.
 *
 * `known`: the block at an uncontested id, or null.
 */
export function settleRivals(
  contested: ReadonlyMap<string, readonly Claim[]>,
  evidence: Evidence,
  known: (key: string) => BlockIdExt | null,
): Map<string, Settlement> {
  const winners = new Map<string, Decision>();
  const court: Court = {
    evidence,
    taken: (id) => {
      const key = blockIdText(id);
      return contested.has(key) ? winners.get(key)?.winner.id : known(key);
    },
  };
  // An id that one rule settles may let a stronger rule settle more.
  while (RULES.some((rule) => applyRule(rule, contested, winners, court)));
  const settled = [...contested].map(
    ([key, claims]) => [key, settlement(claims, winners.get(key), evidence)] as const,
  );
  return new Map(settled);
}

/** Whether the rule settled anything. */
function applyRule(
  rule: Rule,
  contested: ReadonlyMap<string, readonly Claim[]>,
  winners: Map<string, Decision>,
  court: Court,
): boolean {
  const decided = [...contested].flatMap(([key, claims]) => {
    const decision = winners.has(key) ? null : rule(claims, court);
    return decision ? [[key, decision] as const] : [];
  });
  for (const [key, decision] of decided) winners.set(key, decision);
  return decided.length > 0;
}

const isNamed: Rule = (claims, court) => {
  const voices = court.evidence.voicesAt(claims[0]!.id).filter(({ by }) => sameAs(court.taken(by.id), by.id));
  const votes = claims.map((claim) => voices.filter(({ named }) => sameBlock(named, claim.id)));
  const winner = onlyHighest(votes.map(({ length }) => length));
  if (winner === null || votes[winner]!.length === 0) return null;
  const [first] = votes[winner]!;
  const reason = `${votes[winner]!.length} name the other, such as ${claimText(first!.by)}`;
  return { winner: claims[winner]!, reason: () => reason };
};

const isSound: Rule = (claims, { evidence }) => {
  const sound = claims.filter(({ id }) => evidence.getDamage(id) === null);
  const [winner] = sound;
  if (!winner || sound.length !== 1) return null;
  return { winner, reason: ({ id }) => evidence.getDamage(id) ?? '' };
};

const fits: Rule = (claims, court) => {
  const sound = claims.filter(({ id }) => court.evidence.getDamage(id) === null);
  const contradicted = (claim: Claim) =>
    court.evidence.namedBy(claim.id).find((named) => {
      const taken = court.taken(named);
      return taken && !sameBlock(taken, named);
    });
  const fitting = sound.filter((claim) => !contradicted(claim));
  const [winner] = fitting;
  if (!winner || fitting.length !== 1) return null;
  const reason = (loser: Claim) => {
    const named = contradicted(loser);
    if (!named) return court.evidence.getDamage(loser.id) ?? '';
    return `it names another block than the one that is there: ${claimText({ id: named, origin: 'its references' })}`;
  };
  return { winner, reason };
};

/** The strongest first. */
const RULES: readonly Rule[] = [isNamed, isSound, fits];

function sameAs(taken: BlockIdExt | null | undefined, id: BlockIdExt): boolean {
  return taken != null && sameBlock(taken, id);
}

/** The place of the highest number; null where several are. */
function onlyHighest(numbers: readonly number[]): number | null {
  const highest = Math.max(...numbers);
  const at = numbers.indexOf(highest);
  return numbers.lastIndexOf(highest) === at ? at : null;
}

function settlement(
  claims: readonly Claim[],
  decision: Decision | undefined,
  evidence: Evidence,
): Settlement {
  const others = (claim: Claim) => claims.filter((other) => other !== claim);
  const refuse = (claim: Claim, reason: string): RefusedClaim => ({
    claim,
    error: new RivalBlockError(claim, others(claim), reason),
  });
  if (!decision) {
    const reason = ({ id }: Claim) => evidence.getDamage(id) ?? 'the source does not show which one is right';
    return { winner: null, refused: claims.map((claim) => refuse(claim, reason(claim))) };
  }
  const { winner, reason } = decision;
  return { winner, refused: others(winner).map((claim) => refuse(claim, reason(claim))) };
}
