import type { Command } from 'commander';
import type { LaneSettings } from '../../engine/engine-parts.ts';
import { followServed, type ServedWatch } from '../../engine/head/follow-served.ts';
import { EngineMetrics } from '../../engine/metrics/engine-metrics.ts';
import type { TableProjection } from '../../engine/projection/projection.ts';
import { requireNeeds } from '../../engine/versions/begun-projections.ts';
import { PointerWatch } from '../../engine/versions/pointer-watch.ts';
import { prepareStore } from '../../engine/versions/prepare-store.ts';
import { ConfirmedNews } from '../../engine/watermark/confirmed-news.ts';
import { waitForIdentity } from '../../log/wait-for-identity.ts';
import { retryStore } from '../../platform/clickhouse/retry-store.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { type LogSettings, openLog } from '../compose/data-directory.ts';
import { resumeUsualMerges } from '../compose/load/bulk-load.ts';
import { type MetricsSettings, showMetrics } from '../compose/metrics.ts';
import { chosenProjections, type ProjectionChoice, projectionsOfLog } from '../compose/projections.ts';
import { openSessionStore, type StoreSettings } from '../compose/store.ts';
import { storeRetry } from '../compose/store-retry.ts';
import { type ColdSettings, keepColdTier, setColdTier } from '../compose/volumes/cold-tier.ts';
import { EXIT } from '../exit-codes.ts';
import { runService, type Session } from '../session.ts';
import { DECODE_SETTINGS, METRICS_SETTINGS, STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

const SETTINGS = [...STORE_SETTINGS, ...DECODE_SETTINGS, ...METRICS_SETTINGS] as const;

/** `tonhouse decode`: only this stage, until it is stopped. Its members share the lanes. */
export function decodeCommand(command: Command, exit: (code: number) => void): void {
  command.action(async (flags: Record<string, unknown>) => exit(await decode(flags)));
  addSettings(command, SETTINGS);
}

async function decode(flags: Record<string, unknown>): Promise<number> {
  const settings = resolveSettings(SETTINGS, flags);
  const chosen = chosenProjections(settings.projections, settings, true);
  await runService(flags, (session) => follow(settings, chosen, session));
  return EXIT.ok;
}

type Settings = LaneSettings &
  StoreSettings &
  LogSettings &
  ColdSettings &
  MetricsSettings & { readonly data: string; readonly projections: ProjectionChoice };

async function follow(
  settings: Settings,
  chosen: readonly TableProjection[],
  session: Session,
): Promise<void> {
  const { signal, owner } = session;
  const log = await openLog(settings.data, session, settings);
  await showMetrics(log.bus, settings, session);
  const identity = await waitForIdentity(log.bus, session);
  const client = await openSessionStore(log.directory, settings, session);
  const projections = projectionsOfLog(settings.projections, chosen, identity);
  await retryStore(() => requireNeeds(client, identity, projections), storeRetry(session));
  await retryStore(() => prepareStore(client, identity, projections), storeRetry(session));
  await resumeUsualMerges({ client, identity, projections }, session);
  await setColdTier({ client, identity }, settings, session);
  const metrics = new EngineMetrics(session.metrics);
  const news = new ConfirmedNews();
  const pointers = new PointerWatch(client, identity.network);
  const shared = { client, identity, owner, signal, metrics, news, pointers };
  const parts = { ...log, ...shared, log: session.log };
  session.log.info({ network: identity.network, owner }, 'decoding');
  const onBatch: ServedWatch['onBatch'] = ({ counts, lastPosition }) =>
    session.log.debug({ ...counts, masterchain: lastPosition }, 'a batch is in the store');
  const moving = keepColdTier(parts, settings, session, signal);
  await Promise.all(
    projections.map((projection) => followServed({ ...parts, projection }, settings, { onBatch }, signal)),
  );
  await moving;
}
