import { beginCell, type TupleItem } from '@ton/core';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/localnet/engine/engine.ts';
import { genesisTokens } from '../../../src/localnet/genesis/genesis-contracts.ts';
import { jettonWalletAddress } from '../../../src/localnet/genesis/genesis-jetton.ts';
import { genesisWallets } from '../../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../../src/localnet/localnet-source.ts';
import type { AccountAddress } from '../../../src/ton/store/store-address.ts';
import { mintBody } from '../../helpers/mint-body.ts';
import { addressItem, core, get, sendFrom, startedChain } from './act-on-chain.ts';

const { faucet, wallets } = genesisWallets('test', LOCALNET_GLOBAL_ID);
const context = { seed: 'test', globalId: LOCALNET_GLOBAL_ID, faucet: faucet.address };
const { jetton, nfts } = genesisTokens(context);
const [minter, collection] = [jetton.minter.address, nfts.collection.address];
const friend = wallets[0]!.address;
const TON = 1_000_000_000n;
const COIN = 1_000_000_000n;
/** Jettons of the faucet, the wallets of traffic and the pool. */
const SUPPLY = (1_000_000_000n + 32n * 1_000_000n + 10_000_000n) * COIN;

const jettonsOf = (engine: Engine, owner: AccountAddress) =>
  get(engine, jettonWalletAddress(minter, owner), 'get_wallet_data').readBigNumber();

const sendJettons = (amount: bigint, to: AccountAddress) =>
  beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(7, 64)
    .storeCoins(amount)
    .storeAddress(core(to))
    .storeAddress(core(faucet.address))
    .storeMaybeRef(null)
    .storeCoins(TON / 100n)
    .storeBit(false)
    .endCell();

describe('contracts of genesis', () => {
  it('answer the get methods of jettons', async () => {
    const engine = await startedChain();
    const data = get(engine, minter, 'get_jetton_data');
    expect([data.readBigNumber(), data.readBoolean()]).toEqual([SUPPLY, true]);
    expect(data.readAddress().equals(core(faucet.address))).toBe(true);
    expect(data.readCell().beginParse().loadUint(8)).toBe(0);
    const wallet = get(engine, minter, 'get_wallet_address', [addressItem(faucet.address)]).readAddress();
    expect(wallet.equals(core(jetton.wallets[0]!.address))).toBe(true);
    expect(jettonsOf(engine, faucet.address)).toBe(1_000_000_000n * COIN);
  });

  it('move, mint and burn jettons, refuse too much, and return the address of a wallet', async () => {
    const engine = await startedChain();
    const from = jettonWalletAddress(minter, faucet.address);
    expect(await sendFrom(engine, faucet, from, sendJettons(5n * COIN, friend))).toEqual([
      'ok',
      'ok',
      'ok',
      'ok',
      'ok',
    ]);
    expect(jettonsOf(engine, friend)).toBe(5n * COIN);
    expect(jettonsOf(engine, faucet.address)).toBe(999_999_995n * COIN);
    expect(await sendFrom(engine, faucet, from, sendJettons(10n ** 30n, friend))).toContain(
      'exit 706, bounced',
    );
    expect(await sendFrom(engine, faucet, from, sendJettons(COIN, friend), TON / 100n)).toContain(
      'exit 709, bounced',
    );
    const burn = beginCell().storeUint(0x595f07bc, 32).storeUint(8, 64).storeCoins(COIN);
    await sendFrom(
      engine,
      faucet,
      from,
      burn.storeAddress(core(faucet.address)).storeMaybeRef(null).endCell(),
    );
    expect(get(engine, minter, 'get_jetton_data').readBigNumber()).toBe(SUPPLY - COIN);
    await sendFrom(engine, faucet, minter, mintBody(core(friend), 2n * COIN, { value: TON / 20n }));
    expect(jettonsOf(engine, friend)).toBe(7n * COIN);
    const provide = beginCell().storeUint(0x2c76b973, 32).storeUint(1, 64).storeAddress(core(friend));
    expect(await sendFrom(engine, faucet, minter, provide.storeBit(true).endCell())).toEqual([
      'ok',
      'ok',
      'ok',
    ]);
  });

  it('answer the get methods of NFTs and hand them on', async () => {
    const engine = await startedChain();
    const [item] = nfts.items;
    const info = get(engine, collection, 'get_collection_data');
    expect(info.readBigNumber()).toBe(35n);
    const index: TupleItem = { type: 'int', value: 0n };
    const address = get(engine, collection, 'get_nft_address_by_index', [index]).readAddress();
    expect(address.equals(core(item!.address))).toBe(true);
    const royalty = get(engine, collection, 'royalty_params');
    expect([royalty.readNumber(), royalty.readNumber()]).toEqual([5, 100]);
    const transfer = beginCell().storeUint(0x5fcc3d14, 32).storeUint(3, 64).storeAddress(core(friend));
    transfer
      .storeAddress(core(faucet.address))
      .storeMaybeRef(null)
      .storeCoins(TON / 100n)
      .storeBit(false);
    expect(await sendFrom(engine, faucet, item!.address, transfer.endCell())).toEqual([
      'ok',
      'ok',
      'ok',
      'ok',
    ]);
    const data = get(engine, item!.address, 'get_nft_data');
    expect([data.readBoolean(), data.readBigNumber()]).toEqual([true, 0n]);
    expect(data.readAddress().equals(core(collection))).toBe(true);
    expect(data.readAddress().equals(core(friend))).toBe(true);
    expect(await sendFrom(engine, faucet, item!.address, transfer.endCell())).toContain('exit 401, bounced');
    const statics = beginCell().storeUint(0x2fcb26a2, 32).storeUint(4, 64).endCell();
    expect(await sendFrom(engine, faucet, item!.address, statics)).toEqual(['ok', 'ok', 'ok']);
  });
});
