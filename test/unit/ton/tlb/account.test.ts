import { Address, beginCell, type Account as CoreAccount, Dictionary, storeAccount } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { CellHashes } from '../../../../src/ton/boc/cell-hashes.ts';
import { forEachLeaf } from '../../../../src/ton/boc/hashmap.ts';
import { loadAccount } from '../../../../src/ton/tlb/account/account.ts';
import { loadSimpleLib } from '../../../../src/ton/tlb/message/simple-lib.ts';
import { bits, hexBytes, made, sliceOf } from './cells.ts';

const ADDRESS = Address.parse(`-1:${hexBytes(0x55)}`);
const CODE = beginCell().storeUint(1, 8).endCell();
const DATA = beginCell().storeUint(2, 8).endCell();

function core(storage: CoreAccount['storage'], due: bigint | null = null): CoreAccount {
  const used = { cells: 22n, bits: 5443n };
  return {
    addr: ADDRESS,
    storageStats: { used, storageExtra: null, lastPaid: 1_700_000_000, duePayment: due },
    storage,
  };
}

function load(account: CoreAccount) {
  const slice = sliceOf(beginCell().storeBit(true).store(storeAccount(account)).endCell());
  const read = loadAccount(slice);
  slice.end('Account');
  if (!read) throw new Error('account_none');
  return { slice, read };
}

describe('Account', () => {
  it('account_none', () => {
    const slice = bits('0');
    expect(loadAccount(slice)).toBeNull();
    slice.end('Account');
  });

  it('active, with extra currencies, libraries and a debt', () => {
    const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
    other.set(239, 666_666_666_666n).set(4_294_967_279, 10n ** 40n);
    const libraries = Dictionary.empty<bigint, { public: boolean; root: typeof CODE }>(
      Dictionary.Keys.BigUint(256),
      {
        serialize: (lib, builder) => builder.storeBit(lib.public).storeRef(lib.root),
        parse: (slice) => ({ public: slice.loadBit(), root: slice.loadRef() }),
      },
    );
    libraries.set(5n, { public: true, root: DATA });
    const special = { tick: true, tock: false };
    const account = core(
      {
        lastTransLt: 12n,
        balance: { coins: 5n, other },
        state: { type: 'active', state: { splitDepth: 3, special, code: CODE, data: DATA, libraries } },
      },
      77n,
    );
    const { slice, read } = load(account);
    expect(read.storageInfo).toEqual({
      used: { cells: 22n, bits: 5443n },
      dictHash: null,
      lastPaid: 1_700_000_000,
      duePayment: 77n,
    });
    expect(read.balance).toMatchObject({
      grams: 5n,
      extra: [
        [239, 666_666_666_666n],
        [4_294_967_279, 10n ** 40n],
      ],
    });
    expect(read.addr).toMatchObject({ kind: 'std', workchain: -1, address: new Uint8Array(ADDRESS.hash) });
    if (read.state.status !== 'active') throw new Error('active expected');
    const { init } = read.state;
    const hashes = new CellHashes(slice.boc);
    expect([init.splitDepth, init.special]).toEqual([3, special]);
    expect(hashes.hash(init.code)).toEqual(new Uint8Array(CODE.hash()));
    expect(hashes.hash(init.data)).toEqual(new Uint8Array(DATA.hash()));
    const libs: [string, boolean][] = [];
    forEachLeaf(slice.boc, init.library, 256, (hash, lib) => {
      libs.push([hash.toHex(), loadSimpleLib(lib).public]);
    });
    expect(libs).toEqual([['5'.padStart(64, '0'), true]]);
  });

  it.each([
    [{ type: 'uninit' }, { status: 'uninit' }],
    [
      { type: 'frozen', stateHash: BigInt(`0x${hexBytes(9)}`) },
      { status: 'frozen', stateHash: Uint8Array.fromHex(hexBytes(9)) },
    ],
  ] as const)('%o', (state, expected) => {
    const { read } = load(core({ lastTransLt: 1n, balance: { coins: 0n }, state }));
    expect(read.state).toEqual(expected);
    expect(read.lastTransLt).toBe(1n);
  });

  it('the hash of the storage dictionary, where older accounts have public_cells 0', () => {
    const slice = made((builder) => {
      builder.storeBit(true).storeAddress(ADDRESS).storeVarUint(1n, 3).storeVarUint(2n, 3);
      builder
        .storeUint(0b001, 3)
        .storeBuffer(Buffer.from(hexBytes(8), 'hex'))
        .storeUint(5, 32)
        .storeBit(false);
      builder.storeUint(6, 64).storeCoins(7).storeBit(false).storeUint(0b00, 2);
    });
    expect(loadAccount(slice)?.storageInfo.dictHash).toEqual(Uint8Array.fromHex(hexBytes(8)));
    slice.end('Account');
  });

  it('refuses public_cells other than 0', () => {
    const slice = made((builder) => {
      builder.storeBit(true).storeAddress(ADDRESS).storeVarUint(1n, 3).storeVarUint(2n, 3);
      builder.storeUint(0b010, 3).storeUint(300, 16).storeUint(5, 32).storeBit(false);
      builder.storeUint(6, 64).storeCoins(7).storeBit(false).storeUint(0b00, 2);
    });
    expect(() => loadAccount(slice)).toThrow(expect.objectContaining({ name: 'CellError', code: 'tag' }));
  });
});
