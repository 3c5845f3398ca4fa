import type { DetachedPart } from '../../platform/clickhouse/detached-parts.ts';
import { printable } from '../../platform/observability/printable.ts';
import type { CheckResult } from '../projection/table-audit.ts';
import type { VersionChecks } from './verify-version.ts';

/** Parts that are named. */
const SHOWN = 5;

/** Findings of the checks as text: a line per check, with samples, and the sum. */
export function verifyText(
  { checks, visible }: Pick<VersionChecks, 'checks' | 'visible'>,
  problems: number,
  detached: readonly DetachedPart[],
): string {
  if (!visible && problems === 0) return 'nothing is indexed\n';
  const range = visible ? `masterchain ${visible.first} to ${visible.last}` : 'nothing is visible';
  const advice = problems > 0 ? '; `tonhouse verify --repair` builds again what is missing' : '';
  const lines = [
    ...checks.flatMap(checkLines),
    ...detachedLines(detached),
    `${range}: ${problems} problems${advice}`,
  ];
  return `${lines.join('\n')}\n`;
}

function checkLines({ name, law, problems, samples, skipped }: CheckResult): readonly string[] {
  const mark = skipped ? 'skip' : toMark(problems);
  const found = problems === 0 ? law : `${problems} problems`;
  return [`${mark} ${name.padEnd(26)} ${skipped ?? found}`, ...samples.map(sampleLine)];
}

function detachedLines(detached: readonly DetachedPart[]): readonly string[] {
  if (detached.length === 0) return [];
  const advice = '`tonhouse verify --repair` removes them once all is whole';
  return [
    `note ${'detached-parts'.padEnd(26)} the server put ${detached.length} parts aside; ${advice}`,
    ...detached.slice(0, SHOWN).map(({ table, part, reason }) => sampleLine(`${table} ${part} ${reason}`)),
  ];
}

/** Findings of a check of the log as text. */
export function logCheckText(found: {
  readonly records: number;
  readonly bytes: number;
  readonly problems: number;
  readonly samples: readonly string[];
}): string {
  const { records, bytes, problems, samples } = found;
  const size = `${records} records, ${(bytes / 2 ** 20).toFixed(1)} MiB`;
  const line = `${toMark(problems)} ${'log'.padEnd(26)} ${size}: ${problems} problems`;
  return `${[line, ...samples.map(sampleLine)].join('\n')}\n`;
}

const toMark = (problems: number): string => (problems === 0 ? 'ok  ' : 'FAIL');
const sampleLine = (sample: string): string => `       ${printable(sample)}`;
