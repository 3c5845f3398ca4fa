import type { AttackReport } from './attack-run.ts';

const HEAD = 'seconds  requests  honest ok/busy/all   p50    p99  stall  server   store   log  attack';

/** The first lines of the table: what its columns are. */
export function tableHead(): string {
  return `${HEAD}\n${'  s                               ms     ms     ms      MB      MB    KB'}\n`;
}

/** One attack as lines: its numbers, what it was answered, what did not hold. */
export function tableRow(report: AttackReport): string {
  const { name, requests, seconds, honest, stallMs, serverMb, storeMb, logBytes, problems } = report;
  const served = `${honest.right}/${honest.busy}/${honest.asked}`;
  const cells = [
    String(seconds).padStart(7),
    String(requests).padStart(8),
    served.padStart(18),
    String(honest.p50Ms).padStart(4),
    String(honest.p99Ms).padStart(5),
    String(stallMs).padStart(5),
    String(serverMb).padStart(6),
    String(storeMb).padStart(6),
    String(Math.round(logBytes / 1024)).padStart(4),
  ];
  const statuses = Object.entries(report.statuses).map(([status, count]) => `${status}: ${count}`);
  const lines = [
    `${cells.join('  ')}  ${problems.length > 0 ? 'FAILED ' : ''}${name} (${statuses.join(', ')})`,
    ...problems.map((problem) => `         - ${problem}`),
  ];
  return `${lines.join('\n')}\n`;
}
