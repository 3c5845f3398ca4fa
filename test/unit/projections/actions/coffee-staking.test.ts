/** coffee's staking (v3-actions-rules.md 5.5): deposits, withdrawals and rewards, with and without their logs. */
import { describe, expect, it } from 'vitest';
import { address, putAddress, type Sent, traceFrom } from '../../../helpers/action-traces.ts';
import { classified, jettonWallet, type Known, withQuery } from '../../../helpers/classified-actions.ts';
import { jettonTransfer } from '../../../helpers/jetton-transfers.ts';

const [USER, POOL, MASTER, WALLET, POOL_WALLET, ITEM, COLLECTION] = [...'upmwxic'].map(address) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const KNOWN: Known = {
  [WALLET]: jettonWallet(USER, MASTER),
  [POOL_WALLET]: jettonWallet(POOL, MASTER),
  [ITEM]: {
    nftItem: { index: 5n, collection: COLLECTION, owner: USER, contentUri: null, codeHash: null },
  },
};

const wallet = (...sends: Sent[]): Sent => ({ to: USER, sends });
const actionsOf = (root: Sent) => classified(traceFrom(root), KNOWN);
const typesOf = (root: Sent) => actionsOf(root).map(({ type }) => type);

const HOLDERS = { user: [USER, WALLET], pool: [POOL, POOL_WALLET] } as const;
/** A transfer of 30 between the user and the pool. */
const transfer = (from: 'user' | 'pool', ...sends: Sent[]): Sent => {
  const to = HOLDERS[from === 'user' ? 'pool' : 'user'];
  return jettonTransfer({ from: HOLDERS[from], to, amount: 30n }, ...sends);
};
const paid = transfer('pool');

describe('a deposit', () => {
  const minted: Sent = { op: 1, to: ITEM, deploys: true };
  const log: Sent = { op: 0xf9471134, to: null };
  const deposit = (...sends: Sent[]) => wallet(transfer('user', { op: 0xf9471134, to: POOL, sends }));

  it.each([
    ['with its log', deposit(log, minted)],
    ['without its log', deposit(minted)],
  ])('%s names the minted item', (_what, root) => {
    expect(actionsOf(root).filter(({ type }) => type !== 'contract_deploy')).toMatchObject([
      {
        type: 'coffee_staking_deposit',
        success: true,
        source: USER,
        source_secondary: WALLET,
        destination: POOL,
        destination_secondary: POOL_WALLET,
        asset: MASTER,
        amount: 30n,
        coffee_staking_deposit_data: { minted_item_address: ITEM, minted_item_index: 5n },
      },
    ]);
  });

  it('for which nothing is minted is a transfer', () => {
    expect(typesOf(deposit(log))).toContain('jetton_transfer');
    expect(typesOf(deposit(log))).not.toContain('coffee_staking_deposit');
  });
});

describe('a withdrawal', () => {
  const OP = 0xcb03bfaf;
  const order: Sent = {
    op: OP,
    to: POOL_WALLET,
    body: withQuery((builder) => void putAddress(putAddress(builder, POOL_WALLET).coins(29n), USER)),
    sends: [paid],
  };
  const withdraw = (sends: readonly Sent[], aborted = false): Sent =>
    wallet({
      op: OP,
      to: ITEM,
      aborted,
      sends: [
        {
          op: OP,
          to: POOL,
          body: withQuery((builder) => void putAddress(builder.bigUint(5n, 64), USER).coins(7n)),
          sends,
        },
      ],
    });

  it.each([
    ['plain', withdraw([order])],
    ['with its log', withdraw([order, { op: OP, to: null }])],
  ])('%s tells the item, its points and what was paid', (_what, root) => {
    expect(actionsOf(root)).toMatchObject([
      {
        type: 'coffee_staking_withdraw',
        success: true,
        source: USER,
        source_secondary: WALLET,
        destination: ITEM,
        destination_secondary: POOL_WALLET,
        asset: MASTER,
        amount: 29n,
        coffee_staking_withdraw_data: { nft_address: ITEM, nft_index: 5n, points: 7n },
      },
    ]);
  });

  it('without a payment is none', () => {
    expect(typesOf(withdraw([{ ...order, sends: [] }]))).not.toContain('coffee_staking_withdraw');
    expect(typesOf(withdraw([]))).not.toContain('coffee_staking_withdraw');
  });
});

describe('rewards', () => {
  const order = withQuery(
    (builder) => void putAddress(putAddress(builder, POOL_WALLET).coins(29n), USER).bit(false),
  );
  const claim = (...sends: Sent[]): Sent => wallet({ op: 0xb30c7310, to: POOL, body: order, sends });

  it.each([
    ['plain', claim(paid)],
    ['with their log', claim({ op: 0xb30c7310, to: null }, paid)],
  ])('%s are what the pool was told to pay', (_what, root) => {
    expect(actionsOf(root)).toMatchObject([
      {
        type: 'coffee_staking_claim_rewards',
        source: POOL,
        source_secondary: POOL_WALLET,
        destination: USER,
        destination_secondary: WALLET,
        asset: MASTER,
        amount: 29n,
      },
    ]);
  });

  it('that are not paid are none', () => {
    expect(typesOf(claim({ op: 0xb30c7310, to: null }))).not.toContain('coffee_staking_claim_rewards');
  });
});
