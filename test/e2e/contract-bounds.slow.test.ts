/** Hostile get methods against the API over a local chain: each is answered or refused, and the next honest call works. */
import { request as httpRequest } from 'node:http';
import { Address, beginCell, type Cell, contractAddress, internal, SendMode, toNano } from '@ton/core';
import { TonClient, WalletContractV4 } from '@ton/ton';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';

/** Contracts whose get methods, of any name, do one thing; messages they take and do nothing: SETCP0 IFNOTRET … */
const CODES = {
  /** Leaves the arguments. */
  same: '',
  /** PUSHINT 511, PUSHCONT { DUP }, REPEAT */
  copies: '8101ff9120e4',
  /** PUSHNULL, PUSHINT 30, PUSHCONT { DUP PAIR }, REPEAT */
  pairs: '6d801e93206f02e4',
  /** PUSHCONT {}, AGAIN: until its gas is gone. */
  loop: '90ea',
};
type Name = keyof typeof CODES;

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly bytes: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of both APIs, looked into by the tests
  readonly json: any;
}

describe('bounds of contracts', { timeout: 600_000 }, () => {
  let api: LocalApi;
  const addresses = new Map<Name, string>();

  beforeAll(async () => {
    api = await openLocalApi();
    const client = new TonClient({ endpoint: `${api.url}/api/v2/jsonRPC` });
    const { publicKey, secretKey } = api.control.info.faucet;
    const wallet = client.open(
      WalletContractV4.create({ workchain: 0, publicKey: Buffer.from(publicKey, 'hex') }),
    );
    const messages = (Object.keys(CODES) as Name[]).map((name) => {
      const code = beginCell()
        .storeBuffer(Buffer.from(`ff00dd${CODES[name]}`, 'hex'))
        .endCell();
      const init = { code, data: beginCell().endCell() };
      const to = contractAddress(0, init);
      addresses.set(name, to.toRawString());
      return internal({ to, value: toNano('1'), bounce: false, init });
    });
    const seqno = await wallet.getSeqno();
    await wallet.sendTransfer({
      seqno,
      secretKey: Buffer.from(secretKey, 'hex'),
      messages,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
    });
    for (const address of addresses.values())
      while (!(await client.isContractDeployed(Address.parse(address))))
        await new Promise((resolve) => setTimeout(resolve, 50));
  }, 600_000);
  afterAll(() => api?.close());

  const legacy = (name: Name, stack: unknown[] = [], from?: From) =>
    post(`${api.url}/api/v2/runGetMethod`, { address: addresses.get(name), method: 'any', stack }, from);
  const v3 = (name: Name, stack: unknown[] = [], from?: From) =>
    post(`${api.url}/api/v3/runGetMethod`, { address: addresses.get(name), method: 'any', stack }, from);
  const rpc = (name: Name, from?: From) => {
    const params = { address: addresses.get(name), method: 'any', stack: [] };
    return post(
      `${api.url}/api/v2/jsonRPC`,
      { jsonrpc: '2.0', id: '7', method: 'runGetMethod', params },
      from,
    );
  };
  const honest = async (from?: From) => {
    const { status, json } = await legacy('same', [['num', '5']], from);
    expect(status, JSON.stringify(json)).toBe(200);
    expect(json.result).toMatchObject({ exit_code: 0, stack: [['num', '0x5']] });
  };

  it('accepts deep cells as arguments, refuses deeper ones, and keeps running', async () => {
    for (const [depth, status] of [
      [350, 200],
      [440, 200],
      [900, 200],
      [1_000, 422],
      [1_023, 422],
    ] as const) {
      const value = text(snake(depth));
      const [a, b] = [
        await legacy('same', [['tvm.Cell', value]]),
        await v3('same', [{ type: 'cell', value }]),
      ];
      expect([a.status, b.status], `${depth}: ${a.json.error} ${b.json.error}`).toEqual([status, status]);
      if (status === 200) expect(a.json.result.stack[0][1].bytes).toBe(b.json.stack[0].value);
      await honest();
    }
    const body = text(snake(900));
    const fees = await post(`${api.url}/api/v3/estimateFee`, { address: addresses.get('same'), body });
    expect(fees.status).toBe(200);
    await honest();
  });

  it('answers one cell in many entries within bounds, in every form', async () => {
    const [small, large] = [text(snake(20)), text(bush(5))];
    const few = await legacy('copies', [['cell', small]]);
    expect(few.json.result.stack).toHaveLength(512);
    expect(
      new Set(few.json.result.stack.map((entry: [string, { bytes: string }]) => entry[1].bytes)).size,
    ).toBe(1);
    for (const many of [
      await legacy('copies', [['cell', large]]),
      await v3('copies', [{ type: 'cell', value: large }]),
    ]) {
      expect(many.status).toBe(500);
      expect(many.json.error).toContain('Result stack > 8388608 bytes');
      expect(many.bytes).toBeLessThan(1_000);
    }
    await honest();
  });

  it('cuts off a result that doubles thirty times', async () => {
    const [a, b] = await Promise.all([legacy('pairs'), v3('pairs')]);
    for (const { status, json, bytes } of [a, b]) {
      expect([500, 504]).toContain(status);
      expect(json.error).toEqual(expect.any(String));
      expect(bytes).toBeLessThan(1_000);
    }
    await honest();
  });

  it('refuses what finds no room with 503, and drops the calls of those that left', async () => {
    const left = new AbortController();
    const calls = Array.from({ length: 150 }, (_, at) => {
      const from = { signal: left.signal };
      return (
        at % 3 === 0 ? legacy('loop', [], from) : at % 3 === 1 ? v3('loop', [], from) : rpc('loop', from)
      )
        .then((answer) => ({ at, answer }))
        .catch(() => null);
    });
    const early = new Map<number, Answer>();
    for (const call of calls)
      void call.then((found) => found?.answer.status === 503 && early.set(found.at, found.answer));
    while (early.size < 15) await new Promise((resolve) => setTimeout(resolve, 10));
    for (const [at, { json, retryAfter }] of early) {
      expect(Number(retryAfter)).toBeGreaterThan(0);
      const error = 'TVM: too many calls wait for a thread';
      if (at % 3 === 0) expect(json).toMatchObject({ ok: false, code: 503, error });
      else if (at % 3 === 1) expect(json).toEqual({ code: 503, error });
      else expect(json).toMatchObject({ ok: false, code: 503, error, jsonrpc: '2.0', id: '7' });
    }
    left.abort();
    await honest();
    // A hundred and more were in the queue, one thread for them: most were never run.
    const answered = (await Promise.all(calls)).filter((found) => found?.answer.status === 200);
    expect(answered.length).toBeLessThan(75);
  });

  it('lets another client have its turn while one floods', async () => {
    let done = 0;
    const left = new AbortController();
    const flood = Array.from({ length: 60 }, () =>
      v3('loop', [], { signal: left.signal })
        .then(() => done++)
        .catch(() => null),
    );
    while (done === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    for (let i = 0; i < 5; i++) await honest({ localAddress: '127.0.0.2' });
    expect(done).toBeLessThan(55);
    left.abort();
    await Promise.all(flood);
    await honest();
  });
});

interface From {
  readonly localAddress?: string;
  readonly signal?: AbortSignal;
}

/** One request on a connection of its own. */
function post(url: string, body: object, from: From = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = { 'content-type': 'application/json' };
  const request = httpRequest(url, { method: 'POST', headers, agent: false, ...from }, (response) => {
    const parts: Buffer[] = [];
    response.on('error', reject).on('data', (part: Buffer) => parts.push(part));
    response.on('end', () => {
      const bytes = Buffer.concat(parts);
      const retryAfter = response.headers['retry-after'];
      resolve({
        status: response.statusCode!,
        retryAfter,
        bytes: bytes.length,
        json: JSON.parse(bytes.toString()),
      });
    });
  });
  request.on('error', reject).end(JSON.stringify(body));
  return promise;
}

function snake(depth: number): Cell {
  let cell = beginCell().storeUint(1, 8).endCell();
  for (let at = 0; at < depth; at++) cell = beginCell().storeUint(at, 16).storeRef(cell).endCell();
  return cell;
}

/** A tree of four branches each, all its leaves different: about 130 KB at a height of five. */
function bush(height: number, at = 1): Cell {
  const builder = beginCell().storeUint(at, 32).storeUint(0, 700);
  for (let branch = 0; height > 0 && branch < 4; branch++)
    builder.storeRef(bush(height - 1, at * 4 + branch));
  return builder.endCell();
}

function text(cell: Cell): string {
  return cell.toBoc({ idx: false }).toString('base64');
}
