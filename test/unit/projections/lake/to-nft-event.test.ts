import { describe, expect, it } from 'vitest';
import type { ActionFact, Details } from '../../../../src/projections/lake/action-fact.ts';
import type { StateFact } from '../../../../src/projections/lake/read-facts.ts';
import { toNftEvent } from '../../../../src/projections/lake/to-nft-event.ts';
import { lakeActions, recordedTraces } from '../../../helpers/lake-actions.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';

const NO_STATES = new Map<string, readonly StateFact[]>();
const [ITEM, CONTRACT, SELLER, BUYER] = ['1', '2', '3', '4'].map((digit) => `0:${digit.repeat(64)}`) as [
  string,
  string,
  string,
  string,
];
const action = (type: string, details: Details): ActionFact => ({
  position: 5,
  type,
  traceId: 'trace',
  actionId: 'action',
  txHashes: ['a', 'b'],
  details,
});
const transactions = [
  { hash: 'a', account: ITEM, lt: 10n, now: 1_000, messages: [] },
  { hash: 'b', account: CONTRACT, lt: 12n, now: 1_001, messages: [] },
];
const state = (account: string, lt: bigint, fields: Partial<StateFact>): StateFact => ({
  account,
  position: Number(lt),
  lt,
  kind: 'nft_item',
  owner: '',
  parent: '',
  isInit: true,
  index: null,
  content: '',
  details: {},
  ...fields,
});

describe('an event of an item', () => {
  it('of a name that is its own auction has the facts of the auction, also after its end', () => {
    const auction = {
      end_time: 77,
      initial_min_bid: '3',
      min_bid: '9',
      max_bid: '90',
      min_bid_step: '5',
      beneficiary_address: SELLER,
      royalty_destination: BUYER,
    };
    const states = new Map([
      [
        ITEM,
        [
          state(ITEM, 4n, { index: 7n, content: 'item' }),
          state(ITEM, 4n, { kind: 'teleitem', details: auction }),
          state(ITEM, 9n, { kind: 'teleitem', details: { end_time: 0, max_bid: '0' } }),
        ],
      ],
    ]);
    const event = toNftEvent(
      action('nft_transfer', { nft_item: ITEM, is_purchase: true, price: '12', new_owner: BUYER }),
      { transactions, states, isSold: false },
    );
    expect(event).toMatchObject({ type: 'sale', index: 7n, content: 'item' });
    expect(event?.sale).toEqual({
      contract: ITEM,
      type: 'auction',
      endTime: 77,
      marketplace: '',
      feeAddress: SELLER,
      fee: null,
      price: 12n,
      royaltyAddress: BUYER,
      royalty: null,
      maxBid: 90n,
      minBid: 3n,
      minStep: 5n,
    });
  });

  it('is at the last transaction of the item, with its state of that step', () => {
    const states = new Map([
      [ITEM, [state(ITEM, 4n, { content: 'old', index: 7n }), state(ITEM, 11n, { content: 'new' })]],
    ]);
    const event = toNftEvent(
      action('nft_transfer', { nft_item: ITEM, old_owner: SELLER, new_owner: BUYER }),
      {
        transactions,
        states,
        isSold: false,
      },
    );
    expect(event).toMatchObject({
      type: 'transfer',
      txHash: 'a',
      lt: 10n,
      prevOwner: SELLER,
      owner: BUYER,
      content: 'old',
      index: 7n,
      sale: { contract: '', price: null },
    });
  });

  it('of a sale has the terms of the contract that sold it', () => {
    const terms = { marketplace_fee: '5', marketplace_fee_address: CONTRACT, end_time: 1_200 };
    const states = new Map([[CONTRACT, [state(CONTRACT, 3n, { kind: 'nft_auction', details: terms })]]]);
    const details = {
      nft_item: ITEM,
      old_owner: CONTRACT,
      real_old_owner: SELLER,
      new_owner: BUYER,
      price: '100',
    };
    const sources = { transactions, states, isSold: true };
    expect(toNftEvent(action('nft_purchase', details), sources)).toMatchObject({
      type: 'sale',
      prevOwner: SELLER,
      owner: BUYER,
      sale: {
        contract: CONTRACT,
        type: 'auction',
        price: 100n,
        fee: 5n,
        feeAddress: CONTRACT,
        endTime: 1_200,
      },
    });
    // The end of the same auction is no event of its own.
    expect(toNftEvent(action('nft_finish_auction', { nft_item: ITEM }), sources)).toBeNull();
  });

  it('of an auction that ends without a sale is a cancelled sale', () => {
    const details = { nft_item: ITEM, owner: SELLER, auction_address: CONTRACT };
    expect(
      toNftEvent(action('nft_finish_auction', details), { transactions, states: NO_STATES, isSold: false }),
    ).toMatchObject({ type: 'cancel_sale', owner: SELLER, prevOwner: '', sale: { contract: CONTRACT } });
  });

  it('of a name that was released has the owner before', () => {
    const states = new Map([[ITEM, [state(ITEM, 4n, { owner: SELLER }), state(ITEM, 10n, { position: 5 })]]]);
    expect(
      toNftEvent(action('dns_release', { nft_item: ITEM }), { transactions, states, isSold: false }),
    ).toMatchObject({ type: 'transfer', prevOwner: SELLER, owner: '' });
  });

  it('is none without an item', () => {
    const sources = { transactions, states: NO_STATES, isSold: false };
    expect(toNftEvent(action('nft_transfer', {}), sources)).toBeNull();
    expect(toNftEvent(action('ton_transfer', { nft_item: ITEM }), sources)).toBeNull();
  });
});

describeWithData('a recorded sale of a username', (data) => {
  it('is an auction of the item itself, and its owner is the seller', () => {
    const found = recordedTraces(`${data}/traces`)
      .flatMap(lakeActions)
      .find(
        ({ action: { traceId, type } }) =>
          traceId === 'aMUaDa0Ml9lnk7KzHKpkW1UK6FPyYod2qotieVVWMd8=' && type === 'nft_transfer',
      )!;
    const { details } = found.action;
    expect(toNftEvent(found.action, { ...found, states: NO_STATES, isSold: false })).toMatchObject({
      type: 'sale',
      prevOwner: details.old_owner,
      owner: details.new_owner,
      sale: { contract: details.nft_item, type: 'auction', price: 111_000_000_000n, royalty: 5_549_000_000n },
    });
  });
});
