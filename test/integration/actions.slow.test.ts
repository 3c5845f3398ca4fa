import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { CONTRACTS } from '../../pipelines/contracts.ts';
import { ACTIONS, DETECTIONS } from '../../pipelines/projections.ts';
import { TRACES } from '../../pipelines/traces.ts';
import type { EngineParts } from '../../src/engine/engine-parts.ts';
import type { TableProjection } from '../../src/engine/projection/projection.ts';
import { runReplay } from '../../src/engine/replay/run.ts';
import { verifyChains } from '../../src/engine/verify/verify-chain.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { ALL_MATCHERS } from '../../src/projections/actions/families/all-matchers.ts';
import type { Matcher } from '../../src/projections/actions/match/matcher.ts';
import { blockThat } from '../../src/projections/actions/match/pattern.ts';
import { actionFigures } from '../../src/projections/actions/stored/action-figures.ts';
import { ActionsMaker } from '../../src/projections/actions/stored/actions-rows.ts';
import type { Block } from '../../src/projections/actions/tree/block.ts';
import { TRACE_INPUT } from '../../src/projections/traces/finished/trace-input.ts';
import { TracesMaker } from '../../src/projections/traces/traces-rows.ts';
import { emptyServer, startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { appendSteps } from '../helpers/copy-log.ts';
import { followHeads } from '../helpers/follow-heads.ts';
import { openReplayStore, quietRun, REPLAY_SETTINGS, type ReplayStore } from '../helpers/replay-store.ts';
import { SeededRandom } from '../helpers/seeded-random.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { versionPicture } from '../helpers/version-picture.ts';

const SLOW_MS = 600_000;
const NEEDED = [BASE, CONTRACTS, TRACES, ACTIONS];
const EPOCH = 20;

/** A rule that throws on a message to an account, in its test or when it builds the action. */
const throwsAt = (name: string, account: string, place: 'test' | 'build'): Matcher => {
  const fail = () => {
    throw new TypeError(`${name} is broken`);
  };
  const isMet = ({ kind, destination }: Block) =>
    ['call_contract', 'ton_transfer'].includes(kind.name) && destination === account;
  return place === 'test'
    ? { name, pattern: blockThat((block) => isMet(block) && fail()) }
    : { name, pattern: blockThat(isMet, { build: fail }) };
};

/** An account, and the traces that sent something to it. */
interface Receiver {
  readonly account: string;
  readonly traces: readonly string[];
}

/** The account that most traces send to, and the next one whose traces are others. */
function apart([first, ...others]: readonly Receiver[]): readonly [Receiver, Receiver] {
  const second = others.find(({ traces }) => !traces.some((trace) => first?.traces.includes(trace)));
  if (!first || !second) throw new Error('no two receivers of different traces');
  return [first, second];
}

/** The projection with other matchers, as a release that has them would replay it. */
const actionsBy = (matchers: readonly Matcher[]): TableProjection => {
  const sources = { chain: BASE.name, tokens: CONTRACTS.name, detected: DETECTIONS.name };
  const made = { ...sources, release: '1.2', matchers } as const;
  const changed: TableProjection = {
    ...ACTIONS,
    version: ACTIONS.version + 2,
    begin: (at) => new ActionsMaker(at, made),
    ofCode: () => changed,
  };
  return changed;
};

/** Gives up what waits for three steps, and keeps nothing in memory. */
const IMPATIENT: TableProjection = {
  ...TRACES,
  begin: (at) => new TracesMaker(at, { mostMessages: 0, maxWaitSteps: 3 }),
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
  const actions = (version = 1) => getDatabase(store.identity, ACTIONS, version);

  const follow = (batchRows: number, projections: readonly TableProjection[] = NEEDED) =>
    followHeads(store, projections, batchRows);

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

  /** Accounts that messages came to, with the finished traces (upper-case hex, in order) that brought them. */
  async function tracesByReceiver(): Promise<readonly Receiver[]> {
    const { rows } = await server.client.queryRows<[string, string[]]>(
      `SELECT concat(toString(t.workchain), ':', hex(t.account)), arraySort(groupUniqArray(hex(id.trace_id))) AS traces
       FROM ${getDatabase(store.identity, BASE)}.messages AS m
       JOIN ${getDatabase(store.identity, TRACES)}.transaction_traces AS t
         ON t.account = m.destination AND t.workchain = m.destination_workchain AND t.lt = m.tx_lt
       JOIN (SELECT DISTINCT trace_id, trace8 FROM ${getDatabase(store.identity, TRACES)}.traces WHERE state = 'complete') AS id
         ON id.trace8 = t.trace8
       WHERE m.side = 'in' GROUP BY t.workchain, t.account ORDER BY length(traces) DESC, t.account`,
      { route: 'test', maxRows: 100_000 },
    );
    return rows.map(([account, traces]) => ({ account, traces }));
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
    'are what they were but for a rule that throws: it is counted with each trace that it met, and no other is touched',
    async () => {
      await open();
      await follow(60);
      const picture = await versionPicture(server.client, actions());
      expect(picture.action_problems).toEqual([]);
      const [often, seldom] = apart(await tracesByReceiver());
      expect(often.traces.length).toBeGreaterThan(seldom.traces.length);
      expect(seldom.traces.length).toBeGreaterThan(2);
      const broken = actionsBy([
        throwsAt('broken in its test', often.account, 'test'),
        throwsAt('broken in its build', seldom.account, 'build'),
        ...ALL_MATCHERS.slice(0, 9),
        throwsAt('met by nothing', `0:${'7'.repeat(64)}`, 'build'),
        ...ALL_MATCHERS.slice(9),
      ]);
      const run = quietRun(partsOf(broken), store.session('replay'));
      const { changes } = await runReplay(run, {
        range: { from: null, to: null },
        accept: async () => true,
      });
      const added = often.traces.length + seldom.traces.length;
      expect(changes).toMatchObject([{ table: 'action_problems', added, removed: 0, altered: 0 }]);
      const { action_problems: problems, ...rest } = await versionPicture(server.client, actions(2));
      const { action_problems: none, ...before } = picture;
      expect([problems!.length, none!.length]).toEqual([added, 0]);
      expect({ ...rest, step_rows: [] }).toEqual({ ...before, step_rows: [] });
      const shown: Record<string, number> = {};
      for (const [{ traces }, rule] of [
        [often, 'broken in its test'],
        [seldom, 'broken in its build'],
      ] as const) {
        const { rows } = await server.client.queryRows<[string, string]>(
          `SELECT hex(trace_id), error FROM ${actions(2)}.action_problems WHERE matcher = '${rule}' ORDER BY mc_seqno, trace_id`,
          { route: 'test' },
        );
        expect(rows.map(([trace]) => trace).sort(), rule).toEqual(traces);
        expect(new Set(rows.map(([, error]) => error))).toEqual(new Set([`TypeError: ${rule} is broken`]));
        const last = Buffer.from(rows.at(-1)![0], 'hex').toString('base64');
        shown[`failures of ${rule}, last in trace ${last}`] = traces.length;
      }
      const figures = await actionFigures({ client: server.client, database: actions(2) });
      const failures = Object.entries(figures).filter(([name]) => name.startsWith('failures of '));
      expect(Object.fromEntries(failures)).toEqual(shown);
      expect(figures).toMatchObject({ 'failed traces': 0, actions: picture.actions!.length });
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
        { client: server.client, database: getDatabase(store.identity, TRACES) },
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
      const traces = (version = 1) => getDatabase(store.identity, TRACES, version);
      const picture = await versionPicture(server.client, traces());
      const run = quietRun(partsOf(IMPATIENT), store.session('replay'));
      const plan = { range: { from: null, to: null }, accept: async () => true };
      await runReplay({ ...run, settings: { ...REPLAY_SETTINGS, batchRows: 5_000 } }, plan);
      expect(await versionPicture(server.client, traces(2))).toEqual(picture);
    },
    SLOW_MS,
  );
});
