import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Address, beginCell, Cell, parseTuple, serializeTuple, type TupleItem, TupleReader } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { describe, expect, it } from 'vitest';
import { DEX_PAIR_CODE } from '../../../../../src/stages/capture/localnet/contracts/dex-pair-code.ts';
import { JETTON_MINTER_CODE } from '../../../../../src/stages/capture/localnet/contracts/jetton-minter-code.ts';
import { JETTON_WALLET_CODE } from '../../../../../src/stages/capture/localnet/contracts/jetton-wallet-code.ts';
import { NFT_COLLECTION_CODE } from '../../../../../src/stages/capture/localnet/contracts/nft-collection-code.ts';
import { NFT_ITEM_CODE } from '../../../../../src/stages/capture/localnet/contracts/nft-item-code.ts';
import { NFT_SALE_CODE } from '../../../../../src/stages/capture/localnet/contracts/nft-sale-code.ts';
import type { Engine } from '../../../../../src/stages/capture/localnet/engine/engine.ts';
import { genesisTokens } from '../../../../../src/stages/capture/localnet/genesis/genesis-contracts.ts';
import { jettonWalletAddress } from '../../../../../src/stages/capture/localnet/genesis/genesis-jetton.ts';
import { genesisWallets } from '../../../../../src/stages/capture/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../../../../src/stages/capture/localnet/localnet-source.ts';
import { walletMessage } from '../../../../../src/stages/capture/localnet/wallets/transfer.ts';
import { readCell } from '../../../../../src/ton/build/cells-of-bag.ts';
import { writeBag } from '../../../../../src/ton/build/write-bag.ts';
import type { AccountAddress } from '../../../../../src/ton/store/store-address.ts';
import { Emulator } from '../../../../../src/ton/tvm/emulator.ts';
import { methodId } from '../../../../../src/ton/tvm/get-method.ts';
import { GENESIS_UTIME, makeSteps, openEngine } from './local-engine.ts';
import { loadTransactions, outcomeOf } from './read-transactions.ts';

const CONTRACTS = resolve(import.meta.dirname, '../../../../../src/stages/capture/localnet/contracts');
const { faucet, wallets } = genesisWallets('test', LOCALNET_GLOBAL_ID);
const context = { seed: 'test', globalId: LOCALNET_GLOBAL_ID, faucet: faucet.address };
const { jetton, nfts } = genesisTokens(context);
const [minter, collection] = [jetton.minter.address, nfts.collection.address];
const friend = wallets[0]!.address;
const TON = 1_000_000_000n;
const COIN = 1_000_000_000n;
/** Of the faucet, the wallets of traffic and the pair. */
const SUPPLY = (1_000_000_000n + 32n * 1_000_000n + 10_000_000n) * COIN;
const TVM = await Emulator.create();

const core = ({ workchain, address }: AccountAddress) => new Address(workchain, Buffer.from(address));
const addressItem = (address: AccountAddress): TupleItem => ({
  type: 'slice',
  cell: beginCell().storeAddress(core(address)).endCell(),
});

/** Runs a get method on an account as the newest block left it. */
function get(engine: Engine, address: AccountAddress, name: string, args: TupleItem[] = []): TupleReader {
  const { shardAccount, config, utime } = engine.account(address);
  const state = Cell.fromBase64(shardAccount!).refs[0]!;
  const [code, data] = state.refs;
  const result = TVM.runGetMethod({
    code: code!.toBoc().toString('base64'),
    data: data!.toBoc().toString('base64'),
    methodId: methodId(name),
    stack: serializeTuple(args).toBoc().toString('base64'),
    config,
    address: core(address).toRawString(),
    now: utime,
    balance: TON,
    gasLimit: 1_000_000n,
    randomSeed: new Uint8Array(32),
    libraries: null,
    prevBlocks: null,
  });
  expect([name, result.exitCode]).toEqual([name, 0]);
  return new TupleReader(parseTuple(Cell.fromBase64(result.stack)));
}

const jettonsOf = (engine: Engine, owner: AccountAddress) =>
  get(engine, jettonWalletAddress(minter, owner), 'get_wallet_data').readBigNumber();

async function started(): Promise<Engine> {
  const engine = await openEngine({ shards: 2 });
  engine.resume(null);
  makeSteps(engine, 3);
  return engine;
}

/** Sends a body from the faucet and makes valid blocks until all came of it; the outcomes but ticks and tocks. */
function send(engine: Engine, seqno: number, to: AccountAddress, body: Cell, value = TON / 5n): string[] {
  const transfer = { to, value, bounce: true, body: readCell(body.toBoc()) };
  const message = walletMessage(faucet, [transfer], { seqno, validUntil: GENESIS_UTIME + 100_000 });
  expect(engine.send(writeBag(message))).toMatchObject({ ok: true });
  const blocks = makeSteps(engine, 6).flatMap((step) => step.blocks);
  const outcomes = blocks.flatMap(loadTransactions).map(outcomeOf);
  return outcomes.filter((outcome) => outcome !== 'tick' && outcome !== 'tock');
}

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
  it.each([
    ['jetton-minter', JETTON_MINTER_CODE],
    ['jetton-wallet', JETTON_WALLET_CODE],
    ['nft-collection', NFT_COLLECTION_CODE],
    ['nft-item', NFT_ITEM_CODE],
    ['dex-pair', DEX_PAIR_CODE],
    ['nft-sale', NFT_SALE_CODE],
  ])('have the code of %s as its source says', async (name, code) => {
    const result = await runTolkCompiler({
      entrypointFileName: `${name}.tolk`,
      fsReadCallback: (path) => readFileSync(join(CONTRACTS, path), 'utf8'),
    });
    if (result.status === 'error') throw new Error(result.message);
    expect(code).toBe(result.codeBoc64);
  });

  it('answer the get methods of jettons', async () => {
    const engine = await started();
    const data = get(engine, minter, 'get_jetton_data');
    expect([data.readBigNumber(), data.readBoolean()]).toEqual([SUPPLY, true]);
    expect(data.readAddress().equals(core(faucet.address))).toBe(true);
    expect(data.readCell().beginParse().loadUint(8)).toBe(0);
    const wallet = get(engine, minter, 'get_wallet_address', [addressItem(faucet.address)]).readAddress();
    expect(wallet.equals(core(jetton.wallets[0]!.address))).toBe(true);
    expect(jettonsOf(engine, faucet.address)).toBe(1_000_000_000n * COIN);
  });

  it('move, mint and burn jettons, refuse what is not there, and answer where a wallet is', async () => {
    const engine = await started();
    const from = jettonWalletAddress(minter, faucet.address);
    expect(send(engine, 0, from, sendJettons(5n * COIN, friend))).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
    expect(jettonsOf(engine, friend)).toBe(5n * COIN);
    expect(jettonsOf(engine, faucet.address)).toBe(999_999_995n * COIN);
    expect(send(engine, 1, from, sendJettons(10n ** 30n, friend))).toContain('exit 706, bounced');
    expect(send(engine, 2, from, sendJettons(COIN, friend), TON / 100n)).toContain('exit 709, bounced');
    const burn = beginCell().storeUint(0x595f07bc, 32).storeUint(8, 64).storeCoins(COIN);
    send(engine, 3, from, burn.storeAddress(core(faucet.address)).storeMaybeRef(null).endCell());
    expect(get(engine, minter, 'get_jetton_data').readBigNumber()).toBe(SUPPLY - COIN);
    const mint = beginCell().storeUint(0x15, 32).storeUint(9, 64).storeAddress(core(friend));
    send(
      engine,
      4,
      minter,
      mint
        .storeCoins(2n * COIN)
        .storeCoins(TON / 20n)
        .endCell(),
    );
    expect(jettonsOf(engine, friend)).toBe(7n * COIN);
    const provide = beginCell().storeUint(0x2c76b973, 32).storeUint(1, 64).storeAddress(core(friend));
    expect(send(engine, 5, minter, provide.storeBit(true).endCell())).toEqual(['ok', 'ok', 'ok']);
  });

  it('answer the get methods of NFTs and hand them on', async () => {
    const engine = await started();
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
    expect(send(engine, 0, item!.address, transfer.endCell())).toEqual(['ok', 'ok', 'ok', 'ok']);
    const data = get(engine, item!.address, 'get_nft_data');
    expect([data.readBoolean(), data.readBigNumber()]).toEqual([true, 0n]);
    expect(data.readAddress().equals(core(collection))).toBe(true);
    expect(data.readAddress().equals(core(friend))).toBe(true);
    expect(send(engine, 1, item!.address, transfer.endCell())).toContain('exit 401, bounced');
    const statics = beginCell().storeUint(0x2fcb26a2, 32).storeUint(4, 64).endCell();
    expect(send(engine, 2, item!.address, statics)).toEqual(['ok', 'ok', 'ok']);
  });
});
