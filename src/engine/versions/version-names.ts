import type { LogIdentity } from '../../log/port.ts';
import { versionDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import type { ProjectionFacts } from '../projection/projection.ts';

/** Number of a new store's first version, whatever code builds it; replays count up from it. */
export const FIRST_VERSION = 1;

/** Consumer group that writes a version: each has offsets and a journal of its own. */
export function getGroup({ group }: Pick<ProjectionFacts, 'group'>, version: number = FIRST_VERSION): string {
  return version === FIRST_VERSION ? group : `${group}-v${version}`;
}

/** Name under which the offsets of a version's group are shown: the projection's, with its number from the second on. */
export function getShownGroup(
  { name }: Pick<ProjectionFacts, 'name'>,
  version: number = FIRST_VERSION,
): string {
  return version === FIRST_VERSION ? name : `${name}-v${version}`;
}

const RETRY = '-retry';

/** Group whose leases and journal guard retries of dead letters, repairs and corrections. It commits no offsets. */
export function getRetryGroup({ group }: Pick<ProjectionFacts, 'group'>): string {
  return `${group}${RETRY}`;
}

/** True if a group only guards work on steps that are confirmed. */
export function isRetryGroup(group: string): boolean {
  return group.endsWith(RETRY);
}

/** Whether a group writes, or retries for, some version of the projection. */
export function hasGroup(projection: Pick<ProjectionFacts, 'group'>, group: string): boolean {
  const { group: first } = projection;
  return (
    group === first ||
    group === getRetryGroup(projection) ||
    (group.startsWith(`${first}-v`) && /^\d+$/.test(group.slice(first.length + 2)))
  );
}

/** Database of a version; of a store that was never replayed, the only one. */
export function getDatabase(
  { network }: Pick<LogIdentity, 'network'>,
  { name }: Pick<ProjectionFacts, 'name'>,
  version: number = FIRST_VERSION,
): string {
  return versionDatabase(network, name, version);
}
