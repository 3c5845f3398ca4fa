import type { LogIdentity } from '../../log/port.ts';
import { versionDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import type { ProjectionFacts } from '../projection/projection.ts';

/** Number of a new store's first version, whatever code builds it; replays count up from it. */
export const FIRST_VERSION = 1;

/** Consumer group that writes a version: each has offsets and a journal of its own. */
export function groupOf({ group }: Pick<ProjectionFacts, 'group'>, version: number = FIRST_VERSION): string {
  return version === FIRST_VERSION ? group : `${group}-v${version}`;
}

/** Name under which the offsets of a version's group are shown: the projection's, with its number from the second on. */
export function shownGroupOf(
  { name }: Pick<ProjectionFacts, 'name'>,
  version: number = FIRST_VERSION,
): string {
  return version === FIRST_VERSION ? name : `${name}-v${version}`;
}

/** Group whose journal guards retries of dead letters. */
export function retryGroupOf({ group }: Pick<ProjectionFacts, 'group'>): string {
  return `${group}-retry`;
}

/** Whether a group writes, or retries for, some version of the projection. */
export function isGroupOf(projection: Pick<ProjectionFacts, 'group'>, group: string): boolean {
  const { group: first } = projection;
  return (
    group === first ||
    group === retryGroupOf(projection) ||
    (group.startsWith(`${first}-v`) && /^\d+$/.test(group.slice(first.length + 2)))
  );
}

/** Database of a version; of a store that was never replayed, the only one. */
export function databaseOf(
  { network }: Pick<LogIdentity, 'network'>,
  { name }: Pick<ProjectionFacts, 'name'>,
  version: number = FIRST_VERSION,
): string {
  return versionDatabase(network, name, version);
}
