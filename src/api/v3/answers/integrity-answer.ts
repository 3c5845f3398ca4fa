import type { IntegrityPort, ProjectionProof, ProvenPart } from '../../integrity-port.ts';
import type { IntegrityAnswer } from '../schemas/integrity.ts';

/** Result of the store's proof; without one `off`. */
export function integrityAnswer(port: IntegrityPort | undefined): IntegrityAnswer {
  if (!port) return { state: 'off', problems: 0, store_damaged: false, projections: [] };
  const proofs = port.proofs();
  const problems = proofs.flatMap(({ state }) => state.findings).reduce((sum, one) => sum + one.problems, 0);
  const isDamaged = port.isStoreDamaged();
  return {
    state: problems > 0 || isDamaged ? 'damaged' : isComplete(proofs) ? 'whole' : 'proving',
    problems,
    store_damaged: isDamaged,
    projections: proofs.map(projectionAnswer),
  };
}

/** Whether some round of each projection has looked at everything. */
function isComplete(proofs: readonly ProjectionProof[]): boolean {
  const ended = proofs.filter(({ state }) => state.ended !== null || state.endedBefore !== null);
  return proofs.length > 0 && ended.length === proofs.length;
}

function projectionAnswer(proof: ProjectionProof): IntegrityAnswer['projections'][number] {
  const { projection, database, visible, unprovenSteps, accountParts, state } = proof;
  const { began, ended, endedBefore, proven, accounts, last, findings } = state;
  return {
    projection,
    database,
    visible,
    proven: [...proven],
    unproven_steps: unprovenSteps,
    account_parts: accountParts,
    account_parts_proven: accounts,
    round_began_at: seconds(began),
    round_ended_at: ended === null ? null : seconds(ended),
    last_round_ended_at: endedBefore === null ? null : seconds(endedBefore),
    last_proof: last && {
      ...partAnswer(last.part),
      at: seconds(last.at),
      checks: last.checks,
      problems: last.problems,
    },
    problems: findings.map(({ part, at, check, problems, samples }) => ({
      ...partAnswer(part),
      at: seconds(at),
      check,
      problems,
      samples: [...samples],
    })),
  };
}

function partAnswer(part: ProvenPart) {
  if ('steps' in part) return { steps: part.steps };
  const { accounts, count } = part;
  return { account_part: accounts, ...(count !== undefined && { account_part_count: count }) };
}

const seconds = (ms: number): number => Math.floor(ms / 1_000);
