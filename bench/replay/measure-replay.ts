import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLog } from '../../src/cli/wiring/data-directory.ts';
import { workerCount } from '../../src/cli/wiring/decode.ts';
import { baseDatabase, PROJECT } from '../../src/cli/wiring/projection.ts';
import { runReplay } from '../../src/cli/wiring/replay-run.ts';
import { runSession } from '../../src/cli/wiring/session.ts';
import { loadSchemas } from '../../src/platform/avro/schema-files.ts';
import { resolveSettings } from '../../src/platform/config/resolve-settings.ts';
import { startApi } from '../api/api-process.ts';
import { chooseEndpoints } from '../api/endpoints.ts';
import { type BenchStore, settle } from '../common/bench-store.ts';
import { note } from '../common/report.ts';
import type { MovingOptions } from '../ingest/moving-options.ts';
import type { ChainPlan } from '../synthetic/chain-plan.ts';
import { Reader, type ReaderReport } from './reader.ts';
import { answersFrom } from './switch-watch.ts';
import { UnmovingCodec } from './unmoving-codec.ts';

export interface ReplayFigures {
  /** Decoding and writing every transaction anew, until the last is confirmed. */
  readonly replaySeconds: number;
  /** With the head, checks, comparison and switch. */
  readonly wholeSeconds: number;
  readonly before: ReaderReport;
  readonly during: ReaderReport;
  /** From the pointer's move to the first answer from the new version. */
  readonly switchMs: number;
  readonly rowsDiffer: number;
}

const SETTINGS = ['verifyLevel', 'decodeWorkers', 'batchRows', 'batchMs', 'sessionMs'] as const;
const LANES = 3;
/** A reader who is there all the time, and leaves the machine to others most of it. */
const PAUSE_MS = 20;
const QUIET_SECONDS = 15;
const NICENESS = 10;

/** Replays an index that is there, beside an API that is read. */
export async function measureReplay(
  data: string,
  plan: ChainPlan,
  planned: MovingOptions['plan'],
  store: BenchStore,
): Promise<ReplayFigures> {
  const { client } = store;
  const endpoints = await chooseEndpoints(client, baseDatabase(plan.identity), 300);
  const calls = Array.from({ length: 300 }, (_, i) =>
    endpoints.flatMap(({ requests }) => requests[i % requests.length] ?? []),
  ).flat();
  await settle(client);
  // Small answer memory: what is asked for again must be read again.
  const api = await startApi(data, ['--query-timeout-ms', '30000']);
  const reader = new Reader({ url: api.url, calls, pauseMs: PAUSE_MS });
  try {
    await sleep(3_000);
    await reader.report();
    await sleep(QUIET_SECONDS * 1_000);
    const before = await reader.report();
    note(`readers alone: p99 ${before.p99.toFixed(1)} ms of ${before.requests}; replaying`);
    return await runSession({ logLevel: 'warn' }, async (session) => {
      setPriority(NICENESS);
      const log = await openLog(data, session);
      const settings = { ...resolveSettings(SETTINGS, {}), lanes: LANES };
      const times = new SharedArrayBuffer(16);
      const code = {
        version: 2,
        module: new URL('../ingest/moving-decoder.ts', import.meta.url).href,
        optionsOf: (decoder: MovingOptions['decoder']): MovingOptions => ({ decoder, plan: planned, times }),
      };
      const parts = {
        ...log,
        codec: new UnmovingCodec(loadSchemas(`${PROJECT}/schemas`), plan),
        client,
        // Copies of real blocks name the blocks before the real ones: nothing links them.
        identity: { ...plan.identity, facts: { ...plan.identity.facts, continuity: 'isolated' } },
        owner: session.owner,
        log: session.log,
        code,
      };
      const workers = Math.max(1, workerCount(settings.decodeWorkers));
      const stop = new AbortController();
      const switched = Promise.withResolvers<number | null>();
      let during: ReaderReport | null = null;
      const accept = async () => {
        during = await reader.report();
        answersFrom(api.url, baseDatabase(plan.identity, 2), stop.signal).then(
          switched.resolve,
          switched.reject,
        );
        return true;
      };
      const order = { projection: 'base', range: { from: null, to: null }, accept };
      const watch = { onPlan() {}, onBatch() {}, onStep: note };
      const started = performance.now();
      const outcome = await runReplay(parts, { ...settings, decodeWorkers: workers }, order, session, watch);
      const seen = await switched.promise;
      stop.abort();
      return {
        replaySeconds: outcome.replaySeconds,
        wholeSeconds: (performance.now() - started) / 1000,
        before,
        during: during ?? before,
        switchMs: (seen ?? 0) - (outcome.switched?.at ?? 0),
        rowsDiffer: outcome.changes.reduce(
          (sum, { added, removed, altered }) => sum + added + removed + altered,
          0,
        ),
      };
    });
  } finally {
    await reader.stop();
    await api.stop();
  }
}
