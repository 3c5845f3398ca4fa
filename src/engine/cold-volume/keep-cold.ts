import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { Log } from '../../platform/observability/log.ts';
import { pause } from '../../platform/retry/poll.ts';
import type { AgingTable, ColdTier } from '../projection/cold-tier.ts';
import type { TableProjection } from '../projection/projection.ts';
import { listVersions } from '../versions/projection-pointer.ts';
import { getDatabase } from '../versions/version-names.ts';
import { moveAgedParts, moveBack, moveOldEpochs } from './move-epochs.ts';
import { PartMover } from './move-parts.ts';
import { requireColdVolume, setMoves } from './set-moves.ts';

const LONGEST_PAUSE_MS = 600_000;
const SHORTEST_PAUSE_MS = 1_000;

/** The store of a network, and the projections in it. */
export interface ColdStore {
  readonly client: StoreClient;
  readonly identity: Pick<LogIdentity, 'network' | 'epochSize'>;
  readonly projections: readonly Pick<TableProjection, 'name'>[];
}

/** Lets old parts of all versions move. @throws ColdVolumeError if the server has no cold volume */
export async function applyTier(store: ColdStore, tier: ColdTier): Promise<void> {
  await requireColdVolume(store.client, tier);
  for (const projection of store.projections)
    for (const database of await databases(store, projection))
      await setMoves(store.client, database, tier.tables(projection.name), tier);
}

/**
 * Moves what the server does not move by itself, until `signal` aborts: tables without a column of time by epoch, all
 * old parts of an embedded store, and all parts back if the tier says so. A failure is logged and left to the next time.
 */
export async function keepCold(
  store: ColdStore,
  tier: ColdTier,
  log: Pick<Log, 'info' | 'warn'>,
  signal: AbortSignal,
): Promise<void> {
  const age = (tier.afterSeconds ?? 0) * 1_000;
  const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, age / 100));
  const mover = new PartMover(store.client);
  while (!signal.aborted) {
    try {
      const parts = await moveOnce(store, tier, signal, mover);
      const way = tier.afterSeconds === null ? 'moved back from the cold volume' : 'moved to the cold volume';
      if (parts > 0) log.info({ parts }, way);
    } catch (error) {
      if (!signal.aborted) log.warn({ error }, 'parts could not be moved between the volumes; retrying');
    }
    await pause(pauseMs, signal);
  }
}

/** The same once. Answers how many parts moved. */
export async function moveOnce(
  store: ColdStore,
  tier: ColdTier,
  signal: AbortSignal,
  mover = new PartMover(store.client),
): Promise<number> {
  let moved = 0;
  for (const projection of store.projections) {
    const tables = tier.tables(projection.name);
    for (const database of await databases(store, projection))
      moved +=
        tier.afterSeconds === null
          ? await moveBack(mover, database, signal)
          : await moveOld(store, mover, { database, tables, afterSeconds: tier.afterSeconds }, signal);
  }
  return moved;
}

interface OldParts {
  readonly database: string;
  readonly tables: readonly AgingTable[];
  readonly afterSeconds: number;
}

async function moveOld(
  { client, identity }: ColdStore,
  mover: PartMover,
  { database, tables, afterSeconds }: OldParts,
  signal: AbortSignal,
): Promise<number> {
  const names = (isByEpoch: boolean) =>
    tables.filter(({ aging }) => (aging === 'epoch') === isByEpoch).map(({ table }) => table);
  const [byEpoch, byTime] = [names(true), names(false)];
  let moved = 0;
  if (byEpoch.length > 0)
    moved += await moveOldEpochs(
      mover,
      { database, tables: byEpoch, epochSize: identity.epochSize },
      afterSeconds,
      signal,
    );
  // Other servers move these parts by themselves (set-moves.ts).
  if (byTime.length > 0 && client.directory !== null)
    moved += await moveAgedParts(mover, { database, tables: byTime }, afterSeconds, signal);
  return moved;
}

async function databases(
  { client, identity }: ColdStore,
  projection: Pick<TableProjection, 'name'>,
): Promise<readonly string[]> {
  const versions = await listVersions(client, identity.network, projection.name);
  return versions.map((version) => getDatabase(identity, projection, version));
}
