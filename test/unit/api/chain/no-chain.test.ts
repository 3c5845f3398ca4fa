/** Answers of the methods that act on the chain without a chain, or if it refuses. */
import { Address, beginCell, type Cell, external, internal, storeMessage } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChainPort, SendOutcome } from '../../../../src/api/chain-port.ts';
import { buildServer } from '../../../../src/api/serve-stage.ts';
import { createStoreClient } from '../../../../src/platform/clickhouse/client.ts';
import { DEFAULT_SERVE_SETTINGS } from '../../../helpers/serve-settings.ts';
import { baseVector } from '../../../helpers/version-vector.ts';

const to = Address.parseRaw(`0:${'1'.repeat(64)}`);
const body = beginCell().storeUint(7, 32).endCell();
const base64 = (cell: Cell) => cell.toBoc().toString('base64');
const message = beginCell()
  .store(storeMessage(external({ to, body })))
  .endCell();
const inner = beginCell()
  .store(storeMessage({ ...external({ to, body }), info: internalInfo() }))
  .endCell();

function internalInfo() {
  const { info } = internal({ to, value: 1n, body });
  if (info.type !== 'internal') throw new Error('not internal');
  return { ...info, src: to };
}

const runner: ChainPort['runner'] = {
  runGetMethod: () => Promise.reject(new Error('nothing is to be run')),
  tryTransaction: () => Promise.reject(new Error('nothing is to be run')),
};
const outletThat = (outcome: SendOutcome): ChainPort => ({
  runner,
  outlet: { send: async () => outcome },
  states: null,
});
const refusal = (
  problem: 'boc' | 'known' | 'refused' | 'invalid' | 'not_ready',
  exitCode: number | null = null,
) => outletThat({ ok: false, problem, detail: 'why', exitCode });

describe('a server without a chain', () => {
  let app: FastifyInstance | undefined;
  afterEach(() => app?.close());

  async function serve(chain?: ChainPort): Promise<void> {
    await app?.close();
    const client = createStoreClient({ url: 'http://127.0.0.1:1' });
    const settings = DEFAULT_SERVE_SETTINGS;
    const network = { label: 'test', testnet: false, zerostate: null, isolated: false };
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const health = async () => ({ deadLetters: 0 });
    app = await buildServer({
      client,
      vector: () => baseVector('none_test', null),
      network,
      settings,
      log,
      chain,
      health,
    });
  }

  async function post(path: string, payload: object): Promise<{ status: number; error: string }> {
    const reply = await app!.inject({ method: 'POST', url: `/api/${path}`, payload });
    return { status: reply.statusCode, error: reply.json().error };
  }
  const send = (boc = base64(message)) => post('v2/sendBoc', { boc });

  it('takes no messages and runs nothing', async () => {
    await serve();
    const call = { address: to.toRawString(), method: 'seqno', stack: [] };
    const fee = { address: to.toRawString(), body: base64(body) };
    for (const [path, payload] of [
      ['v2/sendBoc', { boc: base64(message) }],
      ['v2/runGetMethod', call],
      ['v2/estimateFee', fee],
      ['v3/message', { boc: base64(message) }],
      ['v3/runGetMethod', call],
      ['v3/estimateFee', fee],
    ] as const) {
      const { status, error } = await post(path, payload);
      expect([path, status, error]).toEqual([
        path,
        542,
        'no workers available: this server runs no contracts',
      ]);
    }
  });

  it('reports it if only the source takes no messages', async () => {
    await serve({ runner, outlet: null, states: null });
    expect(await send()).toEqual({
      status: 542,
      error: 'no workers available: this source takes no messages',
    });
    // Nothing is indexed: there is no state to run on.
    const call = { address: to.toRawString(), method: 'seqno', stack: [] };
    expect(await post('v3/runGetMethod', call)).toMatchObject({
      status: 503,
      error: 'no blocks indexed yet',
    });
  });

  it('reports why a message was refused', async () => {
    const refused = 'LITE_SERVER_UNKNOWN: cannot apply external message to current state : why';
    await serve(refusal('refused', 33));
    expect(await send()).toEqual({ status: 500, error: `${refused}, exitcode=33` });
    await serve(refusal('invalid'));
    expect(await send()).toEqual({ status: 500, error: refused });
    await serve(refusal('boc'));
    expect(await send()).toEqual({ status: 400, error: 'INVALID_BAG_OF_CELLS: why' });
    await serve(refusal('not_ready'));
    expect(await send()).toEqual({ status: 503, error: 'LITE_SERVER_NOTREADY: why' });
    await serve(refusal('known'));
    expect((await send()).status).toBe(200);
  });

  it('checks a message before it is sent', async () => {
    await serve(outletThat({ ok: true }));
    expect(await send(base64(inner))).toMatchObject({
      status: 500,
      error: expect.stringMatching(/found internal$/),
    });
    expect(await send('AAAA')).toMatchObject({ status: 400 });
    expect(await send('!')).toEqual({ status: 422, error: 'failed to parse boc' });
    expect((await send()).status).toBe(200);
  });

  it('reads bodies of v3 as JSON and as forms', async () => {
    await serve(outletThat({ ok: true }));
    const type = (contentType: string, payload: string) =>
      app!.inject({
        method: 'POST',
        url: '/api/v3/message',
        payload,
        headers: { 'content-type': contentType },
      });
    const json = JSON.stringify({ boc: base64(message) });
    expect((await type('application/json', json)).statusCode).toBe(200);
    const form = new URLSearchParams({ boc: base64(message) }).toString();
    expect((await type('application/x-www-form-urlencoded', form)).statusCode).toBe(200);
    for (const [contentType, payload] of [
      ['application/json', '{'],
      ['application/json', '[]'],
      ['application/xml', '<a/>'],
      ['application/json', '{"boc":5}'],
    ] as const)
      expect((await type(contentType, payload)).json()).toMatchObject({ code: 422 });
  });
});
