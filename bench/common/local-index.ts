import { BASE } from '../../pipelines/base.ts';
import { DETECTIONS, PROJECTIONS } from '../../pipelines/projections.ts';
import { runCapture } from '../../src/capture/capture-stage.ts';
import type { LogShape } from '../../src/capture/identity.ts';
import { type OpenLog, openLog } from '../../src/cli/compose/data-directory.ts';
import { openSource } from '../../src/cli/compose/open-source.ts';
import type { Session } from '../../src/cli/session.ts';
import { allCaughtUp, followHead } from '../../src/engine/head/follow-served.ts';
import type { TableProjection } from '../../src/engine/projection/projection.ts';
import { PointerWatch } from '../../src/engine/versions/pointer-watch.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { ConfirmedNews } from '../../src/engine/watermark/confirmed-news.ts';
import type { LogIdentity } from '../../src/log/port.ts';
import { resolveSettings } from '../../src/platform/config/resolve-settings.ts';
import { namesIn } from '../../src/platform/config/settings.ts';
import { poll } from '../../src/platform/retry/poll.ts';
import { BenchError } from './bench-error.ts';
import { type BenchStore, openBenchStore, settle } from './bench-store.ts';
import { readUsage } from './process-usage.ts';
import { note, round } from './report.ts';

/** Projections that follow from blocks. Get methods, which servers run, make the others: actions would wait for them. */
export const BLOCK_PROJECTIONS = PROJECTIONS.filter((projection) => projection !== DETECTIONS);

const NETWORK = 'synthetic';
/** Short epochs, so that a small chain has several lanes. */
const SMALL_EPOCHS: LogShape = { epochSize: 100, lanes: 8 };
const FEED_POLL_MS = 50;

/** An index of a generated chain, whose blocks are all in its log. */
export interface LocalIndex {
  readonly log: OpenLog;
  readonly store: BenchStore;
  readonly identity: LogIdentity;
}

/** Reads generated packages into the log of a data directory. The store is closed with the session. */
export async function openLocalIndex(
  data: string,
  packs: string,
  session: Session,
  shape: LogShape = SMALL_EPOCHS,
): Promise<LocalIndex> {
  const log = await openLog(data, session);
  const store = await openBenchStore(data);
  session.shutdown.add('store', () => store.close());
  const source = await openSource(`archive:${packs}`);
  await runCapture({ ...log, ...session, source, network: NETWORK, identity: shape });
  await source.close();
  const identity = await log.bus.identity();
  if (!identity) throw new BenchError('nothing was captured');
  return { log, store, identity };
}

/** What a piece of work took. */
export interface Spent {
  readonly seconds: number;
  /** CPU of this process and of the store, merges too, seconds; null if the system does not report it. */
  readonly cpuSeconds: number | null;
  /** The store's part of it. */
  readonly storeCpuSeconds: number | null;
}

/** CPU of this process and of the store so far, seconds; null if the system does not report it. */
export function readCpu({ pid }: BenchStore): number | null {
  const [node, clickhouse] = [readUsage(process.pid), readUsage(pid)];
  return node && clickhouse ? node.cpu + clickhouse.cpu : null;
}

/** From the log into the store, until all of it is confirmed; what the phase before left to merge is waited for. */
export async function measureProjections(
  { log, store, identity }: LocalIndex,
  projections: readonly TableProjection[],
  session: Session,
): Promise<Spent> {
  const { client } = store;
  const names = projections.map(({ name }) => name).join(', ');
  await prepareStore(client, identity, projections);
  await settle(client);
  const stop = new AbortController();
  const signal = AbortSignal.any([session.signal, stop.signal]);
  const settings = resolveSettings(namesIn('decoder'), {});
  const { owner, log: logger } = session;
  const start = performance.now();
  const cpu = readCpu(store);
  const storeCpu = readUsage(store.pid)?.cpu;
  const shared = { news: new ConfirmedNews(), pointers: new PointerWatch(client, identity.network) };
  const heads = projections.map((projection) =>
    followHead(
      { ...log, ...shared, client, identity, owner, log: logger, projection },
      settings,
      { onBatch: ({ counts }) => expectSound(counts.deadLetters, names) },
      signal,
    ),
  );
  const running = Promise.all(heads.map((head) => head.running));
  await Promise.race([allCaughtUp(heads), running]);
  await Promise.race([whenFed(log, projections), running]);
  const seconds = (performance.now() - start) / 1000;
  stop.abort();
  await running;
  note(`${names}: ${round(seconds, 1)} s`);
  await settle(client);
  const spent = readCpu(store);
  const storeSpent = readUsage(store.pid)?.cpu;
  return {
    seconds,
    cpuSeconds: cpu === null || spent === null ? null : spent - cpu,
    storeCpuSeconds: storeCpu === undefined || storeSpent === undefined ? null : storeSpent - storeCpu,
  };
}

/** Transactions that `base` has. */
export async function countTransactions({ store, identity }: LocalIndex): Promise<number> {
  const sql = `SELECT toString(count()) FROM ${getDatabase(identity, BASE)}.transactions`;
  const { rows } = await store.client.queryRows<[string]>(sql, { route: 'bench' });
  return Number(rows[0]?.[0]);
}

/** Resolves when the topics that the projections feed have all steps: a projection that is measured later reads them. */
async function whenFed({ bus }: OpenLog, projections: readonly TableProjection[]): Promise<void> {
  for (const { feeds, reads } of projections) {
    const last = await bus.highest(reads);
    if (feeds?.records)
      await poll(async () => (await bus.highest(feeds.topic)) === last, { everyMs: FEED_POLL_MS });
  }
}

function expectSound(deadLetters: number, names: string): void {
  if (deadLetters > 0) throw new BenchError(`${names}: ${deadLetters} dead letters`);
}
