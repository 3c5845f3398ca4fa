import { BASE } from '../../../pipelines/base.ts';
import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { RAW_BLOCKS } from '../../../pipelines/raw-blocks.ts';
import { runCapture } from '../../capture/capture-stage.ts';
import type { Source, SourceState } from '../../capture/source.ts';
import type { BatchCounts } from '../../engine/decoding/chunk-stream.ts';
import type { LaneSettings } from '../../engine/engine-parts.ts';
import type { DecodedRange } from '../../engine/lanes/batch-builder.ts';
import { followHead } from '../../engine/lanes/follow-served.ts';
import type { TableProjection } from '../../engine/projection/projection.ts';
import { keepLogShort } from '../../engine/retention/trim-log.ts';
import { prepareStore, servedDatabase } from '../../engine/versions/prepare-store.ts';
import type { LogIdentity } from '../../log/port.ts';
import { waitForWriter } from '../../log/wait-for-writer.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { compactTables } from '../../platform/clickhouse/compact-tables.ts';
import { patiently } from '../../platform/clickhouse/patience.ts';
import type { Session } from '../session.ts';
import type { OpenLog } from './data-directory.ts';
import { checkLateStates, takeLateStates } from './late-states.ts';
import { type OpenStart, openStart, type SourceSettings } from './source-start.ts';
import type { StartInput } from './start-input.ts';
import { storePatience } from './store-patience.ts';

export interface IndexSettings extends LaneSettings, SourceSettings {
  /** What is written. Default: this checkout's projections. */
  readonly projections?: readonly TableProjection[];
  /** The embedded log keeps what the store holds. */
  readonly keepLog?: boolean;
}

/** What an indexing run reports while it works. */
export interface IndexWatch {
  onCapture(blocks: number, total: number | null): void;
  onDecode(counts: BatchCounts, mcSeqno: number): void;
}

/** A run that is set up: its log is established and its store is ready. */
export interface PreparedIndex {
  readonly identity: LogIdentity;
  readonly source: Source;
  /** Captures and decodes until the source is through and everything is decoded, or the session is asked to end. */
  run(watch: IndexWatch): Promise<void>;
}

/** Decides or checks the log's identity, prepares the store. `input`: what was read before the log was opened. */
export async function prepareIndex(
  log: OpenLog,
  client: StoreClient,
  settings: IndexSettings,
  session: Session,
  input?: StartInput,
): Promise<PreparedIndex> {
  const { start, identity } = await openStart(log, settings, session, input);
  await patiently(
    () => prepareStore(client, identity, settings.projections ?? PROJECTIONS),
    storePatience(session),
  );
  const parts = { ...start, projection: BASE, client, identity, owner: session.owner, log: session.log };
  const states = await statesGiven(start);
  // What cannot be taken in is refused before anything is appended.
  await patiently(() => checkLateStates(parts, states), storePatience(session));
  return {
    identity,
    source: start.source,
    run: async (watch) => {
      await runStages({ ...parts, isEmbedded: !log.kafka }, identity, settings, watch, session);
      if (session.signal.aborted) return;
      await patiently(() => takeLateStates(parts, states, session.signal), storePatience(session));
      await compact(client, identity, session);
    },
  };
}

/** States that the index may lack: those given; of unrelated blocks also those that lie beside them. */
async function statesGiven({ source, states = [] }: OpenStart['start']): Promise<readonly SourceState[]> {
  return source.continuity === 'isolated' ? [...states, ...(await source.describe()).states] : states;
}

/** A finished source leaves many small parts, which every look-up would pay for. */
async function compact(client: StoreClient, identity: LogIdentity, session: Session): Promise<void> {
  if (session.signal.aborted) return;
  session.log.info({}, 'merging the tables');
  await patiently(
    async () =>
      compactTables(client, await servedDatabase(client, identity, BASE), {
        route: 'index/compact',
        signal: session.signal,
      }),
    storePatience(session),
  );
}

interface StageParts extends Omit<Parameters<typeof runCapture>[0], 'signal' | 'onProgress'> {
  readonly client: StoreClient;
  /** The log is this data directory's own. */
  readonly isEmbedded: boolean;
  readonly source: Source;
  readonly log: Session['log'];
}

/** Both stages at once: decode follows capture through the log, and ends when nothing is left of a finished source. */
async function runStages(
  parts: StageParts,
  identity: LogIdentity,
  settings: IndexSettings,
  watch: IndexWatch,
  session: Session,
): Promise<void> {
  await waitForWriter(parts.bus, { topic: RAW_BLOCKS, sessionMs: settings.sessionMs }, session);
  const stop = new AbortController();
  const signal = AbortSignal.any([session.signal, stop.signal]);
  const { projections = PROJECTIONS } = settings;
  const heads = projections.map((projection) => {
    const onBatch = ({ counts, lastPosition }: DecodedRange) => watch.onDecode(counts, lastPosition);
    // Progress is told by the first: the others go through the same blocks.
    const own = projection === projections[0] ? { onBatch } : { onBatch() {} };
    return followHead({ ...parts, identity, projection }, settings, own, signal);
  });
  const decode = Promise.all(heads.map(({ running }) => running));
  const capture = runCapture({
    ...parts,
    signal,
    sessionMs: settings.sessionMs,
    onProgress: ({ blocks, totalBlocks }) => watch.onCapture(blocks, totalBlocks),
  }).then(() => Promise.all(heads.map((head) => head.caughtUp())));
  const isKept = !parts.isEmbedded || settings.keepLog === true;
  const trimming = isKept
    ? Promise.resolve()
    : keepLogShort({ ...parts, identity, projection: BASE }, signal);
  try {
    await Promise.race([capture, decode]);
  } finally {
    stop.abort();
    await Promise.allSettled([capture, decode, trimming]);
  }
  await Promise.all([capture, decode]);
}
