import { setTimeout as sleep } from 'node:timers/promises';
import { DECODE } from '../../../pipelines/decode.ts';
import type { Bus, LogIdentity } from '../../platform/bus/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { compactTables } from '../../platform/clickhouse/compact-tables.ts';
import { patiently } from '../../platform/clickhouse/patience.ts';
import { runCapture } from '../../stages/capture/capture-stage.ts';
import type { Source, SourceState } from '../../stages/capture/source.ts';
import type { BatchCounts } from '../../stages/decode/chunk-stream.ts';
import { type BaseCode, FIRST_VERSION, groupOf } from './base-code.ts';
import type { OpenLog } from './data-directory.ts';
import type { DecodeSettings } from './decode.ts';
import { decodeServed } from './decode-served.ts';
import { checkLateStates, takeLateStates } from './late-states.ts';
import { prepareStore, servedDatabase } from './projection.ts';
import type { Session } from './session.ts';
import { type OpenStart, openStart, type SourceSettings } from './source-start.ts';
import type { StartInput } from './start-input.ts';
import { storePatience } from './store-patience.ts';
import { keepLogShort } from './trim-log.ts';
import { waitForWriter } from './writer-wait.ts';

export interface IndexSettings extends DecodeSettings, SourceSettings {
  /** What decodes. Default: this checkout's. */
  readonly code?: BaseCode;
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

const LOOK_MS = 50;

/** Decides or checks the log's identity, prepares the store. `input`: what was read before the log was opened. */
export async function prepareIndex(
  log: OpenLog,
  client: StoreClient,
  settings: IndexSettings,
  session: Session,
  input?: StartInput,
): Promise<PreparedIndex> {
  const { start, identity } = await openStart(log, settings, session, input);
  await patiently(() => prepareStore(client, identity, settings.code?.version), storePatience(session));
  const parts = { ...start, client, identity, owner: session.owner, log: session.log };
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
      compactTables(client, await servedDatabase(client, identity), {
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
  await waitForWriter(parts.bus, settings.sessionMs, session);
  const stop = new AbortController();
  const signal = AbortSignal.any([session.signal, stop.signal]);
  const served = { version: FIRST_VERSION };
  const code = settings.code ? { code: settings.code } : {};
  const decode = decodeServed(
    { ...parts, ...code, identity },
    settings,
    {
      onBatch: (range) => watch.onDecode(range.counts, range.lastPosition),
      onVersion: (version) => {
        served.version = version;
      },
    },
    signal,
  );
  const capture = runCapture({
    ...parts,
    signal,
    sessionMs: settings.sessionMs,
    onProgress: ({ blocks, totalBlocks }) => watch.onCapture(blocks, totalBlocks),
  }).then(() => drained(parts.bus, served, signal));
  const isKept = !parts.isEmbedded || settings.keepLog === true;
  const trimming = isKept ? Promise.resolve() : keepLogShort({ ...parts, identity }, signal);
  try {
    await Promise.race([capture, decode]);
  } finally {
    stop.abort();
    await Promise.allSettled([capture, decode, trimming]);
  }
  await Promise.all([capture, decode]);
}

/** Resolves when the group of the served version has committed everything that the log holds. */
async function drained(bus: Bus, served: { readonly version: number }, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const lanes = (await bus.lag()).filter(
      ({ topic, group }) => topic === DECODE.topic && group === groupOf(served.version),
    );
    const ends = (await bus.bounds(DECODE.topic)).filter(({ next }) => next > 0);
    const committed = new Map(lanes.map((lane) => [lane.lane, lane.committed]));
    if (ends.every(({ lane, next }) => (committed.get(lane) ?? 0) >= next)) return;
    await sleep(LOOK_MS);
  }
}
