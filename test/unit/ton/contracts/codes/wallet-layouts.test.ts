import { readdirSync, readFileSync } from 'node:fs';
import { Address, beginCell, Cell } from '@ton/core';
import { beforeAll, expect, it } from 'vitest';
import { onlyRoot, parseBoc } from '../../../../../src/ton/boc/boc.ts';
import { CellSlice } from '../../../../../src/ton/boc/cell-slice.ts';
import { walletLayout } from '../../../../../src/ton/contracts/codes/wallet-layouts.ts';
import { intIn, librariesOf, runContract } from '../../../../helpers/ask-contract.ts';
import { describeWithData } from '../../../../helpers/shared-data.ts';

/*
 * The layout of every wallet against the get methods of its own code, run in the TVM on the same data. The numbers have
 * their highest bits set, so that signed and unsigned ones differ.
 */

const SEQNO = 0x8000_0007;
const WALLET_ID = 0xfff0_0001;
const OLD = () => beginCell().storeUint(SEQNO, 32).storeUint(1n, 256).endCell();
const WITH_ID = () =>
  beginCell().storeUint(SEQNO, 32).storeUint(WALLET_ID, 32).storeUint(1n, 256).storeBit(false).endCell();
const V5 = () => beginCell().storeBit(true).storeSlice(WITH_ID().beginParse()).endCell();

/** Wallets by the beginning of their code hash: data, and the get methods that the code has. */
const WALLETS = [
  ['a0cfc2c4', 'wallet v1 r1', OLD(), []],
  ['d4902fcc', 'wallet v1 r2', OLD(), ['seqno']],
  ['587cc789', 'wallet v1 r3', OLD(), ['seqno']],
  ['5c9a5e68', 'wallet v2 r1', OLD(), ['seqno']],
  ['fe9530d3', 'wallet v2 r2', OLD(), ['seqno']],
  ['b61041a5', 'wallet v3 r1', WITH_ID(), ['seqno']],
  ['84dafa44', 'wallet v3 r2', WITH_ID(), ['seqno']],
  ['64dd5480', 'wallet v4 r1', WITH_ID(), ['seqno', 'get_subwallet_id']],
  ['feb5ff68', 'wallet v4 r2', WITH_ID(), ['seqno', 'get_subwallet_id']],
  ['20834b7b', 'wallet v5 r1', V5(), ['seqno', 'get_subwallet_id', 'is_signature_allowed']],
] as const;

describeWithData('the layout of', (folder) => {
  let codes: readonly Cell[];
  beforeAll(() => {
    codes = readdirSync(`${folder}/contracts/code`).map(
      (file) => Cell.fromBoc(readFileSync(`${folder}/contracts/code/${file}`))[0]!,
    );
  });

  it.each(WALLETS)('%s (%s) says what its get methods say', (hash, type, data, methods) => {
    const code = codes.find((one) => one.hash().toString('hex').startsWith(hash))!;
    const layout = walletLayout(code.hash().toString('base64'))!;
    expect(layout.type).toBe(type);
    const boc = parseBoc(data.toBoc());
    const { seqno, walletId, isSignatureAllowed } = layout.read(new CellSlice(boc, onlyRoot(boc)));
    const said: Record<string, bigint | undefined> = {
      seqno: BigInt(seqno),
      get_subwallet_id: walletId === undefined ? undefined : BigInt(walletId),
      is_signature_allowed: isSignatureAllowed === undefined ? undefined : isSignatureAllowed ? -1n : 0n,
    };
    const contract = { code, data, address: new Address(0, code.hash()), libraries: librariesOf(codes) };
    for (const method of methods) {
      const { exitCode, stack } = runContract(contract, method);
      expect([method, exitCode, intIn(stack[0])]).toEqual([method, 0, said[method]]);
    }
    expect(seqno).toBe(SEQNO);
    if (data.bits.length > 32 + 256) expect(walletId).toBe(WALLET_ID);
  });

  it('is known of no other code', () => {
    const known = codes.filter((code) => walletLayout(code.hash().toString('base64')));
    // v5 beta is held as a library cell.
    expect(known.length).toBe(WALLETS.length + 1);
  });
});
