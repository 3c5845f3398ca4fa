import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { TRACES } from '../../pipelines/traces.ts';
import type { EngineParts } from '../../src/engine/engine-parts.ts';
import { followHead } from '../../src/engine/head/follow-served.ts';
import type { TableProjection } from '../../src/engine/projection/projection.ts';
import { runReplay } from '../../src/engine/replay/run.ts';
import { verifyChains } from '../../src/engine/verify/verify-chain.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { traceFigures } from '../../src/projections/traces/trace-figures.ts';
import { TracesMaker } from '../../src/projections/traces/traces-rows.ts';
import { emptyServer, startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { appendSteps } from '../helpers/copy-log.ts';
import { followHeads } from '../helpers/follow-heads.ts';
import { openReplayStore, quietRun, REPLAY_SETTINGS, type ReplayStore } from '../helpers/replay-store.ts';
import { SeededRandom } from '../helpers/seeded-random.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { allTraceRows, linkTruth, newestTraces, storedLinks, traceTruth } from '../helpers/trace-truth.ts';

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

describeWithData('traces together with base', (data) => {
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

  const open = async (
    chain: { source: string; network?: string },
    { steps, lanes = 2 }: { readonly steps?: number; readonly lanes?: number } = {},
  ) => {
    store = await openReplayStore({
      ...chain,
      ...(steps ? { steps } : {}),
      lanes,
      client: server.client,
      epochSize: 20,
      code: BASE,
    });
  };
  const base = () => getDatabase(store.identity, BASE);
  const traces = (version = 1) => getDatabase(store.identity, TRACES, version);
  const partsOf = (projection: TableProjection): EngineParts => ({
    ...store.parts,
    projection,
    owner: 'run',
  });

  const follow = (batchRows: number, ...projections: TableProjection[]) =>
    followHeads(store, projections, batchRows);

  /** Follows the head, and gives up in the middle of it, after so many batches at most. */
  async function followSome(batches: number, batchRows: number, projection: TableProjection): Promise<void> {
    await prepareStore(server.client, store.identity, [BASE, TRACES]);
    const stop = new AbortController();
    let left = batches;
    const onBatch = () => {
      if (--left === 0) stop.abort();
    };
    const settings = { ...REPLAY_SETTINGS, batchRows };
    const head = followHead(partsOf(projection), settings, { onBatch }, stop.signal);
    const caughtUp = head.caughtUp().catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    });
    await Promise.race([caughtUp, head.running]);
    stop.abort();
    await head.running;
  }

  async function expectTrue(database = traces()): Promise<void> {
    const truth = await traceTruth(server.client, base());
    expect(truth.length).toBeGreaterThan(50);
    expect(await newestTraces(server.client, database)).toEqual(truth);
    const links = await linkTruth(server.client, base());
    expect(await storedLinks(server.client, database)).toEqual(links);
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
      // From its middle on, that chain has only system messages.
      const { links } = await linkTruth(server.client, base());
      expect(links).toBeGreaterThan(chain === CHAINS[0][1] ? 20 : -1);
    },
    SLOW_MS,
  );

  it.each(CHAINS)(
    'of %s do not depend on batches, stops, or what is in memory',
    async (_, chain) => {
      await open(chain(data), { steps: 1 });
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
    'do not depend on lanes, nor on where the work was interrupted',
    async () => {
      const pictures: unknown[] = [];
      const chance = new SeededRandom(72);
      for (const lanes of [1, 5]) {
        await store?.close();
        await emptyServer(server);
        await open(CHAINS[0][1](data), { lanes });
        await follow(chance.pick([7, 60]), BASE);
        for (let cuts = 3; cuts > 0; cuts--)
          await followSome(1 + chance.below(4), chance.pick([1, 3, 7]), chance.pick([TRACES, FORGETFUL]));
        await follow(60, BASE, TRACES);
        await expectTrue();
        pictures.push(await allTraceRows(server.client, traces()));
      }
      expect(pictures[1]).toEqual(pictures[0]);
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
