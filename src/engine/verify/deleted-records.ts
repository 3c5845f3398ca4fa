import type { DeletedRange } from '../../log/port.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { CheckResult } from '../projection/table-audit.ts';
import { getGroup } from '../versions/version-names.ts';
import { committedOffsets } from './log-pass.ts';

type Parts = Pick<EngineParts, 'bus' | 'projection'>;

/** Deleted records of the log, by whether a version of the store had passed them. */
export async function deletedRecords(
  { bus, projection }: Parts,
  version: number,
): Promise<{ readonly passed: readonly DeletedRange[]; readonly needed: readonly DeletedRange[] }> {
  const deleted = await bus.deleted(projection.reads);
  if (deleted.length === 0) return { passed: [], needed: [] };
  const committed = await committedOffsets(bus, projection.reads, getGroup(projection, version));
  const isPassed = ({ lane, next }: DeletedRange) => (committed.get(lane) ?? 0) >= next;
  return { passed: deleted.filter(isPassed), needed: deleted.filter((range) => !isPassed(range)) };
}

/** Checks that no record was deleted before the store had read it. */
export async function checkDeletedRecords(parts: Parts, version: number): Promise<CheckResult> {
  const { needed } = await deletedRecords(parts, version);
  return {
    name: 'log-records',
    law: 'no record of the log was deleted before it was read',
    problems: needed.length,
    samples: needed.map(
      ({ lane, first, next }) =>
        `lane ${lane}: offsets ${first} to ${next - 1} were deleted; --repair --source reads their steps from an archive`,
    ),
  };
}
