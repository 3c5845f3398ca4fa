import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { CONTRACTS } from '../../pipelines/contracts.ts';
import { ACTIONS } from '../../pipelines/projections.ts';
import { TRACES } from '../../pipelines/traces.ts';
import type { EngineParts } from '../../src/engine/engine-parts.ts';
import { allCaughtUp, followHead } from '../../src/engine/head/follow-served.ts';
import type { TableProjection } from '../../src/engine/projection/projection.ts';
import { runReplay } from '../../src/engine/replay/run.ts';
import { verifyChains } from '../../src/engine/verify/verify-chain.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import { databaseOf } from '../../src/engine/versions/version-names.ts';
import { actionFigures } from '../../src/projections/actions/stored/action-figures.ts';
import { TRACE_INPUT } from '../../src/projections/traces/finished/trace-input.ts';
import { TracesMaker } from '../../src/projections/traces/traces-rows.ts';
import { emptyServer, startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { appendSteps } from '../helpers/copy-log.ts';
import { openReplayStore, quietRun, REPLAY_SETTINGS, type ReplayStore } from '../helpers/replay-store.ts';
import { SeededRandom } from '../helpers/seeded-random.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { versionPicture } from '../helpers/version-picture.ts';

const SLOW_MS = 600_000;
const NEEDED = [BASE, CONTRACTS, TRACES, ACTIONS];
const EPOCH = 20;

/** Gives up what waits for three steps, and keeps nothing in memory. */
const IMPATIENT: TableProjection = {
  ...TRACES,
  begin: (at) => new TracesMaker(at, { mostMessages: 0, patience: 3 }),
};

describeWithData('actions of a chain', (data) => {
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

  const open = async (steps?: number) => {
    store = await openReplayStore({
      source: `archive:${data}/blocks/packs`,
      ...(steps ? { steps } : {}),
      client: server.client,
      epochSize: EPOCH,
      code: BASE,
    });
  };
  const partsOf = (projection: TableProjection): EngineParts => ({
    ...store.parts,
    projection,
    owner: 'run',
  });
  const actions = (version = 1) => databaseOf(store.identity, ACTIONS, version);

  /** Follows the head until all that the log holds is there; then it stops. */
  async function follow(batchRows: number, projections: readonly TableProjection[] = NEEDED): Promise<void> {
    await prepareStore(server.client, store.identity, projections);
    const stop = new AbortController();
    const settings = { ...REPLAY_SETTINGS, batchRows };
    const heads = projections.map((projection) =>
      followHead(partsOf(projection), settings, { onBatch() {} }, stop.signal),
    );
    const running = Promise.all(heads.map((head) => head.running));
    await Promise.race([allCaughtUp(heads), running]);
    stop.abort();
    await running;
  }

  /** Every record of the topic, by position; none twice, and none missing. */
  async function fedSteps(): Promise<readonly number[]> {
    const positions: number[] = [];
    for (const { lane, first, next } of await store.parts.bus.bounds('traces'))
      for (let at = first; at < next; ) {
        const records = await store.parts.bus.read('traces', lane, at, { records: 1_000, bytes: 1 << 24 });
        positions.push(...records.map(({ position }) => position));
        at = records.at(-1)!.offset + 1;
      }
    return positions.sort((a, b) => a - b);
  }

  it(
    'do not depend on batches, stops, or what was fed when; each step is fed once',
    async () => {
      await open(1);
      const chance = new SeededRandom(34);
      for (const rest = [...store.rest]; rest.length > 0; ) {
        await appendSteps(store.parts.bus, rest.splice(0, 1 + chance.below(40)), EPOCH);
        await follow(chance.pick([1, 7, 60]));
      }
      const fed = await fedSteps();
      expect(fed).toEqual(Array.from({ length: fed.length }, (_, i) => fed[0]! + i));
      const picture = await versionPicture(server.client, actions());
      expect(picture.actions!.length).toBeGreaterThan(500);
      expect(await actionFigures({ client: server.client, database: actions() })).toMatchObject({
        actions: picture.actions!.length,
        'failed traces': 0,
      });
      for (const [version, batchRows] of [
        [2, 5_000],
        [3, 3],
      ] as const) {
        const run = quietRun(partsOf(ACTIONS), store.session('replay'));
        const plan = { range: { from: null, to: null }, accept: async () => true };
        const { changes } = await runReplay({ ...run, settings: { ...REPLAY_SETTINGS, batchRows } }, plan);
        expect(changes).toEqual([]);
        expect(await versionPicture(server.client, actions(version))).toEqual(picture);
      }
      const damaged = (await verifyChains(store.parts, NEEDED)).filter(({ problems }) => problems > 0);
      expect(damaged).toEqual([]);
    },
    SLOW_MS,
  );

  it(
    'of an index that is older than the projection come from the stored traces',
    async () => {
      await open();
      await follow(60, [BASE, CONTRACTS, { ...TRACES, feeds: undefined } as unknown as TableProjection]);
      await follow(60);
      const range = { first: 1, last: 99 };
      const steps = await TRACE_INPUT.steps(
        { client: server.client, database: databaseOf(store.identity, TRACES) },
        range,
      );
      const { rows } = await server.client.queryRows<[string, string]>(
        `SELECT toString(count()), toString(sum(finished)) FROM ${actions()}.action_steps`,
        { route: 'test' },
      );
      expect(Number(rows[0]![0])).toBeGreaterThanOrEqual(steps.length - 1);
      expect(Number(rows[0]![1])).toBeGreaterThan(100);
    },
    SLOW_MS,
  );

  it(
    'of traces that wait too long: what is given up does not depend on batches or stops',
    async () => {
      await open(1);
      const chance = new SeededRandom(35);
      for (const rest = [...store.rest]; rest.length > 0; ) {
        await appendSteps(store.parts.bus, rest.splice(0, 1 + chance.below(40)), EPOCH);
        await follow(chance.pick([1, 60]), [BASE, IMPATIENT]);
      }
      const traces = (version = 1) => databaseOf(store.identity, TRACES, version);
      const picture = await versionPicture(server.client, traces());
      const run = quietRun(partsOf(IMPATIENT), store.session('replay'));
      const plan = { range: { from: null, to: null }, accept: async () => true };
      await runReplay({ ...run, settings: { ...REPLAY_SETTINGS, batchRows: 5_000 } }, plan);
      expect(await versionPicture(server.client, traces(2))).toEqual(picture);
    },
    SLOW_MS,
  );
});
