import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { INPUT } from '../../../../pipelines/projections.ts';
import { RAW_BLOCKS } from '../../../../pipelines/raw-blocks.ts';
import { renewLease } from '../../../capture/lease-renewal.ts';
import { DeadLetterCount } from '../../../engine/dead-letters/dead-letter-count.ts';
import type { EngineParts, LaneSettings } from '../../../engine/engine-parts.ts';
import { allCaughtUp, followHead } from '../../../engine/head/follow-served.ts';
import { type JoinedRange, type JoinWatch, joinRanges } from '../../../engine/join/join-ranges.ts';
import { JoinRefusedError, type RangeIndex } from '../../../engine/join/joined-range.ts';
import { PointerWatch } from '../../../engine/versions/pointer-watch.ts';
import { prepareStore } from '../../../engine/versions/prepare-store.ts';
import { ConfirmedNews } from '../../../engine/watermark/confirmed-news.ts';
import type { SealedRange } from '../../../log/port.ts';
import { nameSealedFile } from '../../../log/sealed/sealed-files.ts';
import { readColdPlace } from '../../../platform/clickhouse/embedded/cold-folder.ts';
import type { Session } from '../../session.ts';
import { readBorder } from '../block-index.ts';
import {
  EmptyDataDirectoryError,
  type LogSettings,
  type OpenLog,
  openLog,
  requireIdentity,
} from '../data-directory.ts';
import {
  chosenProjections,
  type ProjectionChoice,
  projectionsOfLog,
  type WrittenBy,
} from '../projections.ts';
import { openSessionStore, type StoreSettings } from '../store.ts';
import { resumeUsualMerges } from './bulk-load.ts';

export type JoinSettings = LaneSettings &
  StoreSettings &
  LogSettings &
  WrittenBy & { readonly data: string; readonly projections: ProjectionChoice };

/**
 * Joins the indexes of other data directories into this one, and computes what follows in chain order.
 * @throws JoinRefusedError
 */
export async function joinIndexes(
  directories: readonly string[],
  settings: JoinSettings,
  session: Session,
  { onSteps, onFiles }: Omit<JoinWatch, 'signal'>,
): Promise<readonly JoinedRange[]> {
  const { owner, log: logger } = session;
  const log = await openLog(settings.data, session, settings);
  const identity = await requireIdentity(log);
  const client = await openSessionStore(log.directory, settings, session);
  if (client.cluster !== null)
    throw new JoinRefusedError(
      log.directory,
      'its store is a cluster, and rows are copied between single servers',
    );
  const chosen = chosenProjections(settings.projections, settings);
  const projections = projectionsOfLog(settings.projections, chosen, identity);
  await prepareStore(client, identity, projections);
  await resumeUsualMerges({ client, identity, projections }, session);
  const ranges = await Promise.all(
    directories.map((one) => openRange(one, log.directory, settings, session)),
  );
  const parts = { ...log, projection: INPUT, client, identity, owner, log: logger };
  const watch = { signal: session.signal, onSteps, onFiles };
  const joined = await joinAsWriter(parts, ranges, settings.sessionMs, watch);
  await computeChains({ ...parts, projections }, settings, session);
  return joined;
}

/** Opens the log and the embedded store of a range, which are read. @throws JoinRefusedError, EmptyDataDirectoryError */
async function openRange(
  name: string,
  into: string,
  settings: JoinSettings,
  session: Session,
): Promise<RangeIndex> {
  const directory = resolve(name);
  if (directory === into) throw new JoinRefusedError(name, 'it is the data directory of this index');
  if (!existsSync(join(directory, 'log'))) throw new EmptyDataDirectoryError(directory);
  const log = await openLog(directory, session, { ...settings, kafka: undefined });
  const identity = await requireIdentity(log);
  const { clickhouseUrl: _, clickhouseCluster: __, ...others } = settings;
  // Old parts of the range may be on a cold volume of its own.
  const own = { ...others, cold: readColdPlace(join(directory, 'clickhouse')) ?? undefined };
  const client = await openSessionStore(directory, own, session);
  const [logged, deadLetters, files] = await Promise.all([
    log.bus.highest(RAW_BLOCKS),
    new DeadLetterCount(log.bus).read(),
    log.bus.sealed(RAW_BLOCKS),
  ]);
  const sealed = files.map((one) => ({ ...one, path: sealedPath(directory, one) }));
  return { name, identity, client, bus: log.bus, sealed, logged, deadLetters };
}

/** Path of a sealed file in a data directory. */
const sealedPath = (directory: string, { epoch, id }: SealedRange): string =>
  join(directory, 'log', 'sealed', nameSealedFile({ topic: RAW_BLOCKS, epoch, id }));

/** Nothing else may append to the log meanwhile. */
async function joinAsWriter(
  parts: EngineParts & Pick<OpenLog, 'sealing'>,
  ranges: readonly RangeIndex[],
  sessionMs: number,
  watch: JoinWatch,
): Promise<readonly JoinedRange[]> {
  const writer = await parts.bus.writer(RAW_BLOCKS, parts.owner, sessionMs);
  const lease = renewLease(writer, sessionMs / 4);
  const signal = AbortSignal.any([watch.signal, lease.lost]);
  try {
    return await joinRanges(
      { ...parts, signal },
      { ranges, readBorder, writer, sealing: parts.sealing ?? null },
      { ...watch, signal },
    );
  } finally {
    await lease.stop();
    await writer.release();
  }
}

/** Projections in chain order continue over the joined steps: state of the range before is at hand. */
async function computeChains(
  parts: EngineParts & { readonly projections: ReturnType<typeof chosenProjections> },
  settings: JoinSettings,
  session: Session,
): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([session.signal, stop.signal]);
  const pointers = new PointerWatch(parts.client, parts.identity.network);
  const shared = { ...parts, pointers, news: new ConfirmedNews() };
  const heads = parts.projections
    .filter(({ isWrittenByServers }) => !isWrittenByServers)
    .map((projection) => followHead({ ...shared, projection }, settings, { onBatch() {} }, signal));
  const running = Promise.all(heads.map((head) => head.running));
  const complete = allCaughtUp(heads);
  try {
    await Promise.race([complete, running]);
  } finally {
    stop.abort();
    await Promise.allSettled([complete, running]);
  }
  session.signal.throwIfAborted();
  await Promise.all([complete, running]);
}
