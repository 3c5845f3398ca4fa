import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { TRACES } from '../../pipelines/traces.ts';
import type { EngineParts } from '../../src/engine/engine-parts.ts';
import { followHead } from '../../src/engine/head/follow-served.ts';
import type { TableProjection } from '../../src/engine/projection/projection.ts';
import { runReplay } from '../../src/engine/replay/run.ts';
import { verifyChains } from '../../src/engine/verify/verify-chain.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import { databaseOf } from '../../src/engine/versions/version-names.ts';
import { traceFigures } from '../../src/projections/traces/trace-figures.ts';
import { TracesMaker } from '../../src/projections/traces/traces-rows.ts';
import { emptyServer, startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { appendSteps } from '../helpers/copy-log.ts';
import { openReplayStore, quietRun, REPLAY_SETTINGS, type ReplayStore } from '../helpers/replay-store.ts';
import { SeededRandom } from '../helpers/seeded-random.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { allTraceRows, newestTraces, traceTruth } from '../helpers/trace-truth.ts';

const SLOW_MS = 600_000;
/** It begins in mid-chain: its zerostate is not known, so any will do. */
const PRIVATE_A = `test_private_a=${'a'.repeat(64)}:${'b'.repeat(64)}`;

/** Forgets whatever it may: messages in flight come from the tables. */
const FORGETFUL: TableProjection = { ...TRACES, begin: (at) => new TracesMaker(at, { mostMessages: 0 }) };

const CHAINS = [
  ['mainnet from its first block', (data: string) => ({ source: `archive:${data}/blocks/packs` })],
  [
    'a chain that is indexed from its middle on',
    (data: string) => ({ source: `files:${data}/blocks/private-a`, network: PRIVATE_A }),
  ],
] as const;

describeWithData('traces beside base', (data) => {
  let server: TestServer;
  let store: ReplayStore;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });

  beforeEach(async () => {
    await store?.close();
    await emptyServer(server);
  });

  const open = async (chain: { source: string; network?: string }, steps?: number) => {
    store = await openReplayStore({
      ...chain,
      ...(steps ? { steps } : {}),
      client: server.client,
      epochSize: 20,
      code: BASE,
    });
  };
  const base = () => databaseOf(store.identity, BASE);
  const traces = (version = 1) => databaseOf(store.identity, TRACES, version);
  const partsOf = (projection: TableProjection): EngineParts => ({
    ...store.parts,
    projection,
    owner: 'run',
  });

  /** Follows the head until all that the log holds is there. */
  async function follow(batchRows: number, ...projections: TableProjection[]): Promise<void> {
    await prepareStore(server.client, store.identity, [BASE, TRACES]);
    const stop = new AbortController();
    const settings = { ...REPLAY_SETTINGS, batchRows };
    const heads = projections.map((projection) =>
      followHead(partsOf(projection), settings, { onBatch() {} }, stop.signal),
    );
    const running = Promise.all(heads.map((head) => head.running));
    await Promise.race([Promise.all(heads.map((head) => head.caughtUp())), running]);
    stop.abort();
    await running;
  }

  async function expectTrue(database = traces()): Promise<void> {
    const truth = await traceTruth(server.client, base());
    expect(truth.length).toBeGreaterThan(50);
    expect(await newestTraces(server.client, database)).toEqual(truth);
    const inState = (name: string) => truth.filter(({ state }) => state === name).length;
    expect(await traceFigures({ client: server.client, database })).toEqual({
      'open traces': inState('pending'),
      finished: inState('complete'),
      broken: inState('broken'),
    });
  }

  const broken = async () =>
    (await verifyChains(store.parts, [BASE, TRACES])).filter(({ problems }) => problems > 0);

  it.each(CHAINS)(
    'of %s are those that the messages of base join, each message once',
    async (_, chain) => {
      await open(chain(data));
      await follow(60, BASE, TRACES);
      await expectTrue();
      expect(await broken()).toEqual([]);
    },
    SLOW_MS,
  );

  it.each(CHAINS)(
    'of %s do not depend on batches, stops, or what is in memory',
    async (_, chain) => {
      await open(chain(data), 1);
      const chance = new SeededRandom(18);
      for (const rest = [...store.rest]; rest.length > 0; ) {
        await appendSteps(store.parts.bus, rest.splice(0, 1 + chance.below(25)), 20);
        await follow(chance.pick([1, 7, 60]), BASE, chance.pick([TRACES, FORGETFUL]));
      }
      await expectTrue();
      const rows = await allTraceRows(server.client, traces());
      for (const [at, projection, batchRows] of [
        [2, TRACES, 5_000],
        [3, FORGETFUL, 3],
      ] as const) {
        const plan = { range: { from: null, to: null }, accept: async () => true };
        const run = quietRun(partsOf(projection), store.session('replay'));
        const settings = { ...REPLAY_SETTINGS, batchRows };
        const { changes } = await runReplay({ ...run, settings }, plan);
        expect(changes).toEqual([]);
        expect(await allTraceRows(server.client, traces(at))).toEqual(rows);
      }
    },
    SLOW_MS,
  );

  it(
    'are replayed from a checkpoint in the middle of traces',
    async () => {
      await open(CHAINS[0][1](data));
      await follow(60, BASE, TRACES);
      const plan = { range: { from: 47, to: null }, accept: async () => true };
      const { changes } = await runReplay(quietRun(partsOf(TRACES), store.session('replay')), plan);
      expect(changes).toEqual([]);
      expect(await allTraceRows(server.client, traces(2))).toEqual(
        await allTraceRows(server.client, traces()),
      );
    },
    SLOW_MS,
  );

  it(
    'that lack a transaction are found by verify',
    async () => {
      await open(CHAINS[0][1](data));
      await follow(60, BASE, TRACES);
      await server.client.command(`DELETE FROM ${traces()}.trace_transactions WHERE mc_seqno = 60`, {
        route: 'test',
        settings: { lightweight_deletes_sync: 2 },
      });
      expect((await broken()).map(({ name }) => name)).toEqual(['traces-step-rows', 'traces-joined']);
    },
    SLOW_MS,
  );
});
