import type { Source } from '../../../capture/source.ts';
import { deferLoad, endDeferral } from '../../../engine/bulk/defer-load.ts';
import { type MergeProgress, mergeInOrder } from '../../../engine/bulk/final-merge.ts';
import { keepPartsFew } from '../../../engine/bulk/limit-parts.ts';
import { followPosition, type LoadPosition } from '../../../engine/bulk/load-position.ts';
import type { TableProjection } from '../../../engine/projection/projection.ts';
import { servedDatabase } from '../../../engine/versions/prepare-store.ts';
import type { LogIdentity } from '../../../log/port.ts';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { retryStore } from '../../../platform/clickhouse/retry-store.ts';
import type { Session } from '../../session.ts';
import { storeRetry } from '../store-retry.ts';

/** Progress of a bulk load. */
export interface BulkWatch {
  /** How far the slowest projection is; `last`: newest masterchain seqno of the source, null if unknown. */
  readonly onPosition?: (position: LoadPosition, last: number | null) => void;
  /** The merge at the end. */
  readonly onMerge?: (progress: MergeProgress) => void;
}

/** What a load writes. */
interface Load {
  readonly client: StoreClient;
  readonly identity: LogIdentity;
  readonly projections: readonly TableProjection[];
}

/** Served databases of the projections that this command writes. */
function loadedDatabases({ client, identity, projections }: Load) {
  const written = projections.filter(({ isWrittenByServers }) => !isWrittenByServers);
  return Promise.all(
    written.map(async (projection) => ({
      projection,
      database: await servedDatabase(client, identity, projection),
    })),
  );
}

async function databaseNames(load: Load): Promise<readonly string[]> {
  return (await loadedDatabases(load)).map(({ database }) => database);
}

/** From now on, the store merges parts by the hundred. */
export function deferLoadMerges(load: Load, session: Session): Promise<void> {
  return retryStore(async () => deferLoad(load.client, await databaseNames(load)), storeRetry(session));
}

/** After a bulk load that was cut off, the store merges as usual again. Otherwise does nothing. */
export function resumeUsualMerges(load: Load, session: Session): Promise<void> {
  return retryStore(
    async () => endDeferral(load.client, await databaseNames(load), session.log),
    storeRetry(session),
  );
}

/** Runs `writing`; meanwhile limits the number of parts and reports the position of the slowest projection. */
export async function watchLoad(
  load: Load & { readonly source: Source },
  watch: BulkWatch,
  session: Session,
  writing: () => Promise<void>,
): Promise<void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([session.signal, ended.signal]);
  const loaded = await loadedDatabases(load);
  const databases = loaded.map(({ database }) => database);
  const beside = [
    keepPartsFew(load.client, { databases, log: session.log }, signal),
    reportPosition(load, loaded, watch, signal),
  ];
  try {
    await writing();
  } finally {
    ended.abort();
    await Promise.allSettled(beside);
  }
}

async function reportPosition(
  { client, source }: Load & { readonly source: Source },
  loaded: Awaited<ReturnType<typeof loadedDatabases>>,
  watch: BulkWatch,
  signal: AbortSignal,
): Promise<void> {
  const { lastMcSeqno } = await source.describe();
  await followPosition(client, loaded, (position) => watch.onPosition?.(position, lastMcSeqno), signal);
}

/** Merges what was loaded, in order. What is too large for one part is merged by the store in the background. */
export async function mergeLoad(load: Load, watch: BulkWatch, session: Session): Promise<void> {
  const databases = await retryStore(() => databaseNames(load), storeRetry(session));
  await mergeInOrder(load.client, databases, {
    signal: session.signal,
    retryPolicy: storeRetry(session),
    log: session.log,
    onProgress: (progress) => watch.onMerge?.(progress),
  });
}
