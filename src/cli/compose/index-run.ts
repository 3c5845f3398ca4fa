import { INPUT, PROJECTIONS } from '../../../pipelines/projections.ts';
import { RAW_BLOCKS } from '../../../pipelines/raw-blocks.ts';
import { captureMetrics } from '../../capture/capture-metrics.ts';
import { runCapture } from '../../capture/capture-stage.ts';
import { getLive } from '../../capture/liteserver/live-settings.ts';
import type { Source, SourceState, Step } from '../../capture/source.ts';
import { checkLateStates, takeLateStates } from '../../capture/take-late-states.ts';
import { requireDroppable } from '../../engine/cold/require-droppable.ts';
import type { BatchCounts } from '../../engine/decoding/chunk-stream.ts';
import type { ReadDemand } from '../../engine/demand/read-demand.ts';
import type { LaneSettings } from '../../engine/engine-parts.ts';
import { allCaughtUp, followHead } from '../../engine/head/follow-served.ts';
import type { DecodedRange } from '../../engine/lanes/batch-builder.ts';
import { EngineMetrics } from '../../engine/metrics/engine-metrics.ts';
import type { TableProjection } from '../../engine/projection/projection.ts';
import { applySealing, type SealingPlan, sealNow } from '../../engine/retention/seal-log.ts';
import { applyRetention, type ProjectionUse } from '../../engine/retention/trim-log.ts';
import { PointerWatch } from '../../engine/versions/pointer-watch.ts';
import { prepareStore, servedDatabase } from '../../engine/versions/prepare-store.ts';
import type { ConfirmedSteps } from '../../engine/versions/served-version.ts';
import { ConfirmedNews } from '../../engine/watermark/confirmed-news.ts';
import type { LogIdentity, SealingBus } from '../../log/port.ts';
import { waitForWriter } from '../../log/wait-for-writer.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { compactTables } from '../../platform/clickhouse/compact-tables.ts';
import { retryStore } from '../../platform/clickhouse/retry-store.ts';
import type { Session } from '../session.ts';
import { stateIndex } from './block-index.ts';
import type { OpenLog } from './data-directory.ts';
import { startLiveFetch } from './live-cells.ts';
import {
  type BulkWatch,
  deferLoadMerges,
  mergeLoad,
  resumeUsualMerges,
  watchLoad,
} from './load/bulk-load.ts';
import { NoSealingError } from './log/no-sealing-error.ts';
import { chosenProjections, type ProjectionChoice, projectionsOfLog, type WrittenBy } from './projections.ts';
import { type OpenStart, openStart, type SourceSettings } from './source-start.ts';
import type { StartInput } from './start-input.ts';
import { storeRetry } from './store-retry.ts';
import { type ColdSettings, keepColdTier, moveColdTier, setColdTier } from './volumes/cold-tier.ts';

export interface IndexSettings extends LaneSettings, SourceSettings, WrittenBy, ColdSettings {
  /** Which projections are written. Default: all. */
  readonly projections?: ProjectionChoice;
  /** Projections that are written instead. */
  readonly pipelines?: readonly TableProjection[];
  /** The embedded log keeps what the store holds. */
  readonly keepLog?: boolean;
  /** The same, and finished epochs are sealed. */
  readonly sealLog?: boolean;
  /** The same, and raw blocks of all but so many newest epochs are dropped from the store. Default 0: none are. */
  readonly hotEpochs?: number;
  /** Place of the sealed files; includes sealing. Default: they stay in the log. */
  readonly raw?: string | undefined;
  /** Merges are deferred to the end of the run. Default: the store merges as usual. */
  readonly bulk?: boolean;
}

/** Events of an indexing run. */
export interface IndexWatch extends BulkWatch {
  onCapture(blocks: number, total: number | null): void;
  onDecode(counts: BatchCounts, mcSeqno: number): void;
  /** Called when steps of a projection are confirmed. Default: none. */
  readonly onConfirmed?: (projection: string, steps: ConfirmedSteps) => void;
  /** Called after a step is in the log; the next ones wait. Default: none. */
  readonly onAppended?: ((step: Step) => void | Promise<void>) | undefined;
}

/** A run that is set up: its log is established and its store is ready. */
export interface PreparedIndex {
  readonly identity: LogIdentity;
  /** Projections that are written. */
  readonly projections: readonly TableProjection[];
  readonly source: Source;
  /** Served versions, as those who write follow them. */
  readonly pointers: PointerWatch;
  /**
   * Captures and decodes until the source has ended and everything is decoded, or the session ends. `demand`: lets
   * lanes idle without requests.
   */
  run(watch: IndexWatch, demand?: ReadDemand): Promise<void>;
}

/** The log and the store of an indexing run. */
export interface IndexParts {
  readonly log: OpenLog;
  readonly client: StoreClient;
  /** Source and states that were opened before the log. Default: they are opened now. */
  readonly input?: StartInput | undefined;
}

/** Decides or checks the log's identity, prepares the store. */
export async function prepareIndex(
  { log, client, input }: IndexParts,
  settings: IndexSettings,
  session: Session,
): Promise<PreparedIndex> {
  const { projections: choice = 'all', pipelines = chosenProjections(choice, settings) } = settings;
  if (settings.hotEpochs) requireDroppable(log, client);
  requirePlace(log, settings);
  const { start, identity } = await openStart(log, settings, session, input);
  const projections = projectionsOfLog(choice, pipelines, identity);
  await retryStore(() => prepareStore(client, identity, projections), storeRetry(session));
  const load = { client, identity, projections, source: start.source };
  await (settings.bulk ? deferLoadMerges(load, session) : resumeUsualMerges(load, session));
  // A load is merged before its parts move.
  if (!settings.bulk) await setColdTier(load, settings, session);
  const metrics = new EngineMetrics(session.metrics);
  const pointers = new PointerWatch(client, identity.network);
  const parts = {
    ...start,
    projection: INPUT,
    client,
    identity,
    owner: session.owner,
    log: session.log,
    metrics,
  };
  const late = { ...parts, index: stateIndex(parts, projections) };
  const states = await statesGiven(start);
  // States that cannot be taken in are refused before anything is appended.
  await retryStore(() => checkLateStates(late, states), storeRetry(session));
  return {
    identity,
    projections,
    source: start.source,
    pointers,
    run: async (watch, demand) => {
      const live = getLive(start.source);
      if (live) startLiveFetch({ client, identity, live }, session);
      const stages = {
        ...parts,
        projections,
        sealing: log.sealing,
        rawMover: log.rawMover,
        demand,
        pointers,
      };
      const writing = () => runStages(stages, settings, watch, session);
      await (settings.bulk ? watchLoad(load, watch, session, writing) : writing());
      if (session.signal.aborted) return;
      await retryStore(() => takeLateStates(late, states, session.signal), storeRetry(session));
      const plan = sealingPlan(stages, settings);
      if (plan) await sealNow(parts, plan, otherUses(projections), session.signal);
      if (settings.bulk) {
        await mergeLoad(load, watch, session);
        await setColdTier(load, settings, session);
      } else
        await Promise.all(projections.map((projection) => compact(client, identity, projection, session)));
      await moveColdTier(load, settings, session);
    },
  };
}

/** States that the index may lack: the given ones, and for isolated blocks also the ones in the folder. */
async function statesGiven({ source, states = [] }: OpenStart['start']): Promise<readonly SourceState[]> {
  return source.continuity === 'isolated' ? [...states, ...(await source.describe()).states] : states;
}

/** Projections other than base, and whether this process writes them. */
function otherUses(running: readonly TableProjection[]): readonly ProjectionUse[] {
  return PROJECTIONS.filter((projection) => projection !== INPUT).map((projection) => ({
    projection,
    isRunning: running.some(({ name }) => name === projection.name),
  }));
}

/** A finished source leaves many small parts, which every look-up would pay for. */
async function compact(
  client: StoreClient,
  identity: LogIdentity,
  projection: TableProjection,
  session: Session,
): Promise<void> {
  if (session.signal.aborted) return;
  session.log.info({ projection: projection.name }, 'merging the tables');
  await retryStore(
    async () =>
      compactTables(client, await servedDatabase(client, identity, projection), {
        route: 'index/compact',
        signal: session.signal,
      }),
    storeRetry(session),
  );
}

interface StageParts extends Omit<Parameters<typeof runCapture>[0], 'signal' | 'onProgress' | 'identity'> {
  readonly client: StoreClient;
  readonly identity: LogIdentity;
  readonly projections: readonly TableProjection[];
  /** The log, if it is this data directory's own. */
  readonly sealing: SealingBus | undefined;
  readonly rawMover: OpenLog['rawMover'];
  readonly source: Source;
  readonly log: Session['log'];
  readonly metrics: EngineMetrics;
  readonly demand: ReadDemand | undefined;
  readonly pointers: PointerWatch;
}

/** All stages at once: decoding follows capture through the log, and ends when nothing is left of a finished source. */
async function runStages(
  parts: StageParts,
  settings: IndexSettings,
  watch: IndexWatch,
  session: Session,
): Promise<void> {
  await waitForWriter(parts.bus, { topic: RAW_BLOCKS, sessionMs: settings.sessionMs }, session);
  const stop = new AbortController();
  const signal = AbortSignal.any([session.signal, stop.signal]);
  const { projections, pointers } = parts;
  const news = new ConfirmedNews();
  const written = projections.filter(({ isWrittenByServers }) => !isWrittenByServers);
  const heads = written.map((projection) => {
    const onBatch = (range: DecodedRange, version: number) => {
      const { lane, firstPosition: first, lastPosition: last } = range;
      if (first <= last) watch.onConfirmed?.(projection.name, { version, lane, range: { first, last } });
      // The first projection reports progress: the others process the same blocks.
      if (projection === projections[0]) watch.onDecode(range.counts, last);
    };
    return followHead({ ...parts, projection, pointers, news }, settings, { onBatch }, signal);
  });
  const captured = captureMetrics(session.metrics);
  const decode = Promise.all(heads.map(({ running }) => running));
  const capture = runCapture({
    ...parts,
    signal,
    sessionMs: settings.sessionMs,
    onAppended: watch.onAppended,
    onProgress(progress) {
      captured(progress);
      watch.onCapture(progress.blocks, progress.totalBlocks);
    },
  }).then(() => allCaughtUp(heads));
  const retention = retain(parts, settings, signal);
  const moving = settings.bulk ? null : keepColdTier(parts, settings, session, signal);
  try {
    await Promise.race([capture, decode]);
  } finally {
    stop.abort();
    await Promise.allSettled([capture, decode, retention, moving]);
  }
  await Promise.all([capture, decode]);
}

/** What happens to old epochs of a log in the data directory. On Kafka, its own retention decides. */
async function retain(parts: StageParts, settings: IndexSettings, signal: AbortSignal): Promise<void> {
  const [input, others] = [{ ...parts, projection: INPUT }, otherUses(parts.projections)];
  const plan = sealingPlan(parts, settings);
  if (plan) await applySealing(input, plan, others, signal);
  else if (parts.sealing && !settings.keepLog) await applyRetention(input, others, signal);
}

/** Checks that sealed files can be moved where the settings say. @throws NoSealingError, S3LocationError */
function requirePlace({ rawMover }: OpenLog, { raw }: IndexSettings): void {
  if (raw === undefined) return;
  if (!rawMover) throw new NoSealingError();
  rawMover.check(raw);
}

/** How old epochs are sealed; null if they are not. */
function sealingPlan(
  { sealing, rawMover }: Pick<StageParts, 'sealing' | 'rawMover'>,
  { sealLog, hotEpochs = 0, raw }: IndexSettings,
): SealingPlan | null {
  if (!sealing || !(sealLog || hotEpochs > 0 || raw !== undefined)) return null;
  return {
    sealing,
    hotEpochs,
    ...(raw !== undefined && rawMover && { move: (signal) => rawMover.move(raw, { signal }) }),
  };
}
