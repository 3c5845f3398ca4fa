import type { AttackReport } from './attack-run.ts';
import type { AbuseResult } from './simulate-abuse.ts';
import { percentile } from './watch/honest-client.ts';
import type { Observation } from './watch/watch.ts';

const HEAD = 'seconds  requests  honest ok/busy/all   p50    p99  stall  server   store   log  attack';

/** The header of the table. */
export function tableHead(): string {
  return `${HEAD}\n${'  s                               ms     ms     ms      MB      MB    KB'}\n`;
}

/** One attack as lines: its numbers, what it was answered, what did not hold. */
export function tableRow(report: AttackReport): string {
  const { name, requests, seconds, logBytes, problems } = report;
  const cells = [
    String(seconds).padStart(7),
    String(requests).padStart(8),
    ...observed(report),
    String(Math.round(logBytes / 1024)).padStart(4),
  ];
  const statuses = Object.entries(report.statuses).map(([status, count]) => `${status}: ${count}`);
  const lines = [
    `${cells.join('  ')}  ${problems.length > 0 ? 'FAILED ' : ''}${name} (${statuses.join(', ')})`,
    ...problems.map((problem) => `         - ${problem}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The time before the first attack as a line. */
export function restRow(rest: Observation): string {
  return `${[' '.repeat(7), ' '.repeat(8), ...observed(rest), ' '.repeat(4)].join('  ')}  at rest\n`;
}

/** So many times its p99 at rest an honest client may wait under attack. */
const GOAL = 3;
/** Fewer answers have no p99: it would be the longest of them. */
const MIN_ASKED = 100;

/**
 * How the honest client fared: the p99 of its answers at rest, of all of them under attack, and of each attack, all rounds together. The goal
 * is three times that at rest. While the store is away nothing can be answered from it: such attacks are not counted.
 */
export function honestSummary(rest: Observation, reports: readonly AttackReport[]): string {
  const atRest = Math.max(1, rest.honest.p99Ms);
  const counted = reports.filter(({ isOutage }) => !isOutage);
  const all = timesOf(counted);
  const attacks = [...Map.groupBy(counted, ({ name }) => name)].map(([name, own]) => ({
    name,
    times: timesOf(own),
  }));
  const brief = attacks.filter(({ times }) => times.length < MIN_ASKED);
  const longest = brief.sort((a, b) => (a.times.at(-1) ?? 0) - (b.times.at(-1) ?? 0)).at(-1);
  const long = attacks
    .filter(({ times }) => times.length >= MIN_ASKED)
    .map(({ name, times }) => ({ name, p99: percentile(times, 0.99) }))
    .sort((a, b) => a.p99 - b.p99);
  const within = long.filter(({ p99 }) => p99 <= GOAL * atRest).length;
  const worst = long.at(-1);
  return (
    `p99 of honest answers: ${atRest} ms at rest, ${percentile(all, 0.99)} ms of all ${all.length} under attack; of each attack with ` +
    `${MIN_ASKED} answers or more: ${long[Math.floor(long.length / 2)]?.p99 ?? 0} ms in the median, ` +
    `${worst?.p99 ?? 0} ms in the worst (${worst?.name ?? 'none'}), within three times that at rest in ${within} of ${long.length}; the longest ` +
    `answer beside the other ${brief.length}: ${longest?.times.at(-1) ?? 0} ms (${longest?.name ?? 'none'})\n`
  );
}

/** The server's memory as a line: at rest, of each round, at the end, and whether it is flat. */
export function memorySummary({ memoryMb, isFlat }: Pick<AbuseResult, 'memoryMb' | 'isFlat'>): string {
  const { first, rounds, last } = memoryMb;
  const verdict = { true: 'flat', false: 'FAILED not flat', null: 'too few rounds to say whether flat' };
  return (
    `server memory: ${first} MB at rest, by round ${rounds.join(', ') || 'none'}, ${last} MB at the end: ` +
    `${verdict[`${isFlat}`]}\n`
  );
}

/** How long all answers of some reports took, ms, the shortest first. */
function timesOf(reports: readonly AttackReport[]): number[] {
  return reports.flatMap(({ honest }) => honest.timesMs).sort((a, b) => a - b);
}

function observed({ honest, stallMs, serverMb, storeMb }: Observation): string[] {
  return [
    `${honest.right}/${honest.busy}/${honest.asked}`.padStart(18),
    String(honest.p50Ms).padStart(4),
    String(honest.p99Ms).padStart(5),
    String(stallMs).padStart(5),
    String(serverMb).padStart(6),
    String(storeMb).padStart(6),
  ];
}
