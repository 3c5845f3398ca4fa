import { printable } from '../../platform/observability/printable.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import { type RepairReport, stepsIn } from './repair-store.ts';

const SHOWN = 10;

const spans = (ranges: readonly PositionRange[]): string =>
  ranges
    .slice(0, SHOWN)
    .map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`))
    .concat(ranges.length > SHOWN ? ['…'] : [])
    .join(', ');

/** Result of a repair as text. */
export function repairText(report: RepairReport): string {
  const { brokenParts, damaged, blocksRestored, rebuilt, lost, deletedInLog } = report;
  if (brokenParts.length + damaged.length + deletedInLog.length === 0) return 'repair: no step misses rows\n';
  const lines = [
    ...deletedInLog.map(
      ({ lane, first, next }) => `repair: the log lost offsets ${first} to ${next - 1} of lane ${lane}`,
    ),
    ...brokenParts.map(({ table, part }) => `repair: ${table} ${part} cannot be read and is put aside`),
    `repair: ${stepsIn(damaged)} steps were damaged, ${stepsIn(rebuilt)} are decoded again: ${spans(rebuilt) || 'none'}`,
    `repair: ${blocksRestored} blocks were put back into raw_blocks`,
    ...lost
      .slice(0, SHOWN)
      .map(
        ({ position, reason }) =>
          `repair: masterchain ${position} cannot be restored: ${printable(reason)} in raw_blocks and the log`,
      ),
    ...(lost.length > 0
      ? [
          `repair: \`tonhouse verify --repair --source archive:PATH\` reads the ${lost.length} steps from an archive`,
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}
