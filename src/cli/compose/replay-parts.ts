import { PROJECTIONS } from '../../../pipelines/projections.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { TableProjection } from '../../engine/projection/projection.ts';
import { prepareStore } from '../../engine/versions/prepare-store.ts';
import { patiently } from '../../platform/clickhouse/patience.ts';
import { NICENESS, yieldProcessor } from '../../platform/threads/niceness.ts';
import type { Session } from '../session.ts';
import { openLog, requireIdentity } from './data-directory.ts';
import type { KafkaSettings } from './kafka.ts';
import { openSessionStore, type StoreSettings } from './store.ts';
import { storePatience } from './store-patience.ts';

/** Versions are built on one server only, by now. */
export class ClusterReplayError extends Error {
  override readonly name = 'ClusterReplayError';
  readonly cluster: string;
  constructor(cluster: string) {
    super(`a replay cannot build a version on a cluster (${cluster}) yet, only on one server`);
    this.cluster = cluster;
  }
}

/** The log and the store of a data directory, for work beside whoever serves them. */
export async function openReplayParts(
  settings: StoreSettings & KafkaSettings & { readonly data: string },
  session: Session,
  projection: TableProjection,
): Promise<EngineParts> {
  yieldProcessor();
  const log = await openLog(settings.data, session, settings);
  const identity = await requireIdentity(log);
  const client = await openSessionStore(log.directory, settings, session, NICENESS);
  if (client.cluster) throw new ClusterReplayError(client.cluster);
  await patiently(() => prepareStore(client, identity, PROJECTIONS), storePatience(session));
  const { owner, signal } = session;
  return { ...log, projection, client, identity, owner, log: session.log, signal };
}
