import { Address, type Builder, beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { knownBodies } from '../../../../src/api/known-bodies.ts';
import { CellError } from '../../../../src/ton/boc/cell-error.ts';
import { ELECTOR_OP, loadNewStake } from '../../../../src/ton/messages/elector.ts';
import { loadStonfiSwap, STONFI_SWAP_OP } from '../../../../src/ton/messages/stonfi-swap.ts';
import { Budget } from '../../../../src/ton/schema/reading.ts';
import { sliceOf } from '../tlb/cells.ts';

/* Messages of single protocols that more than one part reads, against the TL-B decoder of bodies. */

const hash = (byte: number) => Buffer.alloc(32, byte);
const decoded = (body: Builder) => {
  const found = knownBodies().decode(body.endCell().toBoc(), new Budget(2 ** 20));
  return (found as { readonly value: Readonly<Record<string, unknown>> }).value;
};
const opened = (body: Builder, bits: number) => {
  const slice = sliceOf(body.endCell());
  slice.skipBits(bits);
  return slice;
};

describe('a new stake', () => {
  const stake = () =>
    beginCell()
      .storeUint(ELECTOR_OP.newStake, 32)
      .storeUint(5, 64)
      .storeBuffer(hash(1))
      .storeUint(1_700_000_000, 32)
      .storeUint(196_608, 32)
      .storeBuffer(hash(2))
      .storeRef(beginCell().storeBuffer(Buffer.alloc(64, 3)).endCell());

  it('is read as its layout is decoded', () => {
    const shown = decoded(stake());
    const found = loadNewStake(opened(stake(), 96));
    expect(shown).toMatchObject({ '@type': 'elector_new_stake', stake_at: `${found.stakeAt}` });
    expect(shown.validator_pubkey).toBe(Buffer.from(found.publicKey).toString('hex').toUpperCase());
    expect(shown.adnl_addr).toBe(Buffer.from(found.adnl).toString('hex').toUpperCase());
  });

  it('that is cut off is refused', () => {
    const { bits } = stake().endCell();
    const cut = beginCell().storeBits(bits.substring(0, bits.length - 1));
    expect(() => loadNewStake(opened(cut, 96))).toThrow(CellError);
  });

  it('has answers whose names the layouts know', () => {
    const names = [ELECTOR_OP.stakeAccepted, ELECTOR_OP.recover, ELECTOR_OP.recovered].map((op) =>
      knownBodies().getName(op),
    );
    expect(names).toEqual([
      'elector_new_stake_confirmation',
      'elector_recover_stake_request',
      'elector_recover_stake_response',
    ]);
  });
});

describe('a swap of STON.fi', () => {
  const swap = () =>
    beginCell()
      .storeUint(STONFI_SWAP_OP, 32)
      .storeAddress(new Address(0, hash(1)))
      .storeCoins(70_000)
      .storeAddress(null);

  it('is read as its layout is decoded', () => {
    expect(decoded(swap().storeBit(false))).toMatchObject({
      '@type': 'stonfi_swap_forward_payload',
      token_wallet: { address: hash(1).toString('hex') },
      min_out: { value: '70000' },
      to_address: { '@type': 'addr_none' },
    });
    expect(loadStonfiSwap(opened(swap(), 32))).toEqual({
      tokenWallet: { kind: 'std', anycast: null, workchain: 0, address: new Uint8Array(hash(1)) },
      minOut: 70_000n,
      receiver: { kind: 'none' },
    });
  });

  it('that is cut off is refused', () => {
    const { bits } = swap().endCell();
    const cut = beginCell().storeBits(bits.substring(0, bits.length - 1));
    expect(() => loadStonfiSwap(opened(cut, 32))).toThrow(CellError);
  });
});
