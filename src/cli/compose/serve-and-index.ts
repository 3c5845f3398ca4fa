import { DeadLetterCount } from '../../engine/dead-letters/dead-letter-count.ts';
import { ReadDemand } from '../../engine/demand/read-demand.ts';
import type { TableProjection } from '../../engine/projection/projection.ts';
import type { StoredProjection } from '../../engine/replay/switch.ts';
import { sayWhatNeedsReplay } from '../../engine/status/version-report.ts';
import { getControl, openLocalnetControl } from '../../localnet/local-chain.ts';
import { ChainSnapshots } from '../../localnet/snapshots/chain-snapshots.ts';
import { retryStore } from '../../platform/clickhouse/retry-store.ts';
import type { SettingValues } from '../../platform/config/settings.ts';
import type { Restart } from '../restart.ts';
import type { Session } from '../session.ts';
import { Announcement } from './announcement.ts';
import { type IndexParts, type IndexSettings, type IndexWatch, prepareIndex } from './index-run.ts';
import { type LiteServerSettings, startLiteServer } from './lite-server.ts';
import { type ServingSettings, serveStore } from './serving.ts';
import type { ServedStore } from './store.ts';
import { storeRetry } from './store-retry.ts';

/**
 * Answers while the source is indexed, in one process. Resolves when a finite source is through, or the session was asked
 * to end; the API answers until the session is closed.
 */
export async function serveAndIndex(
  {
    log,
    client,
    reader,
    analysts,
    input,
    restart,
  }: IndexParts & ServedStore & { readonly restart?: Restart },
  settings: ServingSettings & IndexSettings & SettingValues<'idleMs' | 'clickhouseUrl'> & LiteServerSettings,
  session: Session,
  watch: IndexWatch,
): Promise<void> {
  const { identity, projections, source, pointers, run } = await prepareIndex(
    { log, client, input },
    settings,
    session,
  );
  await sayAllThatNeedReplay({ client, identity }, projections, session);
  const control = getControl(source);
  if (control) await openLocalnetControl(control, log.directory, session);
  // A finite source is indexed without a rest: its caller waits for the end.
  const demand = source.finite || settings.idleMs === 0 ? undefined : new ReadDemand(settings.idleMs);
  const served = {
    identity,
    bus: log.bus,
    codec: log.codec,
    reader,
    client,
    analysts,
    directory: log.directory,
    control,
    source,
    demand,
    pointers,
  };
  const serving = await serveStore(served, settings, session);
  const announcement = Announcement.start(serving, identity.network, session);
  const lite = {
    source,
    identity,
    directory: log.directory,
    states: input?.states ?? [],
    context: serving.context,
  };
  const liteServer = await startLiteServer(lite, settings, session);
  restart?.keepPort('--port', settings.port, Number(new URL(serving.url).port));
  if (liteServer) restart?.keepPort('--liteserver-port', settings.liteserverPort, liteServer.port);
  // A copy of the data directory has the whole chain with its index only if log and store are in it.
  const isInside = !log.kafka && settings.clickhouseUrl === undefined && settings.cold === undefined;
  if (restart && control && isInside)
    control.allowSnapshots(new ChainSnapshots(log.directory, () => restart.request(session.shutdown)));
  await run({ ...watch, onConfirmed: serving.confirmed, onAppended: liteServer?.onAppended }, demand);
  announcement.check();
  const open = await new DeadLetterCount(log.bus).read();
  if (open > 0) session.log.warn({ open }, 'dead letters: see `tonhouse dead-letters list`');
  if (!session.signal.aborted) session.log.info({}, 'the source is indexed; answering until stopped');
}

/** Names in the log the projections whose served version was made by another decoder. */
export async function sayAllThatNeedReplay(
  stored: Omit<StoredProjection, 'projection'>,
  projections: readonly TableProjection[],
  session: Session,
): Promise<void> {
  const say = (projection: TableProjection) =>
    retryStore(() => sayWhatNeedsReplay({ ...stored, projection }, session), storeRetry(session));
  await Promise.all(projections.map(say));
}
