import { INPUT } from '../../../pipelines/projections.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { TableProjection } from '../../engine/projection/projection.ts';
import { prepareStore } from '../../engine/versions/prepare-store.ts';
import { retryStore } from '../../platform/clickhouse/retry-store.ts';
import { NICENESS, yieldProcessor } from '../../platform/threads/niceness.ts';
import type { Session } from '../session.ts';
import { type LogSettings, openLog, requireIdentity } from './data-directory.ts';
import { projectionsOfLog } from './projections.ts';
import { openSessionStore, type StoreSettings } from './store.ts';
import { storeRetry } from './store-retry.ts';
import { coldTier } from './volumes/cold-tier.ts';

/** The log and the store of a data directory, for work next to the serving process. */
export async function openReplayParts(
  settings: StoreSettings & LogSettings & { readonly data: string },
  session: Session,
  projection: TableProjection,
): Promise<EngineParts> {
  yieldProcessor();
  const log = await openLog(settings.data, session, settings);
  const identity = await requireIdentity(log);
  const client = await openSessionStore(log.directory, settings, session, NICENESS);
  projectionsOfLog([projection.name], [projection], identity);
  const needed = projection === INPUT ? [INPUT] : [INPUT, projection];
  await retryStore(() => prepareStore(client, identity, needed), storeRetry(session));
  const { owner, signal } = session;
  const tier = coldTier(settings);
  return { ...log, projection, client, identity, owner, log: session.log, signal, tier };
}
