import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { UsageError } from '../../platform/errors/error-kinds.ts';
import { neededNames, type TableProjection } from '../projection/projection.ts';
import { prepareStore } from './prepare-store.ts';
import { readPointer } from './projection-pointer.ts';

type Network = Pick<LogIdentity, 'network'>;

/** A projection would run without the one whose records it is made from. */
export class UnmetNeedError extends UsageError {
  constructor(name: string, need: string, where: string) {
    super(`projection ${name} needs ${need}, ${where}`);
  }
}

/** A projection, and one that it needs. */
export interface UnmetNeed {
  readonly name: string;
  readonly need: string;
}

/** Needs of projections that are not among them: the records that another one keeps, or its facts. */
export function unmetNeeds(projections: readonly TableProjection[]): readonly UnmetNeed[] {
  const present = new Set(projections.map(({ name }) => name));
  return projections.flatMap((projection) =>
    neededNames(projection)
      .filter((need) => !present.has(need))
      .map((need) => ({ name: projection.name, need })),
  );
}

/** @throws UnmetNeedError where what a projection is made from was never begun in the store, by whatever process */
export async function requireNeeds(
  client: StoreClient,
  identity: Network,
  projections: readonly TableProjection[],
): Promise<void> {
  for (const { name, need } of unmetNeeds(projections))
    if (!(await isBegun(client, identity, need)))
      throw new UnmetNeedError(name, need, 'which were never started in this store');
}

/**
 * Makes the store ready for what it has begun: projections that keep their own records, and every other one that a version
 * is served of. Answers them.
 */
export async function prepareBegun(
  client: StoreClient,
  identity: LogIdentity,
  projections: readonly TableProjection[],
): Promise<readonly TableProjection[]> {
  const own = projections.filter(({ name, input }) => input.projection === name);
  await prepareStore(client, identity, own);
  const begun = await begunProjections(client, identity, projections);
  if (begun.length > own.length) await prepareStore(client, identity, begun);
  return begun;
}

/** The projections that a version is served of. */
export async function begunProjections(
  client: StoreClient,
  identity: Network,
  projections: readonly TableProjection[],
): Promise<readonly TableProjection[]> {
  const begun: TableProjection[] = [];
  for (const projection of projections)
    if (await isBegun(client, identity, projection.name)) begun.push(projection);
  return begun;
}

async function isBegun(client: StoreClient, { network }: Network, projection: string): Promise<boolean> {
  return (await readPointer(client, network, projection)).version !== null;
}
