/** jvault (v3-actions-rules.md 8): optional parts, requests that were cut short, and what data of contracts is for. */
import { describe, expect, it } from 'vitest';
import { address, bagOf, putAddress, type Sent, traceFrom } from '../../../helpers/action-traces.ts';
import {
  type Body,
  cellOf,
  classified,
  jettonWallet,
  type Known,
  withQuery,
} from '../../../helpers/classified-actions.ts';
import { jettonTransfer } from '../../../helpers/jetton-transfers.ts';

const [USER, POOL, STAKE, LOCK, MASTER, MINTER, WALLET, POOL_WALLET, REFERRER] = [...'upslmnwxr'].map(
  address,
) as [string, string, string, string, string, string, string, string, string];

const wallet = (...sends: Sent[]): Sent => ({ to: USER, sends });
const actionsOf = (root: Sent, known: Known = {}) => classified(traceFrom(root), known);
const typesOf = (root: Sent, known: Known = {}) => actionsOf(root, known).map(({ type }) => type);

const HOLDERS = { user: [USER, WALLET], pool: [POOL, POOL_WALLET] } as const;
/** A transfer of 30 between the user and the pool. */
const transfer = (from: 'user' | 'pool', payload: Body | null, ...sends: Sent[]): Sent => {
  const to = HOLDERS[from === 'user' ? 'pool' : 'user'];
  return jettonTransfer({ from: HOLDERS[from], to, amount: 30n, payload }, ...sends);
};

/** Facts that the contracts give: the stake wallet its pool and minter, the pool its lock wallet. */
const known = (master: string): Known => ({
  [WALLET]: jettonWallet(USER, MASTER),
  [POOL_WALLET]: jettonWallet(POOL, MASTER),
  [STAKE]: { data: bagOf(cellOf((builder) => void putAddress(putAddress(builder, POOL), MINTER))) },
  [POOL]: {
    data: bagOf(
      cellOf((builder) => {
        builder.bit(true).uint(9, 32);
        for (const one of [USER, REFERRER, LOCK]) putAddress(builder, one);
      }),
    ),
  },
  [LOCK]: jettonWallet(POOL, master),
});
const KNOWN = known(MASTER);

const updated: Sent = { op: 0xae9307ce, to: STAKE };
const referrals: Sent = {
  op: 0x55c35b40,
  to: REFERRER,
  sends: [{ op: 0x55c35b40, to: REFERRER, sends: [{ op: 0x076ee4e0, to: REFERRER }] }],
};

describe('jvault_stake', () => {
  const payload: Body = (builder) => void builder.uint(0x5, 32).uint(86_400, 32);
  const stake = (child: Sent | null, more: Partial<Sent> = {}, ...beside: Sent[]) =>
    wallet(
      transfer(
        'user',
        payload,
        { op: 0xd68a4ac1, to: STAKE, sends: child ? [child] : [], ...more },
        ...beside,
      ),
    );
  const update = (...sends: Sent[]): Sent => ({ op: 0xf5c5baa3, to: POOL, sends });

  it.each([
    ['plain', stake(update(updated)), true],
    ['with referrers', stake(update(referrals, updated)), true],
    ['with new data of the pool', stake(update(updated), {}, { op: 0x383411ea, to: POOL }), true],
    ['with a pool that aborts', stake({ ...update(updated), aborted: true }), false],
    ['with a stake wallet that aborts', stake(update(updated), { aborted: true }), false],
    ['that is given up', stake({ op: 0x9eada1d9, to: POOL }), false],
    ['that is given back', stake({ op: 0x9eada1d9, to: POOL, sends: [transfer('pool', null)] }), false],
  ])('%s is one action', (_what, root, success) => {
    expect(actionsOf(root, KNOWN)).toMatchObject([
      {
        type: 'jvault_stake',
        success,
        source: USER,
        source_secondary: WALLET,
        destination: POOL,
        asset: MASTER,
        amount: 30n,
        jvault_stake_data: { period: 86_400, stake_wallet: STAKE },
      },
    ]);
  });

  it.each([
    ['without an update', stake(null)],
    ['with an update that nobody answers', stake(update())],
    ['with referrers in place of the answer', stake(update(referrals))],
  ])('%s is a transfer', (_what, root) => {
    expect(typesOf(root, KNOWN)).toContain('jetton_transfer');
    expect(typesOf(root, KNOWN)).not.toContain('jvault_stake');
  });
});

describe('jvault_unstake', () => {
  const unstake = (sends: readonly Sent[], aborted = false): Sent =>
    wallet({ op: 0x499a9262, to: STAKE, body: withQuery((builder) => builder.coins(5n)), sends, aborted });
  const paid = (...more: Sent[]): Sent => ({
    op: 0xf5c5baa3,
    to: POOL,
    sends: [...more, transfer('pool', null), updated],
  });
  const fee: Sent = { to: REFERRER };
  const expected = {
    type: 'jvault_unstake',
    success: true,
    source: USER,
    source_secondary: STAKE,
    destination: POOL,
    asset: MASTER,
    asset2: MINTER,
    amount: 5n,
  };

  it.each([
    ['paid', unstake([paid()])],
    ['paid with a fee', unstake([paid(fee)])],
    ['paid with referrers and a fee', unstake([paid(referrals, fee)])],
  ])('%s is one action', (_what, root) => {
    expect(actionsOf(root, KNOWN)).toMatchObject([{ ...expected, opcode: null }]);
  });

  it.each([false, true])('cut short tells the exit code and counts as a success (aborted: %s)', (aborted) => {
    expect(actionsOf(unstake([], aborted), KNOWN)).toMatchObject([{ ...expected, opcode: 0 }]);
  });

  it('without what its contracts say, or paid in another jetton, is none', () => {
    const { [STAKE]: _, ...others } = KNOWN;
    for (const facts of [others, known(MINTER)]) {
      expect(typesOf(unstake([paid()]), facts)).toContain('jetton_transfer');
      expect(typesOf(unstake([paid()]), facts)).not.toContain('jvault_unstake');
    }
  });
});

describe('jvault_claim', () => {
  const [FIRST, SECOND] = [address('a'), address('b')];
  const keyBits = (raw: string) => (0b100n << 264n) | BigInt(`0x${raw.slice(2)}`);
  /** Both keys differ only in their last two bits. */
  const dictionary: Record<string, Body> = {
    one: (builder) => builder.uint(0b10, 2).uint(267, 9).bigUint(keyBits(FIRST), 267),
    two: (builder) => {
      builder
        .uint(0b10, 2)
        .uint(265, 9)
        .bigUint(keyBits(FIRST) >> 2n, 265);
      for (const last of [1, 0]) builder.ref(cellOf((leaf) => leaf.uint(0b010, 3).bit(last === 1)));
    },
  };
  const claim = (jettons: keyof typeof dictionary, sends: readonly Sent[]): Sent =>
    wallet({
      op: 0x78d9f109,
      to: STAKE,
      body: withQuery((builder) => builder.bit(true).ref(cellOf(dictionary[jettons]!))),
      sends: [{ op: 0x44bc1fe3, to: POOL, sends }],
    });
  const paid = [transfer('pool', null), updated];

  it('names every jetton and the amount of one transfer', () => {
    const head = { type: 'jvault_claim', source: USER, source_secondary: STAKE, destination: POOL };
    expect(actionsOf(claim('one', paid), KNOWN)).toMatchObject([
      {
        ...head,
        jvault_claim_data: { claimed_jettons: [FIRST], claimed_amounts: [30n] },
        details: { claimed_rewards: [{ jetton: FIRST, amount: 30n }] },
      },
    ]);
    expect(actionsOf(claim('two', paid), KNOWN)).toMatchObject([
      {
        ...head,
        jvault_claim_data: { claimed_jettons: [FIRST, SECOND], claimed_amounts: [30n] },
        details: { claimed_rewards: [] },
      },
    ]);
  });

  it('without a transfer, or without the answer, is none', () => {
    for (const sends of [[updated], [transfer('pool', null)]])
      expect(typesOf(claim('one', sends), KNOWN)).not.toContain('jvault_claim');
  });
});
