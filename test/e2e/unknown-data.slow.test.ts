/** What an index does not have is never answered as a "no": real accounts whose masters, collections and libraries it lacks. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Address, beginCell, Cell, storeAccount } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildServer } from '../../src/api/serve-stage.ts';
import { chainPort } from '../../src/cli/compose/chain-port.ts';
import { parseStartLts } from '../../src/ton/decode/start-lts.ts';
import { TvmPool } from '../../src/tvm/pool/tvm-pool.ts';
import { type IndexedStore, openIndexedStore } from '../helpers/indexed-store.ts';
import { describeWithData } from '../helpers/shared-data.ts';

const UNSEEN = `0:${'9'.repeat(64)}`;
/** Accounts of wallets of USDT: their code is a library cell, their master is not among the accounts. */
const USDT_WALLETS = ['6f10ffef', 'bf80a94d'];
const LOST = new Address(0, Buffer.alloc(32, 0x31));
const LOST_CODE = beginCell().storeUint(2, 8).storeBuffer(Buffer.alloc(32, 0xab)).endCell({ exotic: true });

/** The Account cell of a file, which may be a ShardAccount. */
function accountOf(bytes: Buffer): Cell {
  const [root] = Cell.fromBoc(bytes);
  const slice = root!.beginParse();
  return slice.remainingBits === 320 && slice.remainingRefs === 1 ? slice.loadRef() : root!;
}

function accountWith(addr: Address, code: Cell): Uint8Array {
  const account = {
    addr,
    storageStats: { used: { cells: 1n, bits: 1n }, lastPaid: 0, duePayment: null, storageExtra: null },
    storage: {
      lastTransLt: 1n,
      balance: { coins: 1_000_000_000n },
      state: { type: 'active' as const, state: { code, data: Cell.EMPTY } },
    },
  };
  return new Uint8Array(beginCell().storeBit(true).store(storeAccount(account)).endCell().toBoc());
}

describeWithData('an index without the states from before its first block', (data) => {
  const pool = new TvmPool({ threads: 1, timeoutMs: 10_000 });
  let store: IndexedStore;
  let app: FastifyInstance;
  const accounts = new Map<string, string>();
  beforeAll(async () => {
    const files = readdirSync(join(data, 'accounts')).filter((name) => name.endsWith('.boc'));
    const cells = files.map((name) => accountOf(readFileSync(join(data, 'accounts', name))));
    for (const [i, name] of files.entries()) {
      const slice = cells[i]!.beginParse();
      if (slice.loadBit()) accounts.set(name.slice(0, 8), slice.loadAddress().toRawString());
    }
    store = await openIndexedStore({
      folders: [join(data, 'blocks/mainnet-genesis-0001')],
      states: [-1, 0].map((chain) => join(data, `accounts/states/mainnet_zerostate_${chain}.boc`)),
      accounts: [
        ...cells.filter((cell) => cell.bits.at(0)).map((cell) => new Uint8Array(cell.toBoc())),
        accountWith(LOST, LOST_CODE),
      ],
    });
    app = await serve({ isolated: true });
  }, 300_000);
  afterAll(async () => {
    await app?.close();
    await pool.close();
    await store?.close();
  });

  function serve(network: Partial<IndexedStore['context']['network']>): Promise<FastifyInstance> {
    const { context } = store;
    return buildServer({
      ...context,
      chain: chainPort(null, pool),
      network: { ...context.network, ...network },
    });
  }
  const get = async (path: string, from = app) => {
    const reply = await from.inject({ url: `/api/${path}` });
    return { status: reply.statusCode, ...(reply.json() as { result?: object; error?: string }) };
  };
  const post = async (path: string, payload: object) => {
    const reply = await app.inject({ method: 'POST', url: `/api/${path}`, payload });
    return { status: reply.statusCode, ...(reply.json() as { result?: object; error?: string }) };
  };
  const notReady = (what: string) => ({
    status: 500,
    error: expect.stringMatching(new RegExp(`^LITE_SERVER_NOTREADY: .*${what}`, 'i')),
  });

  it('getTokenData returns the master of a wallet whose library code is part of the product', async () => {
    for (const name of USDT_WALLETS) {
      const { status, error } = await get(`v2/getTokenData?address=${accounts.get(name)}`);
      expect([name, status, error]).toEqual([
        name,
        500,
        expect.stringMatching(/^LITE_SERVER_NOTREADY: account 0:[0-9A-F]{64} is not in this index$/),
      ]);
      expect(error).not.toContain(accounts.get(name)!.toUpperCase());
    }
  });

  it('getTokenData of a real account is data, an honest no, or names what is missing', async () => {
    const wrong: string[] = [];
    for (const [name, address] of accounts) {
      const { status, error = '' } = await get(`v2/getTokenData?address=${address}`);
      const isNamed = /^LITE_SERVER_NOTREADY: .*[0-9a-f]{64}/i.test(error);
      if (status !== 200 && status !== 409 && !isNamed) wrong.push(`${name} ${status} ${error}`);
    }
    expect(wrong).toEqual([]);
  });

  it('names a library that the index has not seen', async () => {
    const address = LOST.toRawString();
    const library = 'ab'.repeat(32);
    expect(await get(`v2/getTokenData?address=${address}`)).toMatchObject(notReady(library));
    const call = { address, method: 'get_jetton_data', stack: [] };
    expect(await post('v2/runGetMethod', call)).toMatchObject(notReady(library));
    expect(await post('v3/runGetMethod', call)).toMatchObject(notReady(library));
    expect(await get(`v2/dnsResolve?address=${address}&name=a`)).toMatchObject(notReady(library));
    const body = beginCell().endCell().toBoc().toString('base64');
    const base64 = Buffer.from(library, 'hex').toString('base64').replaceAll('+', '\\+');
    expect(await post('v2/estimateFee', { address, body })).toMatchObject(notReady(base64));
  });

  it('an account that was never seen is not ready, wherever it is asked for', async () => {
    for (const method of [
      'getWalletInformation',
      'getAddressInformation',
      'getExtendedAddressInformation',
      'getAddressBalance',
      'getAddressState',
      'getTokenData',
      'getShardAccountCell',
      'dnsResolve',
    ])
      expect([method, await get(`v2/${method}?address=${UNSEEN}`)]).toMatchObject([method, notReady(UNSEEN)]);
    for (const path of ['addressInformation', 'walletInformation'])
      expect(await get(`v3/${path}?address=${UNSEEN}`)).toMatchObject(notReady(UNSEEN));
    const call = { address: UNSEEN, method: 'seqno', stack: [] };
    for (const version of ['v2', 'v3'])
      expect(await post(`${version}/runGetMethod`, call)).toMatchObject(notReady(UNSEEN));
    const body = beginCell().endCell().toBoc().toString('base64');
    for (const version of ['v2', 'v3'])
      expect(await post(`${version}/estimateFee`, { address: UNSEEN, body })).toMatchObject(notReady(UNSEEN));
  });

  it('it does not exist if the index has the states of its shard from before the first block', async () => {
    const own = await serve({ starts: parseStartLts('0:8000000000000000=5') });
    const other = await serve({ starts: parseStartLts('0:4000000000000000=5') });
    const complete = await serve({});
    const path = `v2/getAddressState?address=${UNSEEN}`;
    expect(await get(path, own)).toMatchObject(notReady(UNSEEN));
    for (const server of [other, complete])
      expect(await get(path, server)).toMatchObject({ status: 200, result: 'uninitialized' });
    expect(await get(`v2/getTokenData?address=${UNSEEN}`, complete)).toMatchObject({ status: 409 });
    for (const server of [own, other, complete]) await server.close();
  });
});
