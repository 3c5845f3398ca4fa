import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Address, beginCell, contractAddress, internal, SendMode, toNano } from '@ton/core';
import { TonClient, WalletContractV2R1, WalletContractV4 } from '@ton/ton';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newKey } from '../../src/api/keys/api-key.ts';
import { KeyRing } from '../../src/api/keys/key-ring.ts';
import type { ServeContext } from '../../src/api/serve-context.ts';
import { type Serving, startServing } from '../../src/api/serve-stage.ts';
import { createStoreClient } from '../../src/platform/clickhouse/client.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';
import { openSocket } from '../helpers/stream-client.ts';
import { baseVector } from '../helpers/version-vector.ts';
import { errorPattern, isTold, namesIn, streamErrors, type V2ErrorRow, v2Errors } from './contract-errors.ts';
import {
  A,
  type ChainContracts,
  EMULATION_ON_CHAIN,
  FRAMES,
  type Request,
  subscription,
  TOO_MANY_STREAMS,
  V2_OF_SERVERS,
  V2_ON_CHAIN,
  V3_ON_CHAIN,
} from './contract-requests.ts';

/*
 * Errors of the contract that need accounts and a chain, keys, a failing store, or a WebSocket: each is requested over
 * a local chain, or from a server in that state.
 */

/** SETCP0 IFNOTRET, then PUSHNULL, PUSHINT 300, PUSHCONT { SINGLE } REPEAT. */
const DEEP_CODE = 'ff00dd6d81012c926f01e4';

describe('errors of the contract, of servers as they run', () => {
  let api: LocalApi;
  let contracts: ChainContracts;
  const servers: Serving[] = [];

  beforeAll(async () => {
    api = await openLocalApi();
    contracts = await deploy(api);
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    await api?.close();
  });

  async function ask(base: string, request: Request, url = api.url) {
    const [path, body] = typeof request === 'string' ? [request, null] : request;
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(
      `${url}/api/${base}/${path}`,
      body === null ? {} : { method: 'POST', headers, body: JSON.stringify(body) },
    );
    const json = (await reply.json()) as { code?: number; error?: string; ok?: boolean };
    return { status: reply.status, json };
  }

  const textOf = (error: string) => [Number(error.slice(0, 3)), error.slice(4)] as const;

  it.each(Object.entries(V3_ON_CHAIN))('of v3: %s', async (error, requestsOf) => {
    const [status, text] = textOf(error);
    for (const request of requestsOf(contracts))
      expect(await ask('v3', request)).toEqual({
        status,
        json: { code: status, error: expect.stringMatching(errorPattern(text)) },
      });
  });

  it.each(Object.entries(EMULATION_ON_CHAIN))('of the emulation: %s', async (error, requestsOf) => {
    const [status, text] = textOf(error);
    for (const request of requestsOf(contracts))
      expect(await ask('emulate', request)).toEqual({
        status,
        json: expect.objectContaining({ error: expect.stringMatching(errorPattern(text)) }),
      });
  });

  /** Expects the answer that a row of the contract states. */
  function expectRow({ status, texts }: V2ErrorRow, answer: Awaited<ReturnType<typeof ask>>): void {
    expect(answer).toEqual({
      status,
      json: expect.objectContaining({ ok: false, code: status, error: expect.stringMatching(/./) }),
    });
    expect(answer.json).not.toHaveProperty('result');
    const { error = '' } = answer.json;
    const isOne = texts.length === 0 || texts.some((text) => isTold(text, error) || error.includes(text));
    expect([error, isOne]).toEqual([error, true]);
  }
  const rowOf = (name: string) => v2Errors().find(({ condition }) => namesIn([name], condition).length > 0)!;

  it.each(Object.entries(V2_ON_CHAIN))('of v2: %s', async (name, requestsOf) => {
    for (const request of requestsOf(contracts)) expectRow(rowOf(name), await ask('v2', request));
  });

  async function serve(changes: Partial<ServeContext>): Promise<string> {
    const context = { ...api.context, log: { info() {}, warn() {}, error() {} }, ...changes };
    const server = await startServing(context, { host: '127.0.0.1', port: 0 });
    servers.push(server);
    return server.url;
  }

  const QUESTION = `getTransactions?address=${A}`;
  /** Servers, and the question that each answers with the error. */
  const OF_SERVERS: Readonly<Record<(typeof V2_OF_SERVERS)[number], () => ReturnType<typeof ask>>> = {
    'API key unknown': async () =>
      ask('v2', `${QUESTION}&api_key=${newKey('localnet').text}`, await withKeys()),
    'API key of another network': async () =>
      ask('v2', `${QUESTION}&api_key=${newKey('other').text}`, await withKeys()),
    'rate limit': async () => {
      const url = await withKeys();
      for (;;) {
        const answer = await ask('v2', QUESTION, url);
        if (answer.status !== 200) return answer;
      }
    },
    'node did not answer in time': async () => {
      const sockets = new Set<Socket>();
      const deaf = createServer((socket) => sockets.add(socket.on('error', () => {})));
      await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
      const client = createStoreClient({ url: `http://127.0.0.1:${(deaf.address() as AddressInfo).port}` });
      const settings = { ...api.context.settings, queryTimeoutMs: 300 };
      const answer = await ask('v2', QUESTION, await serve({ client, settings }));
      for (const socket of sockets) socket.destroy();
      await client.close();
      deaf.close();
      return answer;
    },
    'no node available': async () =>
      ask('v2', QUESTION, await serve({ client: createStoreClient({ url: 'http://127.0.0.1:1' }) })),
    // The tables that it is to be answered from are not there.
    'any other internal failure': async () =>
      ask('v2', QUESTION, await serve({ vector: () => baseVector('none_test', { first: 1, last: 9 }) })),
  };

  /** A server with limits whose ring of keys is empty. */
  async function withKeys(): Promise<string> {
    const keys = new KeyRing({ network: 'localnet', read: async () => [], log: { warn() {} } });
    await keys.start();
    keys.close();
    return serve({ keys, settings: { ...api.context.settings, keylessLimit: 1 } });
  }

  it.each(V2_OF_SERVERS)('of v2: %s', async (name) => {
    expectRow(rowOf(name), await OF_SERVERS[name]());
  });

  it('of frames, which leave the connection open', async () => {
    const words = new Set(streamErrors().map(({ socket }) => socket));
    const client = await openSocket(api.url);
    for (const [text, frames] of Object.entries(FRAMES)) {
      expect(words).toContain(text);
      for (const frame of frames) {
        const before = client.frames.length;
        client.send(frame);
        await expect.poll(() => client.frames.length).toBe(before + 1);
        expect([frame, client.frames[before]]).toEqual([
          frame,
          expect.objectContaining({ error: expect.stringMatching(errorPattern(text)) }),
        ]);
      }
    }
    client.send({ operation: 'ping', id: 'p' });
    expect(await client.until(({ status }) => status === 'pong')).toMatchObject({ id: 'p' });
    client.socket.close();
    await client.closed;
  });

  it('of streams beside as many as a client may have', async () => {
    const url = await serve({ settings: { ...api.context.settings, streamConnections: 1 } });
    const first = await openSocket(url);
    first.send({ operation: 'subscribe', ...subscription });
    await first.until(({ status }) => status === 'subscribed');
    const error = expect.stringMatching(errorPattern(TOO_MANY_STREAMS));
    const refused = await fetch(`${url}/api/streaming/v2/sse`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(subscription),
    });
    expect([refused.status, await refused.json()]).toEqual([429, { error }]);
    const second = await openSocket(url);
    await second.closed;
    expect(second.frames).toEqual([{ error }]);
    first.socket.close();
    await first.closed;
  });
});

/** Puts the contracts on the chain, from the faucet. */
async function deploy({ url, control }: LocalApi): Promise<ChainContracts> {
  const client = new TonClient({ endpoint: `${url}/api/v2/jsonRPC` });
  const { publicKey, secretKey } = control.info.faucet;
  const key = Buffer.from(publicKey, 'hex');
  const faucet = client.open(WalletContractV4.create({ workchain: 0, publicKey: key }));
  const deep = {
    code: beginCell().storeBuffer(Buffer.from(DEEP_CODE, 'hex')).endCell(),
    data: beginCell().endCell(),
  };
  const old = WalletContractV2R1.create({ workchain: 0, publicKey: key });
  const made = { deep: contractAddress(0, deep), oldWallet: old.address };
  await faucet.sendTransfer({
    seqno: await faucet.getSeqno(),
    secretKey: Buffer.from(secretKey, 'hex'),
    messages: [
      internal({ to: made.deep, value: toNano('1'), bounce: false, init: deep }),
      internal({ to: made.oldWallet, value: toNano('1'), bounce: false, init: old.init }),
    ],
    sendMode: SendMode.PAY_GAS_SEPARATELY,
  });
  const raw = { deep: made.deep.toRawString(), oldWallet: made.oldWallet.toRawString() };
  for (const address of Object.values(raw))
    while (!(await client.isContractDeployed(Address.parse(address))))
      await new Promise((resolve) => setTimeout(resolve, 50));
  return raw;
}
