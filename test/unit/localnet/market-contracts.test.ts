import { Address, beginCell, Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readSaleData, type SaleData } from '../../../src/api/chain/tokens/sale-data.ts';
import type { Engine } from '../../../src/localnet/engine/engine.ts';
import { genesisTokens } from '../../../src/localnet/genesis/genesis-contracts.ts';
import { genesisWallets } from '../../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../../src/localnet/localnet-source.ts';
import { readOwner } from '../../../src/localnet/traffic/free-items.ts';
import { Traffic } from '../../../src/localnet/traffic/traffic.ts';
import { trafficKinds } from '../../../src/localnet/traffic/traffic-kinds.ts';
import { writeBag } from '../../../src/ton/cell/write-bag.ts';
import { readContract } from '../../../src/ton/contracts/contract-layouts.ts';
import type { AccountAddress } from '../../../src/ton/store/store-address.ts';
import { askContract, librariesOf, runContract } from '../../helpers/ask-contract.ts';
import { core, get, settleChain, startedChain } from './act-on-chain.ts';

const { faucet, traffic: wallets } = genesisWallets('test', LOCALNET_GLOBAL_ID);
const tokens = genesisTokens({ seed: 'test', globalId: LOCALNET_GLOBAL_ID, faucet: faucet.address });

/** Sends about `transactions` of a kind of traffic, and makes blocks until all is done. */
async function trade(engine: Engine, name: string, transactions: number): Promise<void> {
  const kinds = trafficKinds(tokens).filter((kind) => kind.name === name);
  const account = (address: AccountAddress) => engine.entry(address);
  const { utime } = engine.account(faucet.address);
  for (const { cell } of new Traffic(name, wallets, kinds).messages(transactions, utime, account))
    expect(engine.send(writeBag(cell))).toMatchObject({ ok: true });
  expect(new Set(await settleChain(engine))).toEqual(new Set(['ok']));
}

/** What the layout of the code reads from a contract's data, and what its get methods return. */
async function readBoth(engine: Engine, account: AccountAddress) {
  const [code, data] = Cell.fromBase64(engine.account(account).shardAccount!).refs[0]!.refs;
  const hash = { hash: code!.hash(), depth: code!.depth() };
  const found = readContract({ account, code: hash, data: data!.toBoc() })!;
  const libraries = librariesOf([beginCell().endCell()]);
  const contract = { code: code!, data: data!, address: core(account), libraries };
  const detected = await readSaleData(
    async (method) => {
      const { exitCode, stack } = runContract(contract, method);
      return exitCode === 0 ? stack : null;
    },
    found.kind as SaleData['kind'],
  );
  const { owner, parent, details } = found;
  return { found: { kind: found.kind, owner, parent, details }, detected, contract };
}

/** Sales and auctions that own items now. */
function listings(engine: Engine): AccountAddress[] {
  const owners = tokens.traded.map(({ address }) => readOwner(engine.entry(address))!);
  return owners.filter((owner) => !wallets.some(({ address }) => core(address).equals(core(owner))));
}

describe('market contracts of localnet', () => {
  it('of a sale: data and get methods agree, before and after the purchase', async () => {
    const engine = await startedChain();
    await trade(engine, 'NFT offer', 8);
    const [sale] = listings(engine);
    for (const isComplete of [false, true]) {
      if (isComplete) await trade(engine, 'NFT purchase', 8);
      const { found, detected } = await readBoth(engine, sale!);
      expect(found).toMatchObject({ kind: 'nft_sale', details: { is_complete: isComplete } });
      expect(detected).toEqual(found);
    }
    expect(listings(engine)).toEqual([]);
  });

  it('of an auction: data and get methods agree, without and with a bid', async () => {
    const engine = await startedChain();
    await trade(engine, 'NFT auction', 8);
    const [auction] = listings(engine);
    const before = await readBoth(engine, auction!);
    expect(before.found).toMatchObject({ kind: 'nft_auction', details: { last_member: null } });
    expect(before.detected).toEqual(before.found);
    await trade(engine, 'auction bid', 3);
    const after = await readBoth(engine, auction!);
    expect(after.found.details.last_member).toBeTypeOf('string');
    const { min_bid: next, ...details } = after.detected.details;
    // With a bid, the get method returns the least next bid, and the data contain no such field.
    expect(details).toEqual(after.found.details);
    expect(BigInt(String(next))).toBe((BigInt(String(details.last_bid)) * 105n + 99n) / 100n);
  });

  it('of a username: data and get methods agree, without and with an auction', async () => {
    const engine = await startedChain();
    const { collection, items } = tokens.usernames;
    const inAuction = () =>
      items.filter(({ address }) => Number(readState(engine, address).details.end_time) > 0);
    expect(inAuction()).toEqual([]);
    await trade(engine, 'username auction', 3);
    await trade(engine, 'username bid', 3);
    for (const { address } of [items[0]!, ...inAuction()]) {
      const { found, detected, contract } = await readBoth(engine, address);
      expect(found.kind).toBe('teleitem');
      // The data contain the records of the name too.
      expect(found).toMatchObject(detected);
      const [, index] = askContract(contract, 'get_nft_data') as [unknown, { value: bigint }];
      const item = get(engine, collection.address, 'get_nft_address_by_index', [
        { type: 'int', value: index.value },
      ]);
      expect(item.readAddress().equals(new Address(0, Buffer.from(address.address)))).toBe(true);
    }
  });

  it('of a pool: its get methods return what a swap then does', async () => {
    const engine = await startedChain();
    const { pool } = tokens.exchange;
    const reserves = () => {
      const stack = get(engine, pool.address, 'get_reserves');
      return [stack.readBigNumber(), stack.readBigNumber()] as const;
    };
    const [ton, jettons] = reserves();
    const native = { type: 'slice', cell: beginCell().storeUint(0, 4).endCell() } as const;
    await trade(engine, 'swap TON', 8);
    const paid = reserves()[0] - ton;
    expect(paid).toBeGreaterThan(0n);
    const fresh = await startedChain();
    const estimate = get(fresh, pool.address, 'estimate_swap_out', [native, { type: 'int', value: paid }]);
    expect(estimate.readCell().bits.length).toBe(4 + 8 + 256);
    expect(estimate.readBigNumber()).toBe(jettons - reserves()[1]);
    expect(estimate.readBigNumber()).toBe((paid * 3n) / 1000n);
  });
});

function readState(engine: Engine, account: AccountAddress) {
  const [code, data] = Cell.fromBase64(engine.account(account).shardAccount!).refs[0]!.refs;
  const hash = { hash: code!.hash(), depth: code!.depth() };
  return readContract({ account, code: hash, data: data!.toBoc() })!;
}
