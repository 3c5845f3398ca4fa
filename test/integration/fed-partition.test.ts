import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FINISHED_TRACES, TRACE_INPUT } from '../../pipelines/finished-traces.ts';
import { ACTIONS, projectionsWith } from '../../pipelines/projections.ts';
import { TRACES } from '../../pipelines/traces.ts';
import { openLog } from '../../src/cli/compose/data-directory.ts';
import { startStoreDecoder } from '../../src/engine/decoding/start-decoder.ts';
import type { EngineParts } from '../../src/engine/engine-parts.ts';
import { FeedBell, followFeed } from '../../src/engine/feed/follow-feed.ts';
import { type PartitionStart, partsOfVersion } from '../../src/engine/lanes/lane-options.ts';
import type { StepFeed, TableProjection } from '../../src/engine/projection/projection.ts';
import type { NeededStore } from '../../src/engine/projection/row-maker.ts';
import { memberWatch } from '../../src/engine/replay/fill-partition.ts';
import { createVersion } from '../../src/engine/versions/create-version.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import { getDatabase, getGroup } from '../../src/engine/versions/version-names.ts';
import { type LaneLease, type LogIdentity, stepFrom } from '../../src/log/port.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { Metrics } from '../../src/platform/observability/metrics/metrics.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { ActionsMaker } from '../../src/projections/actions/stored/actions-rows.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { quietLog } from '../helpers/replay-store.ts';

const { ofCode: _, ...PLAIN } = ACTIONS;
/** Actions of steps that finished nothing: no fact is looked up. */
const FED: TableProjection = {
  ...PLAIN,
  needs: [],
  begin: (at) =>
    new ActionsMaker(
      { ...at, needed: NO_FACTS },
      { chain: 'none', tokens: 'none', detected: 'none', release: '1.2' },
    ),
};
const FEED: StepFeed = { topic: FINISHED_TRACES, records: TRACE_INPUT.records };
const NO_FACTS: NeededStore = { databaseWith: async () => 'none', consult: async () => null };
const EPOCH = 20;
const LAST = 99;
/** The topic is fed from the epoch of the head on: this is its first step. */
const FED_FROM = 80;
/** No lease lapses while a test runs. */
const SESSION_MS = 3_600_000;
const WAIT_MS = 300_000;

const SETTINGS = { decodeWorkers: 0, verifyLevel: 'none', batchRows: 60 } as const;
const route = { route: 'test' };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
}, WAIT_MS);
afterAll(() => server?.stop());

/** An embedded log and a store in which nothing is confirmed. */
interface EmptyIndex {
  readonly parts: EngineParts;
  readonly start: PartitionStart;
  /** Confirms steps 1 to 99 of `traces`, and feeds the topic. */
  index(): Promise<void>;
}

async function open(network: string, use: (index: EmptyIndex) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-fed-'));
  const shutdown = new Shutdown();
  const { signal } = shutdown;
  try {
    const session = { log: quietLog, shutdown, signal, owner: 'test', metrics: new Metrics() };
    const opened = await openLog(directory, session);
    const identity = {
      network,
      id: `${'1'.repeat(64)}:${'2'.repeat(64)}`,
      epochSize: EPOCH,
      lanes: 2,
      facts: {},
    };
    await opened.bus.establish(identity);
    const { client } = server;
    await prepareStore(client, identity, [TRACES, FED]);
    const partsOf = (projection: TableProjection): EngineParts => ({
      ...{ ...opened, client, identity, owner: 'test', log: quietLog, signal, version: 1 },
      projection,
    });
    const parts = partsOf(FED);
    const group = getGroup(FED, 1);
    const member = { topic: FINISHED_TRACES, group, owner: 'test', sessionMs: SESSION_MS, partitions: 1 };
    const consumer = await opened.bus.consumer(member);
    const [lease] = await consumer.claim();
    const decoder = await startStoreDecoder(parts, SETTINGS);
    shutdown.add('decoder', () => decoder.close());
    const index = async () => {
      await client.command(
        `INSERT INTO ${getDatabase(identity, TRACES)}.confirmed (first, last, epoch, lane) VALUES (1, ${LAST}, 0, 0)`,
        route,
      );
      await feed(partsOf(TRACES));
    };
    await use({ parts, start: { gap: null, lease: lease as LaneLease, consumer, decoder }, index });
  } finally {
    await shutdown.close(() => {});
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Feeds the topic until it has the last step. */
async function feed(parts: EngineParts, feeds: StepFeed = FEED): Promise<void> {
  const stop = new AbortController();
  const settings = { sessionMs: SESSION_MS, bell: new FeedBell() };
  const feeding = followFeed(parts, feeds, settings, stop.signal);
  const fed = () => positionsOf(parts).then((all) => all.at(-1) === LAST);
  await Promise.race([expect.poll(fed, { timeout: WAIT_MS }).toBe(true), feeding]);
  stop.abort();
  await feeding;
}

async function positionsOf({ bus }: EngineParts): Promise<readonly number[]> {
  const positions: number[] = [];
  for (const { lane, first, next } of await bus.bounds(FINISHED_TRACES)) {
    const limit = { records: 1_000, bytes: 1 << 24 };
    for (let at = first; at < next; ) {
      const records = await bus.read(FINISHED_TRACES, lane, at, limit);
      positions.push(...records.map(({ position }) => position));
      at = records.at(-1)!.offset + 1;
    }
  }
  return positions.sort((a, b) => a - b);
}

/** Moves the partition to its position in the log. */
function prepare(parts: EngineParts, start: PartitionStart): Promise<LaneLease> {
  const { prepare } = memberWatch(parts, SETTINGS, { onBatch() {} });
  return prepare!(start, parts.signal!);
}

async function expectAllSteps(parts: EngineParts, lease: LaneLease): Promise<void> {
  expect((await positionsOf(parts))[0]).toBe(FED_FROM);
  const { rows } = await server.client.queryRows<[number, number, string]>(
    `SELECT min(mc_seqno), max(mc_seqno), toString(count()) FROM ${getDatabase(parts.identity, FED)}.action_steps`,
    route,
  );
  expect(rows).toEqual([[1, LAST, String(LAST)]]);
  expect(stepFrom(lease.committed)).toBe(LAST + 1);
}

it(
  'a partition of a fed topic that is prepared before anything is confirmed begins with the first confirmed step',
  async () => {
    await open('fed_early_test', async ({ parts, start, index }) => {
      const prepared = prepare(parts, start);
      await index();
      await expectAllSteps(parts, await prepared);
    });
  },
  WAIT_MS,
);

it(
  'so does one that reads the log once the topic begins, after it found the store empty',
  async () => {
    await open('fed_late_test', async ({ parts, start, index }) => {
      const { client } = parts;
      const confirmed = `${getDatabase(parts.identity, TRACES)}.confirmed`;
      let begun: Promise<void> | undefined;
      const lateStore: StoreClient = {
        ...client,
        queryRows: (async (sql, options) => {
          const seen = await client.queryRows(sql, options);
          if (!sql.includes(confirmed)) return seen;
          begun ??= index();
          await begun;
          return seen;
        }) as StoreClient['queryRows'],
      };
      await expectAllSteps(parts, await prepare({ ...parts, client: lateStore }, start));
    });
  },
  WAIT_MS,
);

it(
  'a step is fed from the version that has confirmed it, though another one is served a moment later',
  async () => {
    await open('fed_switch_test', async ({ parts }) => {
      const { client, identity } = parts;
      await createVersion({ client, identity, projection: TRACES, version: 2 });
      const databases = [1, 2].map((version) => getDatabase(identity, TRACES, version));
      // The second version lags, and each look at the pointer finds the other one served.
      const reaches = new Map(databases.map((database, index) => [database, index === 0 ? LAST : LAST - 10]));
      for (const [database, last] of reaches)
        await client.command(
          `INSERT INTO ${database}.confirmed (first, last, epoch, lane) VALUES (1, ${last}, 0, 0)`,
          route,
        );
      let looks = 0;
      const pointers = { of: async () => ({ version: (looks++ % 2) + 1 }) };
      const beyond: string[] = [];
      const feeds: StepFeed = {
        ...FEED,
        records: (store, range, encoding) => {
          if (range.last > (reaches.get(store.database) ?? 0)) beyond.push(`${store.database} ${range.last}`);
          return FEED.records(store, range, encoding);
        },
      };
      await feed({ ...parts, projection: TRACES, pointers }, feeds);
      expect(beyond).toEqual([]);
      expect(await positionsOf(parts)).toEqual(
        Array.from({ length: LAST - FED_FROM + 1 }, (_, i) => FED_FROM + i),
      );
    });
  },
  WAIT_MS,
);

it(
  'a version is written by the rules that it began with, even if the setting has changed',
  async () => {
    await open('fed_rules_test', async ({ parts }) => {
      const { client, identity } = parts;
      const later = projectionsWith('1.3').find(({ name }) => name === ACTIONS.name)!;
      const network = { ...identity, network: 'later_rules_test' };
      await prepareStore(client, network, [TRACES, later]);
      const written = (of: LogIdentity, projection: TableProjection) =>
        partsOfVersion({ ...parts, identity: of, projection, version: 1 }).then(
          (own) => own.projection.version,
        );
      expect(await written(network, ACTIONS)).toBe(later.version);
      expect(await written(identity, later)).toBe(ACTIONS.version);
    });
  },
  WAIT_MS,
);
