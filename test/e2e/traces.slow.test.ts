import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROJECTIONS } from '../../pipelines/projections.ts';
import { TRACES } from '../../pipelines/traces.ts';
import { buildServer } from '../../src/api/serve-stage.ts';
import type { TraceAnswer, TraceNodeAnswer } from '../../src/api/v3/schemas/trace.ts';
import type { TransactionAnswer } from '../../src/api/v3/schemas/transaction.ts';
import { buildVector } from '../../src/cli/compose/serving.ts';
import { ServedProjections } from '../../src/engine/versions/served-projections.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { toBase64 } from '../../src/ton/hash/base64.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { indexInProcess } from '../helpers/index-in-process.ts';
import { SeededRandom } from '../helpers/seeded-random.ts';
import { DEFAULT_SERVE_SETTINGS } from '../helpers/serve-settings.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { everyTraceRequest, randomTraceRequest } from '../helpers/trace-requests.ts';
import { type TrueTrace, traceTruth } from '../helpers/trace-truth.ts';

const base64 = (hex: string) => toBase64(Buffer.from(hex, 'hex'));
const NONE = '0'.repeat(64);

/** Facts of a trace in the tables of `base`, as an answer shows them. */
const shown = (trace: TrueTrace) => ({
  trace_id: base64(trace.trace_id),
  external_hash: trace.external_hash === NONE ? null : base64(trace.external_hash),
  mc_seqno_start: `${trace.mc_seqno_start}`,
  mc_seqno_end: `${trace.mc_seqno_end}`,
  start_lt: trace.start_lt,
  start_utime: trace.start_utime,
  end_lt: trace.end_lt,
  end_utime: trace.end_utime,
  trace_info: {
    trace_state: trace.state,
    messages: trace.messages,
    transactions: trace.transactions,
    pending_messages: trace.pending_messages,
    classification_state: 'unclassified',
  },
  is_incomplete: false,
});

/** By end, newest first, as lists are. */
const byEnd = (a: TrueTrace, b: TrueTrace) =>
  Number(BigInt(b.end_lt) - BigInt(a.end_lt)) || (a.trace_id < b.trace_id ? 1 : -1);

const headOf = ({ trace, transactions, transactions_order, ...head }: TraceAnswer) => head;
const size = ({ children }: TraceNodeAnswer): number =>
  1 + (children ?? []).reduce((sum, child) => sum + size(child), 0);

describeWithData('traces', (data) => {
  let server: TestServer;
  let app: FastifyInstance;
  let truth: readonly TrueTrace[];
  const shutdown = new Shutdown();

  beforeAll(async () => {
    server = await startTestServer();
    const { identity, database } = await indexInProcess(server.client, {
      source: `files:${data}/blocks/mainnet-genesis-0001`,
      network: 'mainnet',
    });
    truth = (await traceTruth(server.client, database)).toSorted(byEnd);
    const log = { debug() {}, info() {}, warn() {}, error: console.error };
    const served = await ServedProjections.start({ client: server.reader, identity }, PROJECTIONS, {
      log,
      shutdown,
      signal: shutdown.signal,
    });
    app = await buildServer({
      client: server.reader,
      vector: () => buildVector(served),
      network: { label: 'mainnet', testnet: false, zerostate: null, isolated: false },
      settings: { ...DEFAULT_SERVE_SETTINGS, queryTimeoutMs: 30_000 },
      log,
      health: async () => ({ deadLetters: 0 }),
    });
    expect(getDatabase(identity, TRACES)).toContain('traces');
  }, 600_000);
  afterAll(async () => {
    await app?.close();
    await shutdown.close(() => {});
    await server?.stop();
  });

  async function ask(query: string): Promise<readonly TraceAnswer[]> {
    const reply = await app.inject(`/api/v3/traces?${query}`);
    expect([reply.statusCode, reply.statusCode === 200 ? '' : reply.body]).toEqual([200, '']);
    return (reply.json() as { traces: TraceAnswer[] }).traces;
  }
  const idsOf = (traces: readonly TraceAnswer[]) => traces.map(({ trace_id: id }) => id);
  const wanted = (traces: readonly TrueTrace[]) => traces.map(({ trace_id: id }) => base64(id));

  it('are listed by their end, whole or in pages, in both directions', async () => {
    const all = await ask('limit=1000');
    expect(all.map(headOf)).toEqual(truth.slice(0, 1000).map(shown));
    expect(idsOf(await ask('limit=7&offset=30'))).toEqual(wanted(truth.slice(30, 37)));
    expect(idsOf(await ask('limit=9&offset=5&sort=asc'))).toEqual(wanted(truth.toReversed().slice(5, 14)));
  });

  it('contain their transactions, each once, and the tree of them', async () => {
    const traces = await ask('limit=1000');
    expect(Math.max(...traces.map(({ trace_info: info }) => info.transactions))).toBeGreaterThan(2);
    for (const { trace, transactions = {}, transactions_order: order = [], ...head } of traces) {
      expect(Object.keys(transactions).toSorted()).toEqual(order.toSorted());
      expect(order[0]).toBe(head.trace_id);
      expect(size(trace as TraceNodeAnswer)).toBe(head.trace_info.transactions);
      for (const one of Object.values(transactions)) expect(one.trace_id).toBe(head.trace_id);
    }
  });

  it('are found by id, transaction, message, account, block, time and lt', async () => {
    const traces = await ask('limit=1000');
    const large = traces.find(({ trace_info: info }) => info.transactions > 2) as TraceAnswer;
    const id = encodeURIComponent(large.trace_id as string);
    expect(await ask(`trace_id=${id}`)).toEqual([large]);
    const last = large.transactions?.[large.transactions_order?.at(-1) as string] as TransactionAnswer;
    expect(await ask(`tx_hash=${encodeURIComponent(last.hash)}`)).toEqual([large]);
    expect(await ask(`msg_hash=${encodeURIComponent(last.in_msg?.hash as string)}`)).toEqual([large]);
    const own = traces.filter(({ transactions = {} }) =>
      Object.values(transactions).some(({ account }) => account === last.account),
    );
    expect(idsOf(await ask(`account=${last.account}&limit=1000`))).toEqual(idsOf(own));
    expect(idsOf(await ask(`account=${last.account}&limit=2&offset=1&sort=asc`))).toEqual(
      idsOf(own.toReversed().slice(1, 3)),
    );
    const seqno = Number(large.mc_seqno_end);
    const ended = truth.filter(({ state, mc_seqno_end: end }) => state === 'complete' && end === seqno);
    expect(idsOf(await ask(`mc_seqno=${seqno}&limit=1000`))).toEqual(wanted(ended));
    const [low, high] = [truth[40] as TrueTrace, truth[10] as TrueTrace];
    const between = truth.slice(10, 41);
    expect(idsOf(await ask(`start_lt=${low.end_lt}&end_lt=${high.end_lt}&limit=1000`))).toEqual(
      wanted(between),
    );
    const utimes = truth.filter(({ end_utime: at }) => at >= low.end_utime && at <= high.end_utime);
    const found = await ask(`start_utime=${low.end_utime}&end_utime=${high.end_utime}&limit=1000`);
    expect(idsOf(found).toSorted()).toEqual(wanted(utimes).toSorted());
    expect(await ask(`trace_id=${'7'.repeat(64)}`)).toEqual([]);
  });

  it('are found by any filters together as by looking through all of them', {
    timeout: 600_000,
  }, async () => {
    const all = [...(await ask('limit=1000')), ...(await ask('limit=1000&offset=1000'))];
    expect(all).toHaveLength(truth.length);
    const random = new SeededRandom(18);
    let found = 0;
    for (let left = 60; left > 0; left--) {
      const { query, chosen } = randomTraceRequest(all, random);
      const expected = idsOf(chosen);
      expect(idsOf(await ask(query)), query).toEqual(expected);
      found += expected.length;
    }
    expect(found).toBeGreaterThan(60);
  });

  it('are found by each filter, and by each together with an account, under both names', {
    timeout: 600_000,
  }, async () => {
    const all = [...(await ask('limit=1000')), ...(await ask('limit=1000&offset=1000'))];
    const random = new SeededRandom(72);
    let found = 0;
    for (let left = 2; left > 0; left--)
      for (const { query, chosen } of everyTraceRequest(all, random)) {
        expect(await ask(query), query).toEqual(chosen);
        const { events } = (await app.inject(`/api/v3/events?${query}`)).json() as { events: TraceAnswer[] };
        expect(idsOf(events), query).toEqual(idsOf(chosen));
        found += chosen.length;
      }
    expect(found).toBeGreaterThan(30);
    const one = all.find(({ trace_info: info }) => info.transactions > 1)!;
    const [first] = Object.values(one.transactions!);
    const names = [
      `account=${first!.account}`,
      ...[`trace_id`, 'tx_hash', 'msg_hash'].map((name) => `${name}=${encodeURIComponent(first!.hash)}`),
    ];
    for (const a of names)
      for (const b of names.filter((name) => name !== a)) {
        const reply = await app.inject(`/api/v3/traces?${a}&${b}`);
        expect([a, b, reply.statusCode, reply.json().error]).toEqual([
          a,
          b,
          422,
          'only one of account, trace_id, tx_hash, msg_hash should be specified',
        ]);
      }
  });

  it('have the answers of the contract for what cannot be', async () => {
    const status = async (query: string) => {
      const reply = await app.inject(`/api/v3/traces?${query}`);
      return [reply.statusCode, reply.json().error];
    };
    const hash = '7'.repeat(64);
    expect(await status(`trace_id=${hash}&tx_hash=${hash}`)).toEqual([
      422,
      'only one of account, trace_id, tx_hash, msg_hash should be specified',
    ]);
    expect(await status('mc_seqno=99999')).toEqual([404, 'masterchain block 99999 not found']);
    const events = (await app.inject('/api/v3/events?limit=2')).json();
    expect(events.events.map(({ actions }: TraceAnswer) => actions)).toEqual([[], []]);
  });

  it('are named by every transaction', async () => {
    const reply = await app.inject('/api/v3/transactions?limit=1000');
    expect(reply.headers['x-tonhouse-versions']).toMatch(/^base=\d+, traces=1, contracts=1$/);
    const traceOf = new Map<string, TraceAnswer>();
    for (const trace of await ask('limit=1000'))
      for (const hash of trace.transactions_order ?? []) traceOf.set(hash, trace);
    const { transactions } = reply.json() as { transactions: TransactionAnswer[] };
    expect(transactions.length).toBeGreaterThan(900);
    for (const one of transactions) {
      const trace = traceOf.get(one.hash);
      if (trace) expect(one.trace_id).toBe(trace.trace_id);
      expect(one.trace_id).toBeDefined();
      if (trace) expect(one.trace_external_hash ?? null).toBe(trace.external_hash);
    }
  });
});
