import { Address, beginCell, Cell, loadMessage, storeShardAccount } from '@ton/core';
import {
  WalletContractV1R1,
  WalletContractV1R2,
  WalletContractV1R3,
  WalletContractV2R1,
  WalletContractV2R2,
  WalletContractV3R1,
  WalletContractV4,
  WalletContractV5Beta,
  WalletContractV5R1,
} from '@ton/ton';
import { expect, it } from 'vitest';
import { readEmulatedAccount } from '../../../../src/api/emulate/emulated-account.ts';
import { readTonConnectRequest } from '../../../../src/api/emulate/ton-connect-request.ts';
import { walletMessage } from '../../../../src/api/emulate/wallet-message.ts';
import { writeBag } from '../../../../src/ton/cell/write-bag.ts';

/* Which wallets a TON Connect request is emulated for, and in which words others are refused (v3-rules.md 1.1 and 1.3). */

const address = new Address(0, Buffer.alloc(32, 7));
const publicKey = Buffer.alloc(32, 1);
const request = readTonConnectRequest({
  from: address.toRawString(),
  messages: [{ address: address.toRawString(), amount: '1' }],
});

/** The shard account of a contract. */
function account({ code, data }: { readonly code: Cell; readonly data: Cell }): string {
  const shardAccount = {
    account: {
      addr: address,
      storageStats: { used: { cells: 1n, bits: 1n }, lastPaid: 0, duePayment: null, storageExtra: null },
      storage: {
        lastTransLt: 1n,
        balance: { coins: 1n },
        state: { type: 'active' as const, state: { code, data } },
      },
    },
    lastTransactionHash: 0n,
    lastTransactionLt: 1n,
  };
  return beginCell().store(storeShardAccount(shardAccount)).endCell().toBoc().toString('base64');
}

const messageOf = (init: { readonly code: Cell; readonly data: Cell }) =>
  walletMessage(readEmulatedAccount(account(init)), request, 1_700_000_000);
const make = { workchain: 0, publicKey };

it.each([
  ['v1 r1', WalletContractV1R1.create(make).init, '1'],
  ['v1 r2', WalletContractV1R2.create(make).init, '1'],
  ['v1 r3', WalletContractV1R3.create(make).init, '1'],
  ['v2 r1', WalletContractV2R1.create(make).init, '2'],
  ['v2 r2', WalletContractV2R2.create(make).init, '2'],
])('wallet %s is known and refused', (_name, init, version) => {
  const refused = { status: 500, message: `Unsupported wallet type: ${version}` };
  expect(() => messageOf(init)).toThrow(expect.objectContaining(refused));
});

it('what is no wallet, or a wallet of another kind, is not known', () => {
  const refused = { status: 500, message: 'Account is not a known wallet' };
  const { code, data } = WalletContractV4.create(make).init;
  for (const init of [WalletContractV5Beta.create({ publicKey }).init, { code: data, data: code }])
    expect(() => messageOf(init)).toThrow(expect.objectContaining(refused));
  expect(() => walletMessage(readEmulatedAccount(null), request, 0)).toThrow(
    expect.objectContaining({ status: 500, message: 'Account state no code or no data' }),
  );
});

it.each([
  ['v3 r1', WalletContractV3R1.create(make).init],
  ['v4 r2', WalletContractV4.create(make).init],
  ['v5 r1', WalletContractV5R1.create(make).init],
])('wallet %s has a message', (_name, init) => {
  const bag = Buffer.from(writeBag(messageOf(init)));
  const message = loadMessage(Cell.fromBoc(bag)[0]!.beginParse());
  expect(message.info).toMatchObject({ type: 'external-in', importFee: 0n });
  expect(message.info.dest?.toString()).toBe(address.toString());
  expect(message.init ?? null).toBe(null);
});
