import { createHash } from 'node:crypto';
import {
  type Address,
  beginCell,
  type Cell,
  comment,
  Dictionary,
  internal,
  storeMessageRelaxed,
} from '@ton/core';
import { describe, expect, it } from 'vitest';
import {
  genesisContracts,
  HIGHLOAD_KEY,
  namedContracts,
} from '../../../src/localnet/genesis/genesis-contracts.ts';
import { HIGHLOAD } from '../../../src/localnet/genesis/genesis-highload.ts';
import { genesisWallets } from '../../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../../src/localnet/localnet-source.ts';
import { deriveKey } from '../../../src/localnet/wallets/key-pair.ts';
import { readCell } from '../../../src/ton/cell/cells-of-bag.ts';
import { writeBag } from '../../../src/ton/cell/write-bag.ts';
import { externalMessage } from '../../../src/ton/messages/external-message.ts';
import type { AccountAddress } from '../../../src/ton/store/store-address.ts';
import { addressItem, core, get, sendFrom, settleChain, startedChain } from './act-on-chain.ts';
import { GENESIS_UTIME } from './engine-test-options.ts';
import { makeSteps } from './local-engine.ts';

const { faucet, wallets } = genesisWallets('test', LOCALNET_GLOBAL_ID);
const [first, second, alice] = wallets as [(typeof wallets)[0], (typeof wallets)[0], (typeof wallets)[0]];
const context = {
  seed: 'test',
  globalId: LOCALNET_GLOBAL_ID,
  faucet: faucet.address,
  utime: GENESIS_UTIME,
};
const addressOf = (name: string): AccountAddress =>
  namedContracts(context).find((named) => named.name === name)!.contract.address;
const TON = 1_000_000_000n;
const COLD: AccountAddress = { workchain: 0, address: new Uint8Array(32).fill(0xc0) };

const key = (name: string) => BigInt(`0x${createHash('sha256').update(name).digest('hex')}`);
const op = (opcode: number) => beginCell().storeUint(opcode, 32).storeUint(7, 64);
const transferTo = (to: AccountAddress, value: bigint, body?: Cell) =>
  beginCell()
    .store(storeMessageRelaxed(internal({ to: core(to), value, bounce: false, ...(body && { body }) })))
    .endCell();
const same = (found: Address | null, expected: AccountAddress) =>
  expect(found?.toRawString()).toBe(core(expected).toRawString());

describe('example contracts of localnet', () => {
  it('SBT: stays with its owner, proves itself, is revoked once, can be destroyed', async () => {
    const engine = await startedChain();
    const sbt = addressOf('SBT');
    const data = get(engine, sbt, 'get_nft_data');
    expect([data.readBoolean(), data.readNumber(), data.readAddressOpt()]).toEqual([true, 0, null]);
    same(data.readAddress(), alice.address);
    same(get(engine, sbt, 'get_authority_address').readAddress(), faucet.address);
    const transfer = op(0x5fcc3d14).storeAddress(core(COLD)).endCell();
    expect(await sendFrom(engine, alice, sbt, transfer)).toContain('exit 413, bounced');
    const prove = op(0x04ded148).storeAddress(core(first.address)).storeRef(comment('hi')).storeBit(true);
    expect(await sendFrom(engine, alice, sbt, prove.endCell())).toEqual(['ok', 'ok', 'ok']);
    expect(await sendFrom(engine, first, sbt, prove.endCell())).toContain('exit 401, bounced');
    expect(get(engine, sbt, 'get_revoked_time').readNumber()).toBe(0);
    await sendFrom(engine, faucet, sbt, op(0x6f89f5e3).endCell());
    expect(get(engine, sbt, 'get_revoked_time').readNumber()).toBeGreaterThan(GENESIS_UTIME);
    expect(await sendFrom(engine, faucet, sbt, op(0x6f89f5e3).endCell())).toContain('exit 403, bounced');
    expect(await sendFrom(engine, alice, sbt, op(0x1f04537a).endCell())).toEqual(['ok', 'ok', 'ok']);
    expect(get(engine, sbt, 'get_authority_address').readAddressOpt()).toBe(null);
  });

  it('DNS: resolves from the root down to a record, new names too', async () => {
    const engine = await startedChain();
    const { params } = genesisContracts(context);
    expect(params.map(({ param }) => param)).toEqual([4]);
    const [root, collection] = [addressOf('DNS root'), addressOf('DNS collection')];
    const resolve = (at: AccountAddress, name: string, category: bigint) => {
      const cell = beginCell().storeStringTail(name).endCell();
      const found = get(engine, at, 'dnsresolve', [
        { type: 'slice', cell },
        { type: 'int', value: category },
      ]);
      return { bits: found.readNumber(), cell: found.readCellOpt() };
    };
    const next = (cell: Cell | null): AccountAddress => {
      const slice = cell!.beginParse();
      expect(slice.loadUint(16)).toBe(0xba93);
      const { workChain, hash } = slice.loadAddress();
      return { workchain: workChain, address: hash };
    };
    const walletOf = (label: string) => {
      const top = resolve(root, `ton\0${label}\0`, key('wallet'));
      expect(top.bits).toBe(24);
      same(core(next(top.cell)), collection);
      const middle = resolve(collection, `\0${label}\0`, key('wallet'));
      expect(middle.bits).toBe(8 + 8 * label.length);
      return { item: next(middle.cell), record: () => resolve(next(middle.cell), '\0', key('wallet')) };
    };
    const record = walletOf('alice').record();
    const slice = record.cell!.beginParse();
    expect([record.bits, slice.loadUint(16)]).toEqual([8, 0x9fd3]);
    same(slice.loadAddress(), alice.address);
    expect(resolve(root, 'org\0alice\0', 0n)).toEqual({ bits: 0, cell: null });

    const label = beginCell().storeStringTail('bob').endCell();
    const register = op(0x5a0e0001)
      .storeCoins(TON / 10n)
      .storeAddress(core(first.address))
      .storeRef(label)
      .storeRef(beginCell().storeUint(0, 8).storeBit(false).endCell());
    expect(await sendFrom(engine, first, collection, register.endCell())).toContain('exit 401, bounced');
    await sendFrom(engine, faucet, collection, register.endCell(), TON);
    const bob = walletOf('bob');
    expect(bob.record().cell).toBe(null);
    const value = beginCell().storeUint(0x9fd3, 16).storeAddress(core(COLD)).storeUint(0, 8).endCell();
    const change = op(0x4eb1f0f9).storeUint(key('wallet'), 256).storeRef(value);
    await sendFrom(engine, first, bob.item, change.endCell());
    expect(bob.record().cell!.equals(value)).toBe(true);
    const data = get(engine, bob.item, 'get_nft_data');
    data.skip(2);
    same(data.readAddress(), collection);
    same(data.readAddress(), first.address);
  });

  it('multisig: does what two of four signers approve, and not before', async () => {
    const engine = await startedChain();
    const multisig = addressOf('multisig');
    const order = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Cell());
    const action = beginCell().storeUint(0xf1381e5b, 32).storeUint(1, 8);
    order.set(0, action.storeRef(transferTo(COLD, TON)).endCell());
    const make = (index: number) =>
      op(0xf718510f)
        .storeUint(0, 256)
        .storeBit(true)
        .storeUint(index, 8)
        .storeUint(GENESIS_UTIME + 100_000, 48)
        .storeRef(beginCell().storeDictDirect(order).endCell())
        .endCell();
    expect(await sendFrom(engine, alice, multisig, make(0))).toContain('exit 106, bounced');
    expect(await sendFrom(engine, first, multisig, make(0))).toEqual(['ok', 'ok', 'ok']);
    const named = get(engine, multisig, 'get_order_address', [{ type: 'int', value: 0n }]).readAddress();
    const address = { workchain: named.workChain, address: new Uint8Array(named.hash) };
    const approve = (index: number) => op(0xa762230f).storeUint(index, 8).endCell();
    await sendFrom(engine, first, address, approve(0));
    expect(engine.entry(COLD)).toBe(null);
    expect(await sendFrom(engine, second, address, approve(1))).not.toContain('exit 111, bounced');
    expect(engine.entry(COLD)!.balance.grams).toBe(TON);
    const data = get(engine, address, 'get_order_data');
    same(data.readAddress(), multisig);
    expect([data.readNumber(), data.readNumber(), data.readBoolean()]).toEqual([0, 2, true]);
    expect(get(engine, multisig, 'get_multisig_data').readNumber()).toBe(1);
  });

  it('vesting: pays out the unlocked amount, more over time, and everything to allowed receivers', async () => {
    const engine = await startedChain();
    const vesting = addressOf('vesting');
    const locked = () =>
      get(engine, vesting, 'get_locked_amount', [
        { type: 'int', value: BigInt(engine.status().utime) },
      ]).readBigNumber();
    const send = (to: AccountAddress, value: bigint) =>
      op(0xa7733acd).storeUint(3, 8).storeRef(transferTo(to, value)).endCell();
    expect(locked()).toBe(1_000n * TON);
    await sendFrom(engine, alice, vesting, send(COLD, 100n * TON));
    expect(engine.entry(COLD)).toBe(null);
    expect(await sendFrom(engine, first, vesting, send(COLD, TON))).toContain('exit 101, bounced');
    engine.warp(16 * 86_400);
    await makeSteps(engine, 1);
    expect(locked()).toBeLessThan(500n * TON);
    await sendFrom(engine, alice, vesting, send(COLD, 100n * TON));
    expect(engine.entry(COLD)!.balance.grams).toBe(100n * TON);
    const other: AccountAddress = { workchain: 0, address: new Uint8Array(32).fill(0xc1) };
    const allow = op(0x7258a69b).storeAddress(core(other)).endCell();
    expect(await sendFrom(engine, alice, vesting, allow)).toContain('exit 101, bounced');
    await sendFrom(engine, faucet, vesting, allow);
    expect(get(engine, vesting, 'is_whitelisted', [addressItem(other)]).readBoolean()).toBe(true);
    await sendFrom(engine, alice, vesting, send(other, 800n * TON));
    expect(engine.entry(other)!.balance.grams).toBe(800n * TON);
  });

  it('single nominator: only its owner takes coins out', async () => {
    const engine = await startedChain();
    const pool = addressOf('single nominator');
    const roles = get(engine, pool, 'get_roles');
    same(roles.readAddress(), first.address);
    same(roles.readAddress(), second.address);
    const withdraw = op(0x1000)
      .storeCoins(5n * TON)
      .endCell();
    expect(await sendFrom(engine, second, pool, withdraw)).toContain('exit 4097, bounced');
    const before = engine.entry(pool)!.balance.grams;
    await sendFrom(engine, first, pool, withdraw);
    expect(before - engine.entry(pool)!.balance.grams).toBeGreaterThan(4n * TON);
    await sendFrom(engine, first, pool, op(0x1001).storeAddress(core(alice.address)).endCell(), TON);
    const after = get(engine, pool, 'get_roles');
    after.skip(1);
    same(after.readAddress(), alice.address);
  });

  it('highload wallet: sends many at once, and each query once', async () => {
    const engine = await startedChain();
    const address = addressOf('highload wallet');
    const pair = deriveKey('test', HIGHLOAD_KEY);
    expect(get(engine, address, 'get_subwallet_id').readNumber()).toBe(HIGHLOAD.subwalletId);
    const targets = [1, 2, 3, 4, 5].map((n) => ({ workchain: 0, address: new Uint8Array(32).fill(n) }));
    let list = beginCell().endCell();
    for (const to of targets)
      list = beginCell()
        .storeRef(list)
        .storeUint(0x0ec3c86d, 32)
        .storeUint(1, 8)
        .storeRef(transferTo(to, TON))
        .endCell();
    const itself = transferTo(address, TON / 2n, op(0xae42e5a4).storeRef(list).endCell());
    const query = (bit: number) => {
      const inner = beginCell()
        .storeUint(HIGHLOAD.subwalletId, 32)
        .storeRef(itself)
        .storeUint(1, 8)
        .storeUint(3, 13)
        .storeUint(bit, 10)
        .storeUint(engine.status().utime - 10, 64)
        .storeUint(HIGHLOAD.timeout, 22)
        .endCell();
      const body = beginCell()
        .storeBuffer(Buffer.from(pair.sign(inner.hash())))
        .storeRef(inner);
      return writeBag(externalMessage(address, { ref: readCell(body.endCell().toBoc()) }));
    };
    expect(engine.send(query(9))).toMatchObject({ ok: true });
    await settleChain(engine);
    expect(targets.map((to) => engine.entry(to)?.balance.grams)).toEqual(targets.map(() => TON));
    expect(engine.send(query(9))).toMatchObject({ ok: false, exitCode: 36 });
    expect(engine.send(query(10))).toMatchObject({ ok: true });
    const isDone = (id: bigint) =>
      get(engine, address, 'processed?', [
        { type: 'int', value: id },
        { type: 'int', value: 0n },
      ]).readBoolean();
    expect([isDone(3n * 1024n + 9n), isDone(3n * 1024n + 11n)]).toEqual([true, false]);
  });
});
