import { describe, expect, it } from 'vitest';
import { classifyTrace } from '../../../../src/projections/actions/classify.ts';
import { LoadedFacts } from '../../../../src/projections/actions/model/contract-facts.ts';
import { recordedColumns } from '../../../../src/projections/actions/out/recorded-columns.ts';
import { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import type { AccountFacts } from '../../../../src/ton/contracts/account-facts.ts';
import { address, comment, putAddress, type Sent, traceFrom } from '../../../helpers/action-traces.ts';

const [ITEM, SALE, AUCTION, SELLER, BUYER, MARKET, COLLECTION] = [...'isabumc'].map(address) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];

const item = (contentUri: string | null = null, codeHash: string | null = null): AccountFacts => ({
  nftItem: { index: 5n, collection: COLLECTION, owner: SELLER, contentUri, codeHash },
});
const sale: AccountFacts = {
  nftSale: { nft: ITEM, nftOwner: SELLER, marketplace: MARKET, fullPrice: 50n, codeHash: null },
};
const auction: AccountFacts = {
  nftAuction: { nft: ITEM, nftOwner: SELLER, marketplace: MARKET, lastBid: 60n, codeHash: null },
};

function actionsOf(root: Sent, known: Readonly<Record<string, AccountFacts>>) {
  const facts = new LoadedFacts();
  for (const [account, one] of Object.entries(known)) facts.add(account, one);
  const { actions, problems } = classifyTrace(traceFrom(root), facts);
  expect(problems).toEqual([]);
  return actions;
}

/** Columns of the top-level actions. */
const columnsOf = (root: Sent, known: Readonly<Record<string, AccountFacts>>) =>
  actionsOf(root, known)
    .filter(({ parentActionId }) => parentActionId === null)
    .map(recordedColumns);

const wallet = (name: string, ...sends: Sent[]): Sent => ({ to: name, sends });

/** transfer#5fcc3d14 of the item to another account. */
const moveTo = (newOwner: string, ...sends: Sent[]): Sent => ({
  op: 0x5fcc3d14,
  to: ITEM,
  body: (builder) => {
    putAddress(builder.bigUint(1n, 64), newOwner);
    putAddress(builder, SELLER).bit(false).coins(3n).bit(false);
  },
  sends,
});

const assigned = (to: string, previousOwner: string): Sent => ({
  op: 0x05138d91,
  to,
  body: (builder) => void putAddress(builder.bigUint(1n, 64), previousOwner).bit(false),
});

describe('transfers and purchases', () => {
  it('a transfer takes its notice and excess in, and reads the old owner from the notice', () => {
    const root = wallet(SELLER, moveTo(BUYER, assigned(BUYER, MARKET), { op: 0xd53276db, to: SELLER }));
    expect(columnsOf(root, { [ITEM]: item() })).toMatchObject([
      {
        type: 'nft_transfer',
        source: MARKET,
        destination: BUYER,
        asset: COLLECTION,
        asset_secondary: ITEM,
        nft_transfer_data: { is_purchase: false, nft_item_index: 5n, forward_amount: 3n, price: null },
      },
    ]);
  });

  it('a sale: payment and transfer become a purchase, its parts stay for older clients', () => {
    const paid: Sent = { op: 0, to: SELLER, body: comment('thanks'), value: 45n };
    const root = wallet(BUYER, { to: SALE, sends: [moveTo(BUYER, paid)] });
    const actions = actionsOf(root, { [ITEM]: item(), [SALE]: sale });
    expect(actions.map(({ type, ancestorTypes }) => [type, ...ancestorTypes])).toEqual([
      ['nft_purchase'],
      ['nft_transfer', 'nft_purchase'],
      ['ton_transfer', 'nft_purchase'],
    ]);
    expect(actions[0]).toMatchObject({
      columns: {
        nft_transfer_data: { is_purchase: true, price: 50n, marketplace: 'getgems', payout_amount: 45n },
      },
      details: { real_old_owner: SELLER, payout_address: SELLER, payout_comment: 'thanks' },
    });
  });

  it('an auction that is finished by a comment: purchase beside the payout, and nft_finish_auction', () => {
    const root = wallet(SELLER, {
      op: 0,
      to: AUCTION,
      body: comment('finish'),
      sends: [{ to: SELLER, value: 55n }, moveTo(BUYER)],
    });
    const [first, second, ...rest] = columnsOf(root, { [ITEM]: item(), [AUCTION]: auction });
    expect(rest).toEqual([]);
    expect(first).toMatchObject({ type: 'nft_finish_auction', source: BUYER, destination: AUCTION });
    expect(second).toMatchObject({
      type: 'nft_purchase',
      nft_transfer_data: { price: 60n, payout_amount: 55n, real_prev_owner: SELLER },
    });
  });

  it('an auction that returns the item, and a sale that is cancelled', () => {
    const returned = (to: string, sent: Partial<Sent>): Sent =>
      wallet(SELLER, { to, ...sent, sends: [moveTo(SELLER)] });
    const known = { [ITEM]: item(), [AUCTION]: auction, [SALE]: sale };
    const typesOf = (root: Sent) => columnsOf(root, known).map(({ type }) => type);
    expect(typesOf(returned(AUCTION, { op: 0, body: comment('cancel') }))).toEqual([
      'nft_cancel_auction',
      'nft_transfer',
    ]);
    expect(typesOf(returned(AUCTION, { op: 0xb95616b6 }))).toEqual(['nft_finish_auction', 'nft_transfer']);
    expect(typesOf(returned(SALE, { op: 3 }))).toEqual(['nft_cancel_sale', 'nft_transfer']);
  });
});

describe('listings', () => {
  const fees = putAddress(putAddress(new CellBuilder(), MARKET).coins(2n), COLLECTION).coins(4n).cell();
  const data = (() => {
    const builder = putAddress(new CellBuilder().uint(0, 32).bit(false), MARKET);
    return putAddress(putAddress(builder, ITEM), SELLER).coins(50n).ref(fees).cell();
  })();
  const stateInit = new CellBuilder().uint(0b00, 2).bit(false).bit(true).ref(data).bit(false).cell();

  it('an item is put on sale by a listing contract that deploys the sale and hands the item over', () => {
    const listed = { ...sale.nftSale!, codeHash: 'gnj0xSM95vvtyWmvUZNEp6m//FRIVtuphqlcC8+Fcck=' };
    const deploying: Sent = { to: SALE, deploys: true, stateInit };
    const root = wallet(SELLER, moveTo(MARKET, deploying, moveTo(SALE)));
    const columns = columnsOf(root, { [ITEM]: item(), [SALE]: { nftSale: listed } });
    expect(columns).toMatchObject([
      {
        type: 'nft_put_on_sale',
        source: SELLER,
        source_secondary: MARKET,
        destination: SALE,
        nft_transfer_data: { marketplace_address: MARKET },
        nft_listing_data: {
          full_price: 50n,
          marketplace_fee: 2n,
          royalty_amount: 4n,
          royalty_address: COLLECTION,
          marketplace: 'getgems',
        },
      },
      { type: 'contract_deploy' },
    ]);
  });
});

describe('auctions', () => {
  it('a bid and the one that it outbids', () => {
    const refund: Sent = {
      op: 0,
      to: SELLER,
      value: 9n,
      body: comment('Your bid has been outbid by another user.'),
    };
    const root = wallet(BUYER, { to: AUCTION, value: 20n, sends: [refund] });
    expect(columnsOf(root, { [ITEM]: item(), [AUCTION]: auction })).toMatchObject([
      { type: 'auction_bid', source: BUYER, destination: AUCTION, value: 20n, asset_secondary: ITEM },
      {
        type: 'auction_outbid',
        source: AUCTION,
        source_secondary: BUYER,
        destination: SELLER,
        amount: 9n,
      },
    ]);
  });

  it('a domain is bid for only where it answers', () => {
    const domain = item(null, 'i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk=');
    const bid = (...sends: Sent[]) => columnsOf(wallet(BUYER, { to: ITEM, sends }), { [ITEM]: domain });
    expect(bid()).toMatchObject([{ type: 'ton_transfer' }]);
    const placed = { nft_transfer_data: { marketplace: 'fragment' } };
    expect(bid({ op: 0x557cea20, to: SELLER })).toMatchObject([
      { type: 'auction_bid', ...placed },
      { type: 'auction_outbid', ...placed },
    ]);
  });

  it('Fragment items start and cancel auctions themselves', () => {
    const fragmentItem = item('https://nft.fragment.com/username/a.json');
    const config = putAddress(new CellBuilder(), MARKET)
      .coins(10n)
      .coins(0n)
      .uint(5, 8)
      .bigUint(0n, 64)
      .cell();
    const start: Sent = {
      op: 0x487a8e81,
      to: ITEM,
      body: (builder) => builder.bigUint(1n, 64).ref(config),
      sends: [{ op: 0xa37a0983, to: SELLER }],
    };
    expect(columnsOf(wallet(SELLER, start), { [ITEM]: fragmentItem })).toMatchObject([
      {
        type: 'teleitem_start_auction',
        source: SELLER,
        destination: ITEM,
        nft_listing_data: {
          min_bid: 10n,
          max_bid: 0n,
          marketplace_fee_address: MARKET,
          marketplace: 'fragment',
        },
      },
    ]);
    const cancel: Sent = { op: 0x371638ae, to: ITEM, aborted: true };
    expect(columnsOf(wallet(SELLER, cancel), { [ITEM]: fragmentItem })).toMatchObject([
      { type: 'teleitem_cancel_auction', source: SELLER, success: false },
    ]);
    expect(columnsOf(wallet(SELLER, cancel), { [ITEM]: item() })).toMatchObject([{ type: 'call_contract' }]);
  });
});

describe('items', () => {
  it('a deployed item is minted, and its deployment is an action too', () => {
    const root = wallet(SELLER, { op: 1, to: ITEM, deploys: true });
    expect(columnsOf(root, { [ITEM]: item() })).toMatchObject([
      {
        type: 'nft_mint',
        source: SELLER,
        destination: ITEM,
        opcode: 1,
        nft_mint_data: { nft_item_index: 5n },
      },
      { type: 'contract_deploy' },
    ]);
  });

  it('an item says what it is, and a sale changes its price', () => {
    const report: Sent = {
      op: 0x8b771735,
      to: SELLER,
      body: (builder) => void putAddress(builder.bigUint(0n, 64).bigUint(8n, 256), COLLECTION),
    };
    expect(columnsOf(wallet(SELLER, { op: 0x2fcb26a2, to: ITEM, sends: [report] }), {})).toMatchObject([
      { type: 'nft_discovery', source: SELLER, asset: COLLECTION, nft_transfer_data: { nft_item_index: 8n } },
    ]);
    const update: Sent = {
      op: 0x6c6c2080,
      to: SALE,
      body: (builder) => builder.bigUint(0n, 64).coins(70n).coins(2n).coins(3n),
    };
    expect(columnsOf(wallet(SELLER, update), { [SALE]: sale })).toMatchObject([
      {
        type: 'nft_update_sale',
        destination: SALE,
        asset_secondary: ITEM,
        nft_listing_data: { full_price: 70n, marketplace_fee: 2n, royalty_amount: 3n },
      },
    ]);
  });
});
