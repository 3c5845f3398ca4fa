/** Trades of a local chain: the exchange and the marketplace, as actions of the API. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import { jettonWalletAddress } from '../../src/localnet/genesis/genesis-jetton.ts';
import type { Wallet } from '../../src/localnet/wallets/wallet.ts';
import { raw, TOKENS, TradingChain, WALLETS } from '../helpers/trading-chain.ts';

const [alice, bob] = [WALLETS.traffic[0]!, WALLETS.traffic[1]!];
const { jetton, exchange } = TOKENS;
type Fields = Record<string, unknown>;

const market = raw(TOKENS.marketplace.address);
const minter = raw(jetton.minter.address);
const TON = 1_000_000_000n;
const COIN = 1_000_000_000n;

const typesOf = (actions: readonly ActionAnswer[]) =>
  actions.map(({ type, success }) => `${success ? '' : '!'}${type}`).sort();

describe('trades of a local chain', { timeout: 600_000 }, () => {
  let chain: TradingChain;
  beforeAll(async () => {
    chain = await TradingChain.open();
  }, 600_000);
  afterAll(async () => {
    await chain?.api.close();
    expect(chain?.api.logged).toEqual([]);
  });

  /** What the pool gives for an input: 0.3 % of it stays in the pool. */
  const out = (amountIn: bigint, reserveIn: bigint, reserveOut: bigint) => {
    const paid = amountIn * 997n;
    return (reserveOut * paid) / (reserveIn * 1000n + paid);
  };
  const reserves = { ton: 1_000_000n * TON, jettons: 10_000_000n * COIN };

  it('show swaps of both directions with amounts, sender and pool', async () => {
    const { stored, predicted } = await chain.traffic('swap TON', alice);
    expect(typesOf(stored)).toEqual(['jetton_swap']);
    expect(typesOf(predicted)).toEqual(['jetton_swap']);
    const [bought] = stored;
    const amountIn = BigInt(
      (bought!.details as { dex_incoming_transfer: { amount: string } }).dex_incoming_transfer.amount,
    );
    const amountOut = out(amountIn, reserves.ton, reserves.jettons);
    expect(amountIn).toBeGreaterThan(TON / 10n);
    expect(bought).toMatchObject({
      success: true,
      details: {
        dex: 'dedust',
        sender: raw(alice.address),
        asset_in: null,
        asset_out: minter,
        dex_incoming_transfer: {
          asset: null,
          source: raw(alice.address),
          destination: raw(exchange.nativeVault.address),
        },
        dex_outgoing_transfer: {
          asset: minter,
          source: raw(exchange.jettonVault.address),
          destination: raw(alice.address),
          source_jetton_wallet: raw(jettonWalletAddress(jetton.minter.address, exchange.jettonVault.address)),
          destination_jetton_wallet: raw(jettonWalletAddress(jetton.minter.address, alice.address)),
          amount: `${amountOut}`,
        },
        peer_swaps: [],
      },
    });
    const sold = (await chain.traffic('swap jettons', bob)).stored;
    expect(typesOf(sold)).toEqual(['jetton_swap']);
    const details = sold[0]!.details as {
      dex_incoming_transfer: { amount: string };
      dex_outgoing_transfer: { amount: string };
    };
    const jettonsIn = BigInt(details.dex_incoming_transfer.amount);
    expect(details).toMatchObject({
      dex: 'dedust',
      sender: raw(bob.address),
      asset_in: minter,
      asset_out: null,
      dex_incoming_transfer: { asset: minter, destination: raw(exchange.jettonVault.address) },
      dex_outgoing_transfer: {
        asset: null,
        source: raw(exchange.nativeVault.address),
        destination: raw(bob.address),
        amount: `${out(jettonsIn, reserves.jettons - amountOut, reserves.ton + amountIn)}`,
      },
    });
    // The pool is in no field of the details, but among the accounts.
    const { actions } = await chain.get<{ actions: ActionAnswer[] }>(
      `v3/actions?action_type=jetton_swap&account=${raw(exchange.pool.address)}&sort=asc`,
    );
    expect(actions).toEqual([bought, ...sold]);
  });

  it('show a swap at a price that the pool refuses as failed', async () => {
    for (const name of ['swap TON too dear', 'swap jettons too dear']) {
      const { stored, predicted } = await chain.traffic(name, alice);
      expect([name, typesOf(stored)]).toEqual([name, ['!jetton_swap']]);
      expect(typesOf(predicted)).toEqual(typesOf(stored));
    }
  });

  /**
   * Does what a kind does. Its actions are those that emulation predicted, except listings: their contract is not
   * indexed before its block.
   */
  async function trade(name: string, from: Wallet, seed = name) {
    const { act, stored, predicted } = await chain.traffic(name, from, seed);
    if (name !== 'NFT offer' && name !== 'NFT auction')
      expect([name, typesOf(predicted)]).toEqual([name, typesOf(stored)]);
    const one = (type: string) => stored.find((action) => action.type === type)!.details as Fields;
    return { types: typesOf(stored), one, ...act };
  }

  it('show a sale from the offer to the purchase, with price, buyer, seller and marketplace', async () => {
    const offer = await trade('NFT offer', alice);
    expect(offer.types).toEqual(['contract_deploy', 'nft_put_on_sale']);
    const listed = offer.one('nft_put_on_sale');
    const [seller, item] = [raw(offer.from.address), raw(offer.transfers[0]!.to)];
    expect(listed).toMatchObject({
      owner: seller,
      nft_item: item,
      nft_collection: raw(TOKENS.nfts.collection.address),
      listing_address: market,
      marketplace_fee_address: market,
      royalty_address: raw(TOKENS.royaltyTo),
    });
    const price = BigInt(listed.full_price as string);
    const buyer = offer.from === alice ? bob : alice;
    const bought = await trade('NFT purchase', buyer);
    expect(bought.types).toEqual(['nft_purchase', 'ton_transfer', 'ton_transfer']);
    expect(bought.one('nft_purchase')).toMatchObject({
      is_purchase: true,
      nft_item: item,
      new_owner: raw(buyer.address),
      old_owner: listed.sale_address,
      real_old_owner: seller,
      price: `${price}`,
      marketplace_address: market,
      payout_address: seller,
      // The fee is 2 % and the royalty 5 %.
      payout_amount: `${(price * 93n) / 100n}`,
    });
  });

  it('show a sale that its owner withdraws', async () => {
    const offer = await trade('NFT offer', bob);
    const withdrawn = await trade('NFT offer withdrawn', alice);
    expect(withdrawn.types).toEqual(['nft_cancel_sale', 'nft_transfer']);
    expect(withdrawn.one('nft_cancel_sale')).toMatchObject({
      owner: raw(offer.from.address),
      sale_address: offer.one('nft_put_on_sale').sale_address,
    });
  });

  it('show an auction with its bids, the refund and the sale to the highest bidder', async () => {
    const listed = await trade('NFT auction', alice);
    expect(listed.types).toEqual(['contract_deploy', 'nft_put_on_auction']);
    const { auction_address: auction, nft_item: item, min_bid } = listed.one('nft_put_on_auction');
    const others = WALLETS.traffic.filter((wallet) => wallet !== listed.from);
    const [first, second] = [others[0]!, others[1]!];
    const bid = await trade('auction bid', first);
    expect(bid.types).toEqual(['auction_bid']);
    expect(bid.one('auction_bid')).toMatchObject({
      auction,
      bidder: raw(first.address),
      nft_item: item,
      amount: `${bid.transfers[0]!.value}`,
    });
    const higher = await trade('auction bid', second);
    expect(higher.types).toEqual(['auction_bid', 'auction_outbid']);
    expect(higher.one('auction_outbid')).toMatchObject({
      auction_address: auction,
      bidder: raw(first.address),
      new_bidder: raw(second.address),
      // An auction takes 0.1 TON of each bid.
      amount: `${bid.transfers[0]!.value - TON / 10n}`,
    });
    await chain.warp(300);
    const end = await trade('auction end', alice);
    expect(end.types).toEqual(['nft_finish_auction', 'nft_purchase', 'ton_transfer', 'ton_transfer']);
    const price = higher.transfers[0]!.value - TON / 10n;
    expect(price).toBeGreaterThanOrEqual(BigInt(min_bid as string));
    expect(end.one('nft_purchase')).toMatchObject({
      nft_item: item,
      new_owner: raw(second.address),
      real_old_owner: raw(listed.from.address),
      price: `${price}`,
      marketplace_address: market,
      payout_amount: `${price - (price * 2n) / 100n - (price * 5n) / 100n}`,
    });
  });

  it('show a cancelled auction', async () => {
    await trade('NFT auction', alice);
    const { types } = await trade('auction cancelled', alice);
    expect(types).toEqual(['nft_cancel_auction', 'nft_transfer']);
  });

  it('show the auction of a username up to the sale', async () => {
    const start = await trade('username auction', alice);
    expect(start.types).toEqual(['teleitem_start_auction']);
    const name = raw(start.transfers[0]!.to);
    const others = WALLETS.traffic.filter((wallet) => wallet !== start.from);
    const bids: Awaited<ReturnType<typeof trade>>[] = [];
    for (let index = 0; !bids.at(-1)?.types.includes('nft_transfer'); index++)
      bids.push(await trade('username bid', others[index % 2]!, `bid ${index}`));
    expect(bids[0]!.types).toEqual(['auction_bid']);
    expect(bids[0]!.one('auction_bid')).toMatchObject({
      auction: name,
      nft_item: name,
      bidder: raw(others[0]!.address),
      amount: `${bids[0]!.transfers[0]!.value}`,
    });
    const last = bids.at(-1)!;
    expect(last.one('nft_transfer')).toMatchObject({
      is_purchase: true,
      nft_item: name,
      nft_collection: raw(TOKENS.usernames.collection.address),
      old_owner: raw(start.from.address),
      new_owner: raw(last.from.address),
      price: `${last.transfers[0]!.value}`,
      payout_address: raw(start.from.address),
      royalty_address: raw(TOKENS.royaltyTo),
      royalty_amount: `${(last.transfers[0]!.value * 5n) / 100n}`,
    });
  });
});
