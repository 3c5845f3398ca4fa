import type { LogIdentity } from '../../platform/bus/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { patiently } from '../../platform/clickhouse/patience.ts';
import { openLog, requireIdentity } from './data-directory.ts';
import type { DecodeParts } from './decode.ts';
import type { KafkaSettings } from './kafka.ts';
import { NICENESS, yieldProcessor } from './niceness.ts';
import { prepareStore } from './projection.ts';
import type { Session } from './session.ts';
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
): Promise<DecodeParts & { readonly client: StoreClient; readonly identity: LogIdentity }> {
  yieldProcessor();
  const log = await openLog(settings.data, session, settings);
  const identity = await requireIdentity(log);
  const client = await openSessionStore(log.directory, settings, session, NICENESS);
  if (client.cluster) throw new ClusterReplayError(client.cluster);
  await patiently(() => prepareStore(client, identity), storePatience(session));
  return { ...log, client, identity, owner: session.owner, log: session.log, signal: session.signal };
}
