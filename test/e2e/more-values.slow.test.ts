/**
 * Contracts whose get methods return more values than their standard (v3-rules.md 6): v2 and v3 use the first values. Compiled
 * from test/fixtures/more-values and deployed on a local chain.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Address, beginCell, Cell, contractAddress, internal, SendMode, toNano } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { runTolkCompiler } from '@ton/tolk-js';
import { TonClient, WalletContractV4 } from '@ton/ton';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildServer } from '../../src/api/serve-stage.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures/more-values');
const WAIT = { timeout: 240_000, interval: 300 };
const raw = (address: Address) => address.toRawString().toUpperCase();

async function compile(name: string): Promise<Cell> {
  const result = await runTolkCompiler({
    entrypointFileName: `${name}.tolk`,
    fsReadCallback: (path) => readFileSync(resolve(FIXTURES, path), 'utf8'),
  });
  if (result.status === 'error') throw new Error(`${name}.tolk: ${result.message}`);
  return Cell.fromBase64(result.codeBoc64);
}

describe('get methods that return more values than their standard', { timeout: 600_000 }, () => {
  let api: LocalApi;
  let app: FastifyInstance;
  let parent: Address;
  let child: Address;
  beforeAll(async () => {
    api = await openLocalApi({ detects: true });
    const [parentCode, childCode] = await Promise.all([compile('parent'), compile('child')]);
    const parentInit = { code: parentCode!, data: childCode! };
    parent = contractAddress(0, parentInit);
    const childInit = {
      code: childCode!,
      data: beginCell().storeUint(5, 64).storeAddress(parent).endCell(),
    };
    child = contractAddress(0, childInit);
    await deploy([parentInit, childInit]);
    app = await buildServer(api.context);
    const found = async () => {
      const { jetton_wallets: wallets } = await get(`v3/jetton/wallets?address=${child}`);
      expect(wallets).toHaveLength(1);
      const { records } = await get('v3/dns/records?domain=more.ton');
      expect(records).toHaveLength(1);
    };
    await vi.waitFor(found, WAIT);
  }, 600_000);
  afterAll(async () => {
    await app?.close();
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  async function deploy(inits: readonly { readonly code: Cell; readonly data: Cell }[]): Promise<void> {
    const client = new TonClient({ endpoint: `${api.url}/api/v2/jsonRPC`, timeout: 30_000 });
    const seed = Buffer.from(api.control.info.faucet.secretKey.slice(0, 64), 'hex');
    const { publicKey, secretKey } = keyPairFromSeed(seed);
    const faucet = client.open(WalletContractV4.create({ workchain: 0, publicKey }));
    const seqno = await faucet.getSeqno();
    const messages = inits.map((init) =>
      internal({ to: contractAddress(0, init), value: toNano('1'), init, bounce: false }),
    );
    await faucet.sendTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY });
    await vi.waitFor(async () => {
      for (const init of inits) expect(await client.isContractDeployed(contractAddress(0, init))).toBe(true);
    }, WAIT);
  }

  const get = async (path: string) => (await app.inject({ url: `/api/${path}` })).json();

  it('v3 lists the master and its wallet, the collection and its item', async () => {
    const { jetton_masters: masters } = await get(`v3/jetton/masters?address=${parent}`);
    expect(masters).toMatchObject([
      { address: raw(parent), total_supply: '777', jetton_content: { uri: 'http://more' } },
    ]);
    const { jetton_wallets: wallets } = await get(`v3/jetton/wallets?jetton_address=${parent}`);
    expect(wallets).toMatchObject([{ address: raw(child), balance: '55', owner: raw(parent) }]);
    const { nft_collections: collections } = await get(`v3/nft/collections?collection_address=${parent}`);
    expect(collections).toMatchObject([{ address: raw(parent), next_item_index: '9' }]);
    const { nft_items: items } = await get(`v3/nft/items?collection_address=${parent}`);
    expect(items).toMatchObject([
      { address: raw(child), index: '5', collection_address: raw(parent), init: true },
    ]);
  });

  it('v3 lists the sale, the auction and the item that sells itself', async () => {
    const { nft_sales: sales } = await get(`v3/nft/sales?address=${child}`);
    expect(sales.map(({ type }: { type: string }) => type).toSorted()).toEqual([
      'getgems_auction',
      'getgems_sale',
      'telemint',
    ]);
    expect(sales).toContainEqual(
      expect.objectContaining({
        type: 'getgems_auction',
        details: expect.objectContaining({ last_bid: '55', max_bid: '2000' }),
      }),
    );
  });

  it('v3 lists the multisig, its order and the name', async () => {
    const { multisigs } = await get(`v3/multisig/wallets?address=${parent}`);
    expect(multisigs).toMatchObject([{ address: raw(parent), threshold: 2, signers: [raw(parent)] }]);
    const { orders } = await get(`v3/multisig/orders?multisig_address=${parent}`);
    expect(orders).toMatchObject([{ address: raw(child), order_seqno: '5' }]);
    const { records } = await get('v3/dns/records?domain=more.ton');
    expect(records).toMatchObject([{ nft_item_address: raw(child), domain: 'more.ton' }]);
  });

  it('v2 returns the same values', async () => {
    const master = await get(`v2/getTokenData?address=${parent}`);
    expect(master.result).toMatchObject({ contract_type: 'jetton_master', total_supply: '777' });
    const wallet = await get(`v2/getTokenData?address=${child}`);
    expect(wallet.result).toMatchObject({
      contract_type: 'jetton_wallet',
      balance: '55',
      mintless_is_claimed: true,
    });
  });
});
