import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ServeContext } from '../../src/api/serve-context.ts';
import { type Serving, startServing } from '../../src/api/serve-stage.ts';
import type { StreamingHealth } from '../../src/api/streaming/streaming-health.ts';
import { createStoreClient } from '../../src/platform/clickhouse/client.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';
import { openSse } from '../helpers/stream-client.ts';

/* Health of streams on a real chain: servers that see older versions of its projections, and one that sees all. */

const PARTS = ['ton-trace-emulator', 'event-classifier', 'ton-trace-ttl-tracker'];
const NEVER_USED = `0:${'0'.repeat(64)}`;

describe('health of streams', () => {
  let api: LocalApi;
  const servers: Serving[] = [];

  beforeAll(async () => {
    api = await openLocalApi();
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  afterAll(async () => {
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  async function healthAt(url: string) {
    const reply = await fetch(`${url}/api/streaming/healthz`);
    return { status: reply.status, ...((await reply.json()) as StreamingHealth) };
  }

  async function healthOf(changes: Partial<ServeContext>) {
    const server = await startServing({ ...api.context, ...changes }, { host: '127.0.0.1', port: 0 });
    servers.push(server);
    return healthAt(server.url);
  }

  /** Blocks that a server whose view is kept lacks, the newest of them a minute after the oldest. */
  async function letAMinutePass() {
    await api.control.mine();
    await api.control.warp(60);
    const last = await api.control.mine(2);
    await expect.poll(() => allReach(last)).toBe(true);
  }

  function allReach(seqno: number): boolean {
    const vector = api.context.vector();
    return (['base', 'traces', 'contracts'] as const).every((name) => {
      const view = vector[name];
      return view.state === 'served' && view.visible.last >= seqno;
    });
  }

  it('lists the parts of the contract, and the pending part once a client subscribes to it', async () => {
    // Projections make their first blocks visible one after the other.
    await expect.poll(async () => (await healthAt(api.url)).status).toBe(200);
    const idle = await healthAt(api.url);
    expect(idle).toMatchObject({ status: 200, ok: true });
    expect(Object.keys(idle.components)).toEqual(PARTS);
    expect(idle.components['ton-trace-ttl-tracker']).toEqual({ ok: true });
    for (const name of ['ton-trace-emulator', 'event-classifier'])
      expect(idle.components[name]).toEqual({
        ok: true,
        age_seconds: expect.any(Number),
        last_finalized_mc_block_time: expect.any(Number),
        finalized_age_seconds: expect.any(Number),
      });
    const stream = await openSse(api.url, {
      types: ['transactions'],
      addresses: [NEVER_USED],
      min_finality: 'pending',
    });
    const tracker = async () => (await healthAt(api.url)).components['ton-trace-ttl-tracker'];
    await expect
      .poll(tracker)
      .toEqual({ ok: true, age_seconds: expect.any(Number), last_heartbeat: expect.any(Number) });
    await stream.close();
  });

  it('names a bad part if a projection is more than 15 s behind the chain', async () => {
    const seen = await api.control.mine();
    await expect.poll(() => allReach(seen)).toBe(true);
    const { base, traces, contracts } = api.context.vector();
    if (traces.state !== 'served') throw new Error(`traces are ${traces.state}`);
    await letAMinutePass();
    const { vector } = api.context;

    const late = await healthOf({ vector: () => ({ ...vector(), traces }) });
    expect(late).toMatchObject({ status: 503, ok: false });
    const { 'ton-trace-emulator': emulator, 'event-classifier': classifier } = late.components;
    expect(emulator).toMatchObject({ ok: false, error: expect.stringMatching(/nothing new for \d+ s$/) });
    expect(emulator!.age_seconds).toBeGreaterThanOrEqual(60);
    expect(classifier).toMatchObject({ ok: false });
    const blocks = await fetch(`${api.url}/api/v3/blocks?workchain=-1&seqno=${traces.visible.last}`);
    const [block] = ((await blocks.json()) as { blocks: { gen_utime: string }[] }).blocks;
    expect(`${emulator!.last_finalized_mc_block_time}`).toBe(block!.gen_utime);

    const half = await healthOf({ vector: () => ({ ...vector(), contracts }) });
    expect(half).toMatchObject({
      status: 503,
      components: { 'ton-trace-emulator': { ok: true }, 'event-classifier': { ok: false } },
    });

    // The whole index behind its source.
    const behind = await healthOf({ vector: () => ({ ...vector(), base, traces, contracts }) });
    expect(behind.components['ton-trace-emulator']).toMatchObject({ ok: false });
    // The same index without newer blocks: it is complete.
    const ended = await healthOf({
      vector: () => ({ ...vector(), base, traces, contracts }),
      chain: { ...api.context.chain!, states: null },
    });
    expect(ended).toMatchObject({ status: 200, components: { 'ton-trace-emulator': { age_seconds: 0 } } });
    expect((await healthAt(api.url)).status).toBe(200);
  });

  it('lists no part that the server does not have, and has the reason why one is missing', async () => {
    const { vector, chain } = api.context;
    const { pending: _, ...finalOnly } = chain!;
    const few = await healthOf({
      vector: () => ({ ...vector(), contracts: { state: 'off' } }),
      chain: finalOnly,
    });
    expect([few.status, Object.keys(few.components)]).toEqual([200, ['ton-trace-emulator']]);

    const building = await healthOf({
      vector: () => ({ ...vector(), traces: { state: 'building', version: 9, database: 'none_test' } }),
    });
    const error = 'the projection traces is being built';
    expect(building).toMatchObject({
      status: 503,
      components: { 'ton-trace-emulator': { ok: false, error }, 'event-classifier': { ok: false, error } },
    });

    const log = { info() {}, warn() {}, error() {} };
    const away = await healthOf({ client: createStoreClient({ url: 'http://127.0.0.1:1' }), log });
    expect(away).toMatchObject({
      status: 503,
      components: { 'ton-trace-emulator': { ok: false, error: 'the store is away' } },
    });
  });
});
