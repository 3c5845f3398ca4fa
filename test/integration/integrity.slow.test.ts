import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PROJECTIONS } from '../../pipelines/projections.ts';
import type { ServeContext } from '../../src/api/serve-context.ts';
import { buildServer } from '../../src/api/serve-stage.ts';
import type { IntegrityAnswer } from '../../src/api/v3/schemas/integrity.ts';
import type { ProjectionName } from '../../src/api/version-vector.ts';
import { IntegrityProver, type ProverPace } from '../../src/engine/integrity/integrity-prover.ts';
import { ProofRecords } from '../../src/engine/integrity/proof-records.ts';
import type { ServedView } from '../../src/engine/versions/served-version.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { StoreTimeoutError } from '../../src/platform/clickhouse/store-errors.ts';
import { Metrics } from '../../src/platform/observability/metrics/metrics.ts';
import { headOf, type LocalApi, openLocalApi } from '../helpers/local-api.ts';

/* The continuous proof over a real store: its results, its idle cost, and that it reports a lost row. */

const LIMIT_MS = 600_000;
const route = 'test';
/** Nothing waits, and a round follows the other at once. */
const HASTY: Partial<ProverPace> = { headMs: 0, recheckMs: 0, roundMs: 0 };

let api: LocalApi;
let base: string;
/** View of each projection when the proof begins: the chain goes on meanwhile. */
let views: ReadonlyMap<string, ServedView>;

beforeAll(async () => {
  api = await openLocalApi({ traffic: 5, detects: true });
  const wait = { timeout: LIMIT_MS, interval: 100 };
  await vi.waitFor(() => expect(headOf(api.context)).toBeGreaterThan(5), wait);
  const states = () => PROJECTIONS.map(({ name }) => api.context.vector()[name as ProjectionName].state);
  await vi.waitFor(() => expect(states()).toEqual(PROJECTIONS.map(() => 'served')), wait);
  const vector = api.context.vector();
  views = new Map(PROJECTIONS.map(({ name }) => [name, vector[name as ProjectionName] as ServedView]));
  base = vector.base.state === 'off' ? '' : vector.base.database;
  await api.control.setTraffic(0);
}, LIMIT_MS);
afterAll(() => api?.close(), LIMIT_MS);

/** A prover whose statements are counted. */
function openProver(pace: Partial<ProverPace> = {}) {
  const counted = { statements: 0 };
  const client: StoreClient = {
    ...api.client,
    queryRows: (sql, options) => {
      counted.statements++;
      return api.client.queryRows(sql, options);
    },
  };
  const { identity, context } = api;
  const records = new ProofRecords(api.client, identity.network);
  const view = (name: string) => views.get(name) ?? ({ state: 'off' } as const);
  const log = { debug() {}, ...context.log };
  return {
    counted,
    prover: new IntegrityProver({ client, identity, log, projections: PROJECTIONS, view, records }, pace),
  };
}

/** A turn that a busy store cut off is repeated, as in a server. */
async function untilRest(prover: IntegrityProver): Promise<number> {
  const turn = () =>
    prover.turn().catch((error: unknown) => {
      if (error instanceof StoreTimeoutError) return true;
      throw error;
    });
  let turns = 0;
  while (await turn()) turns++;
  return turns;
}

async function answerOf(prover: IntegrityProver) {
  const metrics = new Metrics();
  const context: ServeContext = {
    ...api.context,
    metrics,
    integrity: { proofs: () => prover.proofs, isStoreDamaged: () => false },
  };
  const app = await buildServer(context);
  const answers = await Promise.all(['/integrity', '/api/v3/integrity'].map((url) => app.inject(url)));
  await app.close();
  const [root, v3] = answers.map(({ payload }) => JSON.parse(payload) as IntegrityAnswer);
  expect(root).toEqual(v3);
  return { answer: root as IntegrityAnswer, metrics: await metrics.text() };
}

it(
  'proves every projection, sends no query when idle, and continues after a restart',
  async () => {
    const { prover, counted } = openProver();
    expect((await answerOf(prover)).answer).toMatchObject({ state: 'proving', problems: 0 });
    expect(await untilRest(prover)).toBeGreaterThan(PROJECTIONS.length);
    const { answer, metrics } = await answerOf(prover);
    expect(answer).toMatchObject({ state: 'whole', problems: 0 });
    expect(answer.projections.map(({ projection }) => projection)).toEqual(
      PROJECTIONS.map(({ name }) => name),
    );
    for (const { visible, proven, unproven_steps, problems } of answer.projections) {
      expect(proven).toEqual([visible]);
      expect({ unproven_steps, problems }).toEqual({ unproven_steps: 0, problems: [] });
    }
    expect(answer.projections[0]).toMatchObject({ account_parts: 64, account_parts_proven: 64 });
    expect(metrics).toMatch(/^tonhouse_integrity_problems\{projection="base"\} 0$/m);
    expect(metrics).toMatch(/^tonhouse_integrity_unproven_steps\{projection="base"\} 0$/m);

    const before = counted.statements;
    for (let look = 0; look < 100; look++) expect(await prover.turn()).toBe(false);
    expect(counted.statements).toBe(before);

    const next = openProver({ startMs: 3_600_000 });
    next.prover.start();
    await expect
      .poll(async () => (await answerOf(next.prover)).answer, { timeout: LIMIT_MS })
      .toEqual(answer);
    await next.prover.close();
    expect(next.counted.statements).toBe(0);
  },
  LIMIT_MS,
);

it(
  'reports a lost row and its place, until it is restored',
  async () => {
    const { prover } = openProver(HASTY);
    const { rows } = await api.client.queryRows<[number]>(
      `SELECT max(mc_seqno) FROM ${base}.blocks_by_id WHERE mc_seqno <= ${lastOf('base')} AND workchain = 0`,
      { route },
    );
    const lost = rows[0]?.[0] as number;
    const where = `mc_seqno = ${lost} AND workchain = 0`;
    await api.client.command(
      `CREATE TABLE ${base}.kept ENGINE = Memory AS SELECT * FROM ${base}.blocks_by_id WHERE ${where}`,
      { route },
    );
    await api.client.command(`DELETE FROM ${base}.blocks_by_id WHERE ${where}`, {
      route,
      settings: { lightweight_deletes_sync: 2 },
    });
    const turnUntil = async (isFound: boolean) => {
      const hasFound = () => prover.proofs.some(({ state }) => state.findings.length > 0);
      const deadline = Date.now() + LIMIT_MS;
      while (hasFound() !== isFound && Date.now() < deadline) await prover.turn();
    };
    await turnUntil(true);
    const { answer, metrics } = await answerOf(prover);
    expect(answer.state).toBe('damaged');
    const [proof] = answer.projections;
    expect(proof?.problems.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['step-rows', 'block-indexes']),
    );
    for (const { steps } of proof?.problems ?? []) {
      expect(steps?.first).toBeLessThanOrEqual(lost);
      expect(steps?.last).toBeGreaterThanOrEqual(lost);
    }
    expect(proof?.problems.flatMap(({ samples }) => samples).join()).toContain(
      `masterchain ${lost}: blocks_by_id`,
    );
    expect(metrics).toMatch(/^tonhouse_integrity_problems\{projection="base"\} [1-9]/m);
    expect(api.logged.join()).toContain('rows of the store are missing or altered');

    await api.client.command(`INSERT INTO ${base}.blocks_by_id SELECT * FROM ${base}.kept`, { route });
    await api.client.command(`DROP TABLE ${base}.kept SYNC`, { route });
    await turnUntil(false);
    expect((await answerOf(prover)).answer.problems).toBe(0);
  },
  LIMIT_MS,
);

function lastOf(projection: string): number {
  const view = views.get(projection);
  return view?.state === 'served' ? view.visible.last : 0;
}
