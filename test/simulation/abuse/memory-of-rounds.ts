import type { AttackReport } from './attack-run.ts';

/** In the first round code is compiled and caches fill: it says nothing about growth. */
const WARM_UP_ROUNDS = 1;
/** Fewer rounds behind it are no trend. */
const LEAST_ROUNDS = 4;
/** So many times the memory of their first half the second half of the rounds may take. */
const MOST_GROWTH = 1.1;

/** Resident memory of the server over a round: the highest of each attack, weighed by how long that took, MB. */
export function memoryOfRound(reports: readonly Pick<AttackReport, 'serverMb' | 'seconds'>[]): number {
  const weightOf = ({ seconds }: Pick<AttackReport, 'seconds'>) => Math.max(1, seconds);
  const seconds = reports.reduce((sum, report) => sum + weightOf(report), 0);
  return Math.round(reports.reduce((sum, report) => sum + report.serverMb * weightOf(report), 0) / seconds);
}

/** How often the memory of the second half of the rounds is that of the first half; null where there are too few to say. */
export function memoryTrend(roundsMb: readonly number[]): number | null {
  const warm = roundsMb.slice(WARM_UP_ROUNDS);
  if (warm.length < LEAST_ROUNDS) return null;
  const half = Math.floor(warm.length / 2);
  return mean(warm.slice(-half)) / mean(warm.slice(0, half));
}

/** Whether memory is flat by its trend: what a server keeps is bounded, so that rounds of the same attacks end at the same memory. */
export function isFlat(trend: number): boolean {
  return trend <= MOST_GROWTH;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
