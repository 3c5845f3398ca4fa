import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASE } from '../../pipelines/base.ts';
import { runCapture } from '../../src/capture/capture-stage.ts';
import { readStateFile } from '../../src/capture/states.ts';
import { type OpenLog, openLog } from '../../src/cli/compose/data-directory.ts';
import { openSource } from '../../src/cli/compose/open-source.ts';
import type { Session } from '../../src/cli/session.ts';
import type { EngineParts, RunScope } from '../../src/engine/engine-parts.ts';
import type { TableProjection } from '../../src/engine/projection/projection.ts';
import type { PositionRange } from '../../src/engine/ranges/position-ranges.ts';
import { HeadFollower } from '../../src/engine/replay/head.ts';
import type { ReplayRun, ReplayWatch } from '../../src/engine/replay/run.ts';
import { versionMigrations } from '../../src/engine/versions/create-version.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import type { Bus, LogIdentity, NewStep } from '../../src/log/port.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { migrate } from '../../src/platform/clickhouse/migrations/migrate.ts';
import { Metrics } from '../../src/platform/observability/metrics/metrics.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { appendSteps, readSteps } from './copy-log.ts';

const OLDER_MODULE = new URL('../fixtures/older-decoder.ts', import.meta.url).href;

export const OLDER_CODE: TableProjection = {
  ...BASE,
  version: BASE.version - 1,
  decoder: { ...BASE.decoder, module: OLDER_MODULE },
};
/** The upgraded code: this release's. */
export const NEWER_CODE: TableProjection = BASE;

/** The checkout's code, with what the older one does in parts of the chain. */
export function olderIn(...parts: readonly PositionRange[]): TableProjection {
  const { buildOptions } = BASE.decoder;
  return {
    ...OLDER_CODE,
    decoder: {
      module: OLDER_MODULE,
      buildOptions: (log, choices) => ({ ...(buildOptions(log, choices) as object), olderIn: parts }),
    },
  };
}

export const REPLAY_SETTINGS = {
  verifyLevel: 'tx',
  decodeWorkers: 0,
  batchRows: 60,
  batchMs: 0,
  sessionMs: 5_000,
  lanes: 3,
} as const;

export const quietLog = { debug() {}, info() {}, warn() {}, error() {} };
const quietWatch: ReplayWatch = { onPlan() {}, onStep() {}, onBatch() {} };

/** A replay without progress output. */
export function quietRun(parts: EngineParts, scope: RunScope): ReplayRun {
  return { parts, settings: REPLAY_SETTINGS, scope, watch: quietWatch };
}

/** A log with blocks of an archive, and a store of their network. */
export interface ReplayStore {
  readonly identity: LogIdentity;
  /** Removed with the store. */
  readonly directory: string;
  readonly parts: EngineParts;
  /** Steps that are still to come. */
  readonly rest: readonly NewStep[];
  /** A log of its own with all steps, from which nothing is ever freed. */
  readonly whole: Bus;
  session(owner: string, signal?: AbortSignal): Session;
  close(): Promise<void>;
}

export interface ReplayStoreOptions {
  readonly client: StoreClient;
  readonly source: string;
  readonly epochSize: number;
  readonly code: TableProjection;
  /** Steps that the log holds at first. Default: all. */
  readonly steps?: number;
  /** An empty log to use. Default: an embedded one, which is removed with the store. */
  readonly bus?: Bus;
  /** Lanes of the log. Default 2. */
  readonly lanes?: number;
  /** If the source does not contain it. */
  readonly network?: string;
  /** Files of states that the index begins with. */
  readonly states?: readonly string[];
}

/** Captures the source, whole or its first masterchain steps; nothing is decoded yet. */
export async function openReplayStore(options: ReplayStoreOptions): Promise<ReplayStore> {
  const { client, code, steps = Number.POSITIVE_INFINITY } = options;
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-replay-'));
  const shutdown = new Shutdown();
  const session = (owner: string, signal = shutdown.signal) => ({
    log: quietLog,
    shutdown,
    signal,
    owner,
    metrics: new Metrics(),
  });
  const whole = await openLog(join(directory, 'whole'), session('test'));
  await captureAll(options, whole, shutdown);
  const identity = await whole.bus.identity();
  if (!identity) throw new Error('the log has no identity');
  const opened = options.bus
    ? { directory, bus: options.bus, codec: whole.codec }
    : await openLog(directory, session('test'));
  await opened.bus.establish(identity);
  const all = await readSteps(whole.bus);
  await appendSteps(opened.bus, all.slice(0, steps), 20);
  await prepareStore(client, identity, [code]);
  return {
    identity,
    directory,
    parts: { ...opened, client, identity, owner: 'test', log: quietLog, projection: code },
    rest: all.slice(steps),
    whole: whole.bus,
    session,
    close: async () => {
      await shutdown.close(() => {});
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function captureAll(
  { source, epochSize, lanes = 2, network, states = [] }: ReplayStoreOptions,
  log: OpenLog,
  shutdown: Shutdown,
) {
  const opened = await openSource(source);
  try {
    await runCapture({
      ...log,
      source: opened,
      network,
      states: await Promise.all(states.map((file) => readStateFile(file))),
      identity: { epochSize, lanes },
      owner: 'capture',
      signal: shutdown.signal,
      log: quietLog,
    });
  } finally {
    await opened.close();
  }
}

/** Everything that the log holds, decoded into a version the ordinary way: through its consumer group. */
export async function indexVersion(
  store: ReplayStore,
  version: number,
  code: TableProjection,
): Promise<string> {
  const { signal } = store.session('index');
  const parts = { ...store.parts, owner: `index-${version}`, projection: code };
  await migrate(parts.client, versionMigrations(store.identity, code, version));
  const head = await HeadFollower.start(parts, version, REPLAY_SETTINGS, signal);
  await head.catchUp(signal);
  await head.close();
  return getDatabase(store.identity, BASE, version);
}
