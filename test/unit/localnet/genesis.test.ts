import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Address, beginCell, Cell, Dictionary, external, internal, SendMode, storeMessage } from '@ton/core';
import { defaultConfig } from '@ton/sandbox';
import { runTolkCompiler } from '@ton/tolk-js';
import { WalletContractV3R1, WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { describe, expect, it } from 'vitest';
import { genesisWallets } from '../../../src/localnet/genesis/genesis-wallets.ts';
import { SPECIAL_ACCOUNT_CODE } from '../../../src/localnet/genesis/special-account-code.ts';
import { LOCALNET_GLOBAL_ID } from '../../../src/localnet/localnet-source.ts';
import { walletMessage } from '../../../src/localnet/wallets/transfer.ts';
import type { Wallet } from '../../../src/localnet/wallets/wallet.ts';
import { readCell } from '../../../src/ton/cell/cells-of-bag.ts';
import { writeBag } from '../../../src/ton/cell/write-bag.ts';
import { BaseColumns } from '../../../src/ton/columns/base-columns.ts';
import { decodeState } from '../../../src/ton/decode/decode-state.ts';
import { BASE_CONFIG } from '../../../src/tvm/base-config.ts';
import { openEngine } from './local-engine.ts';

const { wallets } = genesisWallets('test', LOCALNET_GLOBAL_ID);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const LOCALNET = resolve(import.meta.dirname, '../../../src/localnet');

/** The wallet as the published client has it. */
function published({ version, key }: Wallet) {
  const publicKey = Buffer.from(key.publicKey);
  if (version === 'v3r1') return WalletContractV3R1.create({ workchain: 0, publicKey });
  if (version === 'v3r2') return WalletContractV3R2.create({ workchain: 0, publicKey });
  if (version === 'v4r2') return WalletContractV4.create({ workchain: 0, publicKey });
  return WalletContractV5R1.create({
    publicKey,
    walletId: { networkGlobalId: LOCALNET_GLOBAL_ID },
  });
}

describe('genesis', () => {
  it.each(wallets)('has the wallet $version of the published client', (wallet) => {
    const { init, address } = published(wallet);
    expect(hex(wallet.code.hash())).toBe(init.code.hash().toString('hex'));
    expect(hex(wallet.data.hash())).toBe(init.data.hash().toString('hex'));
    expect(hex(wallet.address.address)).toBe(address.hash.toString('hex'));
  });

  it.each(wallets)('signs transfers of $version as the published client does', (wallet) => {
    const [to, timeout] = [new Address(0, Buffer.alloc(32, 7)), 1_800_000_000];
    const secretKey = Buffer.concat([wallet.key.seed, wallet.key.publicKey]);
    const client = published(wallet) as { createTransfer(args: object): unknown };
    const body = client.createTransfer({
      seqno: 3,
      secretKey,
      timeout,
      sendMode: SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS,
      messages: [internal({ to, value: 5n, bounce: true })],
      authType: 'external',
    }) as Cell;
    const expected = beginCell()
      .store(storeMessage(external({ to: published(wallet).address, body })))
      .endCell();
    const ours = walletMessage(
      wallet,
      [{ to: { workchain: 0, address: to.hash }, value: 5n, bounce: true }],
      { seqno: 3, validUntil: timeout },
    );
    const core = Cell.fromBoc(Buffer.from(writeBag(ours)))[0]!;
    // The client may put the body inline or in a reference: the body is what is signed.
    expect(bodyOf(core)).toBe(bodyOf(expected));
  });

  it('has the fees and limits of mainnet that the sandbox has', () => {
    const dict = (text: string) =>
      Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), Cell.fromBase64(text));
    const [ours, theirs] = [dict(BASE_CONFIG), dict(defaultConfig)];
    expect(ours.keys()).toEqual([9, 10, 11, 13, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 28, 29]);
    for (const param of [18, 20, 21, 24, 25]) expect(ours.get(param)!.equals(theirs.get(param)!)).toBe(true);
  });

  it('has the special account of its source', async () => {
    const result = await runTolkCompiler({
      entrypointFileName: 'special-account.tolk',
      fsReadCallback: (name) => readFileSync(join(LOCALNET, 'genesis', name), 'utf8'),
    });
    if (result.status === 'error') throw new Error(result.message);
    const ours = readCell(Buffer.from(SPECIAL_ACCOUNT_CODE, 'base64'));
    expect(hex(ours.hash())).toBe(result.codeHashHex.toLowerCase());
  });

  it('publishes zerostates that the reader takes, the same from the same seed', async () => {
    const [one, again] = [await openEngine(), await openEngine()];
    expect(again.zerostates().map(hex)).toEqual(one.zerostates().map(hex));
    const columns = new BaseColumns();
    const [master, base] = one.zerostates().map((boc) => decodeState(boc, 0, columns));
    expect(master).toMatchObject({ workchain: -1, seqno: 0, accounts: 4, globalId: LOCALNET_GLOBAL_ID });
    expect(base!.accounts).toBeGreaterThanOrEqual(1 + 4 + 32);
  });
});

function bodyOf(message: Cell): string {
  const slice = message.beginParse();
  slice.skip(2 + 2);
  slice.loadAddress();
  slice.loadCoins();
  if (slice.loadBit()) throw new Error('no init is expected');
  return (slice.loadBit() ? slice.loadRef() : slice.asCell()).hash().toString('hex');
}
