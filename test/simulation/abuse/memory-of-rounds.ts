import type { AttackReport } from './attack-run.ts';

/** Rounds that begin this early do not count for growth, s: code is compiled and caches fill. */
const WARM_UP_SECONDS = 200;
/** Minimum number of later rounds for a trend. */
const MIN_ROUNDS = 4;
/** So many times the memory of their first half the second half of the rounds may take. */
const MAX_GROWTH = 1.1;

/** One round of all attacks. */
export interface Round {
  /** Resident memory of the server: the highest of each attack, weighed by how long that took, MB. */
  readonly mb: number;
  readonly seconds: number;
}

type AttackMemory = Pick<AttackReport, 'serverMb' | 'seconds'>;

export function roundOf(reports: readonly AttackMemory[]): Round {
  const weightOf = ({ seconds }: AttackMemory) => Math.max(1, seconds);
  const seconds = reports.reduce((sum, report) => sum + weightOf(report), 0);
  const mb = reports.reduce((sum, report) => sum + report.serverMb * weightOf(report), 0) / seconds;
  return { mb: Math.round(mb), seconds };
}

/** True if memory stays constant from round to round, as with bounded caches; null for too few rounds. */
export function isFlat(rounds: readonly Round[]): boolean | null {
  let begun = 0;
  const warm = rounds.filter(({ seconds }) => {
    begun += seconds;
    return begun - seconds >= WARM_UP_SECONDS;
  });
  if (warm.length < MIN_ROUNDS) return null;
  const half = Math.floor(warm.length / 2);
  return mean(warm.slice(-half)) <= MAX_GROWTH * mean(warm.slice(0, half));
}

function mean(rounds: readonly Round[]): number {
  return rounds.reduce((sum, { mb }) => sum + mb, 0) / rounds.length;
}
