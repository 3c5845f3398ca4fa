import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ACTIVITY } from '../../pipelines/activity.ts';
import { BASE } from '../../pipelines/base.ts';
import type { EngineParts } from '../../src/engine/engine-parts.ts';
import { followHead } from '../../src/engine/head/follow-served.ts';
import type { TableProjection } from '../../src/engine/projection/projection.ts';
import { runDiff, runReplay, runRollback } from '../../src/engine/replay/run.ts';
import { trimStoredEpochs } from '../../src/engine/retention/trim-log.ts';
import { verifyChains } from '../../src/engine/verify/verify-chain.ts';
import { readCommonIslands } from '../../src/engine/versions/confirmed-islands.ts';
import { prepareStore, servedVersion } from '../../src/engine/versions/prepare-store.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { stepFrom } from '../../src/log/port.ts';
import { activityRows, activityTruth } from '../helpers/activity-truth.ts';
import { emptyServer, startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { appendSteps } from '../helpers/copy-log.ts';
import { openReplayStore, quietRun, REPLAY_SETTINGS, type ReplayStore } from '../helpers/replay-store.ts';
import { describeWithData } from '../helpers/shared-data.ts';

const SLOW_MS = 600_000;
const EPOCH_SIZE = 20;
/** Masterchain steps that the log holds at first. */
const EARLIER = 61;

describeWithData('activity together with base', (data) => {
  let server: TestServer;
  let store: ReplayStore;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });

  const { signal } = new AbortController();
  const activity = () => getDatabase(store.identity, ACTIVITY);
  const base = () => getDatabase(store.identity, BASE);
  const partsOf = (projection: TableProjection = ACTIVITY): EngineParts => ({
    ...store.parts,
    projection,
    owner: 'run',
  });

  beforeEach(async () => {
    await store?.close();
    await emptyServer(server);
    store = await openReplayStore({
      client: server.client,
      source: `archive:${data}/blocks/packs`,
      epochSize: EPOCH_SIZE,
      code: BASE,
      steps: EARLIER,
    });
  });

  /** Follows the head with what is served until all that the log holds is there. */
  async function follow(...projections: TableProjection[]): Promise<void> {
    await prepareStore(server.client, store.identity, [BASE, ...projections]);
    const stop = new AbortController();
    const heads = projections.map((projection) =>
      followHead(partsOf(projection), REPLAY_SETTINGS, { onBatch() {} }, stop.signal),
    );
    const running = Promise.all(heads.map((head) => head.running));
    await Promise.race([Promise.all(heads.map((head) => head.caughtUp())), running]);
    stop.abort();
    await running;
  }

  async function expectTrue(database = activity()): Promise<void> {
    const truth = await activityTruth(server.client, base());
    expect(truth.length).toBeGreaterThan(50);
    expect(await activityRows(server.client, database)).toEqual(truth);
  }

  const broken = async () =>
    (await verifyChains(store.parts, [BASE, ACTIVITY]))
      .filter(({ problems }) => problems > 0)
      .map(({ name }) => name);
  const logged = async () => (await store.parts.bus.bounds(BASE.reads)).map(({ first }) => first);
  const isLag0 = async () =>
    (await store.parts.bus.lag())
      .filter(({ group }) => group === 'activity')
      .every(({ committed, end }) => committed === end);

  it(
    'counts what base has, row for row, across a stop',
    async () => {
      await follow(BASE, ACTIVITY);
      await expectTrue();
      await appendSteps(store.parts.bus, store.rest, 20);
      await follow(BASE, ACTIVITY);
      await expectTrue();
      expect(await isLag0()).toBe(true);
    },
    SLOW_MS,
  );

  it(
    'is built from the stored blocks if the log has freed them, and continues from the log',
    async () => {
      await follow(BASE);
      expect(await trimStoredEpochs(partsOf(BASE), 3, signal)).toEqual([0, 1, 2]);
      await follow(ACTIVITY);
      await expectTrue();
      await appendSteps(store.parts.bus, store.rest, 20);
      await follow(BASE, ACTIVITY);
      await expectTrue();
    },
    SLOW_MS,
  );

  it(
    'continues from the stored blocks after a time in which it was off and the log did not wait for it',
    async () => {
      await follow(BASE, ACTIVITY);
      await appendSteps(store.parts.bus, store.rest, 20);
      await follow(BASE);
      const running = [{ projection: ACTIVITY, isRunning: true }];
      const before = await logged();
      expect(await trimStoredEpochs(partsOf(BASE), 4, signal, running)).toEqual([0, 1, 2]);
      expect(await logged()).not.toEqual(before);
      const off = [{ projection: ACTIVITY, isRunning: false }];
      expect(await trimStoredEpochs(partsOf(BASE), 4, signal, off)).toEqual([3]);
      expect(await broken()).toEqual([]);
      await follow(BASE, ACTIVITY);
      await expectTrue();
      expect(await isLag0()).toBe(true);
    },
    SLOW_MS,
  );

  it(
    'is replayed completely, from a checkpoint, and rolled back; the law holds for each',
    async () => {
      await follow(BASE, ACTIVITY);
      const accept = async () => true;
      const scope = store.session('replay');
      const whole = { range: { from: null, to: null }, accept };
      const first = await runReplay(quietRun(partsOf(), scope), whole);
      expect(first.changes).toEqual([]);
      await expectTrue(getDatabase(store.identity, ACTIVITY, 2));
      await appendSteps(store.parts.bus, store.rest, 20);
      await follow(BASE, ACTIVITY);
      const late = { range: { from: 47, to: null }, accept };
      const second = await runReplay(quietRun(partsOf(), scope), late);
      expect(second.changes).toEqual([]);
      expect(second.plan.ranges[0]?.first).toBe(47);
      await expectTrue(getDatabase(store.identity, ACTIVITY, 3));
      await runRollback(partsOf(), REPLAY_SETTINGS, 1, scope);
      expect(await servedVersion(server.client, store.identity, ACTIVITY)).toBe(1);
      await expectTrue();
      await expect(
        runReplay(quietRun(partsOf(), scope), { range: { from: 3, to: 9 }, accept }),
      ).rejects.toThrow('carries state along the chain');
    },
    SLOW_MS,
  );

  it(
    'differs nowhere from what the code yields, from any step on, and shows what was altered',
    async () => {
      await follow(BASE, ACTIVITY);
      const scope = store.session('diff');
      const diff = async (from: number | null, to: number | null) =>
        (await runDiff(quietRun(partsOf(), scope), { range: { from, to } })).changes;
      expect(await diff(null, null)).toEqual([]);
      expect(await diff(33, 44)).toEqual([]);
      expect(await broken()).toEqual([]);
      await server.client.command(`DELETE FROM ${activity()}.activity WHERE mc_seqno = 40`, {
        route: 'test',
        settings: { lightweight_deletes_sync: 2 },
      });
      expect((await diff(33, 44)).map(({ table }) => table)).toEqual(['activity']);
      expect(await broken()).toEqual(['activity-step-rows']);
      await server.client.command(`DELETE FROM ${base()}.transactions WHERE mc_seqno = 50`, {
        route: 'test',
        settings: { lightweight_deletes_sync: 2 },
      });
      expect(await broken()).toEqual(['activity-step-rows', 'activity-totals']);
    },
    SLOW_MS,
  );

  it(
    'is not whole where its tables are empty, all of them',
    async () => {
      await follow(BASE, ACTIVITY);
      expect(await broken()).toEqual([]);
      for (const table of ['activity', 'step_rows', 'confirmed'])
        await server.client.command(`TRUNCATE TABLE ${activity()}.${table}`, { route: 'test' });
      expect(await broken()).toEqual(['activity-handed-steps']);
    },
    SLOW_MS,
  );

  it(
    'is compared with no later step of base while base lacks the first ones',
    async () => {
      await follow(BASE, ACTIVITY);
      await server.client.command(`TRUNCATE TABLE ${base()}.confirmed`, { route: 'test' });
      await server.client.command(
        `INSERT INTO ${base()}.confirmed (first, last, epoch, lane) VALUES (25, 30, 0, 0)`,
        { route: 'test' },
      );
      expect(await broken()).toEqual([]);
      const totals = await verifyChains(store.parts, [BASE, ACTIVITY]);
      expect(totals.find(({ name }) => name === 'activity-totals')?.skipped).toMatch(
        '`base` has not confirmed',
      );
    },
    SLOW_MS,
  );

  it(
    'confirms each partition up to the step that its group has passed',
    async () => {
      await follow(BASE, ACTIVITY);
      const [range, ...others] = await readCommonIslands(server.client, activity(), 2);
      expect(others).toEqual([]);
      const [lease] = await (
        await store.parts.bus.consumer({
          topic: BASE.reads,
          group: 'activity',
          owner: 'x',
          sessionMs: 5_000,
          partitions: 2,
        })
      ).claim();
      expect(range?.last).toBe(stepFrom(lease?.committed ?? 0) - 1);
    },
    SLOW_MS,
  );
});
