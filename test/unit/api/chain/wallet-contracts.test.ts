import { Cell } from '@ton/core';
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { describe, expect, it } from 'vitest';
import { extendedState, walletFacts } from '../../../../src/api/chain/wallet-contracts.ts';

const publicKey = Buffer.alloc(32, 1);
const hashOf = (code: Cell) => code.hash().toString('base64');
const bytes = (cell: Cell) => new Uint8Array(cell.toBoc());

describe('contracts that are known by their code', () => {
  it('have facts in their data', () => {
    const v3 = WalletContractV3R2.create({ workchain: 0, publicKey, walletId: 2 ** 32 - 7 }).init;
    expect(walletFacts(hashOf(v3.code), bytes(v3.data))).toEqual({
      wallet_type: 'wallet v3 r2',
      seqno: 0,
      // Unsigned in v3; v2 makes it signed.
      wallet_id: 2 ** 32 - 7,
    });
    expect(extendedState(hashOf(v3.code), bytes(v3.data))).toEqual({
      account_state: { '@type': 'wallet.v3.accountState', wallet_id: -7, seqno: 0 },
      revision: 2,
    });
    const v4 = WalletContractV4.create({ workchain: 0, publicKey }).init;
    expect(walletFacts(hashOf(v4.code), bytes(v4.data))).toMatchObject({
      wallet_type: 'wallet v4 r2',
      wallet_id: 698983191,
    });
    const v5 = WalletContractV5R1.create({ workchain: 0, publicKey }).init;
    expect(walletFacts(hashOf(v5.code), bytes(v5.data))).toMatchObject({
      wallet_type: 'wallet v5 r1',
      is_signature_allowed: true,
      seqno: 0,
    });
    expect(extendedState(hashOf(v5.code), bytes(v5.data))).toBe(null);
  });

  it('are nothing special with other code or data that is not theirs', () => {
    const { code, data } = WalletContractV4.create({ workchain: 0, publicKey }).init;
    expect(walletFacts(hashOf(data), bytes(data))).toBe(null);
    // Without its data it is still a wallet.
    expect(walletFacts(hashOf(code), new Uint8Array(0))).toEqual({ wallet_type: 'wallet v4 r2' });
    expect(walletFacts(hashOf(code), bytes(Cell.EMPTY))).toBe(null);
    expect(extendedState(hashOf(code), bytes(Cell.EMPTY))).toBe(null);
  });
});
