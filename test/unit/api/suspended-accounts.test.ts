/** Accounts that the configuration stops, in both APIs: a list in a key block, made by hand. */
import { Address, beginCell, type Cell, Dictionary, storeAccount } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildServer } from '../../../src/api/serve-stage.ts';
import { type IndexedStore, openIndexedStore } from '../../helpers/indexed-store.ts';

const UNTIL = 1_800_000_000;
const raw = ([workchain, byte]: Account) =>
  `${workchain}:${byte.toString(16).padStart(2, '0').repeat(32)}`.toUpperCase();
type Account = readonly [workchain: number, byte: number];

const [STOPPED, OTHER, MASTER, UNSEEN] = [
  [0, 0x11],
  [0, 0x22],
  [-1, 0x11],
  [0, 0x44],
] as const satisfies readonly Account[];

/** Parameter 44. */
function listCell(): Cell {
  const none = { serialize: () => {}, parse: () => null };
  const stopped = Dictionary.empty(Dictionary.Keys.Buffer(36), none);
  for (const [workchain, byte] of [STOPPED, UNSEEN]) {
    const key = Buffer.alloc(36, byte);
    key.writeInt32BE(workchain);
    stopped.set(key, null);
  }
  return beginCell().storeUint(0, 8).storeDict(stopped).storeUint(UNTIL, 32).endCell();
}

function accountBag([workchain, byte]: Account): Uint8Array {
  const account = beginCell().storeBit(true);
  storeAccount({
    addr: new Address(workchain, Buffer.alloc(32, byte)),
    storageStats: { used: { cells: 1n, bits: 1n }, lastPaid: 1, duePayment: null, storageExtra: null },
    storage: { lastTransLt: 7n, balance: { coins: 5n }, state: { type: 'uninit' } },
  })(account);
  return account.endCell().toBoc();
}

let store: IndexedStore;
let app: FastifyInstance;
beforeAll(async () => {
  const seen = [STOPPED, OTHER, MASTER].map((account) => accountBag(account));
  store = await openIndexedStore({
    folders: [],
    accounts: seen,
    visible: { first: 0, last: 3 },
  });
  const insert = (text: string) =>
    store.client.command(`INSERT INTO ${store.database}.${text}`, { route: 'test' });
  const times = [UNTIL - 2, UNTIL - 1, UNTIL, UNTIL - 1];
  const keys = [0, 1, 3];
  const blocks = times.map((time, seqno) => {
    const previous = keys.findLast((key) => key < seqno) ?? 0;
    return `(${seqno}, -1, 9223372036854775808, ${seqno}, ${time}, ${keys.includes(seqno)}, ${previous})`;
  });
  await insert(
    `land_blocks (mc_seqno, workchain, shard, seqno, gen_utime, key_block, prev_key_block_seqno) VALUES ${blocks}`,
  );
  // The key block of step 3 has no list any more.
  const [list, set] = [listCell(), beginCell().endCell()];
  const param = (seqno: number, name: number, cell: Cell) =>
    `(${seqno}, ${name}, base64Decode('${cell.hash().toString('base64')}'), base64Decode('${cell.toBoc().toString('base64')}'))`;
  await insert(
    `land_config_params (mc_seqno, param, hash, boc) VALUES ${[param(1, 34, set), param(1, 44, list), param(3, 34, set)]}`,
  );
  app = await buildServer(store.context);
}, 300_000);
afterAll(async () => {
  await app?.close();
  await store?.close();
  expect(store?.logged).toEqual([]);
});

async function get(path: string) {
  const reply = await app.inject(`/api/${path}`);
  expect([path, reply.statusCode], reply.body).toEqual([path, 200]);
  return reply.json();
}

it.each([
  [0, false],
  [1, true],
  [2, false],
  [3, false],
])('at masterchain block %i the listed accounts are suspended: %s', async (last, isListed) => {
  store.show({ first: 0, last });
  for (const [account, expected] of [
    [STOPPED, isListed],
    [UNSEEN, isListed],
    [OTHER, false],
    [MASTER, false],
  ] as const)
    for (const path of ['addressInformation', 'walletInformation'])
      expect([path, account, await get(`v3/${path}?address=${raw(account)}`)]).toEqual([
        path,
        account,
        expect.objectContaining({ suspended: expected }),
      ]);
  const named = [STOPPED, OTHER, MASTER].map(raw);
  const { accounts } = await get(`v3/accountStates?address=${named.join()}`);
  const { wallets } = await get(`v3/walletStates?address=${named.join()}`);
  for (const rows of [accounts, wallets] as { address: string; suspended: unknown }[][])
    expect(new Map(rows.map(({ address, suspended }) => [address, suspended]))).toEqual(
      new Map(named.map((address) => [address, address === raw(STOPPED) && isListed])),
    );
});

it('v2 returns it as of the requested block', async () => {
  store.show({ first: 0, last: 3 });
  for (const [account, seqno, expected] of [
    [STOPPED, '&seqno=1', true],
    [STOPPED, '&seqno=2', false],
    [STOPPED, '&seqno=3', false],
    [STOPPED, '', false],
    [UNSEEN, '&seqno=1', true],
    [OTHER, '&seqno=1', false],
  ] as const) {
    const { result } = await get(`v2/getAddressInformation?address=${raw(account)}${seqno}`);
    expect([seqno, result.suspended]).toEqual([seqno, expected]);
  }
});
