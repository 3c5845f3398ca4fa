import { type ContractDetails, rawOrNull } from '../../ton/contracts/contract-state.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { StackValue } from '../../ton/tvm/stack-value.ts';
import { type AskAccount, hasValues, needValues } from './ask-contract.ts';
import {
  addressOf,
  cellOf,
  digitsOf,
  flagOf,
  intOf,
  NotThisTokenError,
  numberOf,
  requiredAddress,
  textOf,
} from './token-stack.ts';

/** Sale of an NFT, or an item that sells itself, by its get methods. Addresses and details as in `ContractState`. */
export interface SaleData {
  readonly kind: 'nft_sale' | 'nft_auction' | 'teleitem';
  /** Seller of the NFT, owner of the item. */
  readonly owner: AccountAddress | null;
  /** The NFT that is sold, the collection of the item. */
  readonly parent: AccountAddress | null;
  readonly details: ContractDetails;
}

type Values = readonly StackValue[];

/** First value of `get_sale_data`: `FIXP`, `AUC`. */
const FIXED_PRICE = 0x46495850n;
const AUCTION = 0x415543n;

/**
 * Reads an account as a sale, an auction or an item of Telegram (v3-rules.md 6).
 * @throws NotThisTokenError why it is none of this kind
 */
export function readSaleData(ask: AskAccount, kind: SaleData['kind']): Promise<SaleData> {
  if (kind === 'nft_sale') return sale(ask);
  return kind === 'nft_auction' ? auction(ask) : teleItem(ask);
}

async function sale(ask: AskAccount): Promise<SaleData> {
  const later = await ask('get_fix_price_data_v4');
  return hasValues(later, 13)
    ? eitherOf(
        () => saleV4Of(later),
        () => olderSale(ask),
      )
    : olderSale(ask);
}

async function olderSale(ask: AskAccount): Promise<SaleData> {
  const values = await needValues(ask, 'get_sale_data', 11);
  if (intOf(values[0]) !== FIXED_PRICE) throw new NotThisTokenError('a fixed price', 'another sale');
  return saleOf(values.slice(1));
}

/** Reads a contract by its newer method, else by its older one. @throws NotThisTokenError why the newer does not fit */
async function eitherOf(newer: () => SaleData, older: () => Promise<SaleData>): Promise<SaleData> {
  try {
    return newer();
  } catch (error) {
    if (!(error instanceof NotThisTokenError)) throw error;
    return older().catch((other: unknown) => {
      throw other instanceof NotThisTokenError ? error : other;
    });
  }
}

function saleV4Of(values: Values): SaleData {
  const [soldAt, query, prices] = values.slice(10);
  for (const value of [soldAt, query]) intOf(value);
  if (prices?.kind !== 'null') cellOf(prices);
  return saleOf(values);
}

/** From `complete` to `royalty`. */
function saleOf(values: Values): SaleData {
  const [complete, created, marketplace, nft, owner, price, feeAddress, fee, royaltyAddress, royalty] =
    values;
  return {
    kind: 'nft_sale',
    owner: addressOf(owner),
    parent: requiredAddress(nft),
    details: {
      is_complete: flagOf(complete),
      created_at: numberOf(created),
      marketplace_address: rawOf(marketplace),
      full_price: digitsOf(price),
      marketplace_fee_address: rawOf(feeAddress),
      marketplace_fee: digitsOf(fee),
      royalty_address: rawOf(royaltyAddress),
      royalty_amount: digitsOf(royalty),
    },
  };
}

async function auction(ask: AskAccount): Promise<SaleData> {
  const later = await ask('get_auction_data_v4');
  return hasValues(later, 26)
    ? eitherOf(
        () => auctionV4Of(later),
        () => olderAuction(ask),
      )
    : olderAuction(ask);
}

async function olderAuction(ask: AskAccount): Promise<SaleData> {
  const values = await needValues(ask, 'get_sale_data', 20);
  if (intOf(values[0]) !== AUCTION) throw new NotThisTokenError('an auction', 'another sale');
  return auctionOf(values.slice(1));
}

function auctionV4Of(values: Values): SaleData {
  const [stepTime, query, jettonWallet, jettonMaster, broken, publicKey] = values.slice(20);
  for (const value of [values[0], stepTime, query, broken, publicKey]) intOf(value);
  for (const value of [jettonWallet, jettonMaster]) addressOf(value);
  return auctionOf(values.slice(1));
}

/** From `end` to `canceled`. */
function auctionOf(values: Values): SaleData {
  const [ended, endTime, marketplace, nft, owner, lastBid, lastMember, minStep, ...rest] = values;
  const [feeAddress, feeFactor, feeBase, royaltyAddress, royaltyFactor, royaltyBase, ...last] = rest;
  const [maxBid, minBid, created, lastBidAt, canceled] = last;
  return {
    kind: 'nft_auction',
    owner: addressOf(owner),
    parent: requiredAddress(nft),
    details: {
      end_flag: flagOf(ended),
      last_member: rawOrNull(addressOf(lastMember)),
      last_bid: digitsOf(lastBid),
      last_bid_at: numberOf(lastBidAt),
      end_time: numberOf(endTime),
      marketplace_address: rawOf(marketplace),
      min_step: digitsOf(minStep),
      mp_fee_address: rawOf(feeAddress),
      mp_fee_factor: numberOf(feeFactor),
      mp_fee_base: numberOf(feeBase),
      royalty_fee_address: rawOf(royaltyAddress),
      royalty_fee_factor: numberOf(royaltyFactor),
      royalty_fee_base: numberOf(royaltyBase),
      max_bid: digitsOf(maxBid),
      min_bid: digitsOf(minBid),
      created_at: numberOf(created),
      is_canceled: flagOf(canceled),
    },
  };
}

/** An auction that cannot be asked for is none: zeros and null. */
async function teleItem(ask: AskAccount): Promise<SaleData> {
  const [name] = await needValues(ask, 'get_telemint_token_name', 1);
  const config = await needValues(ask, 'get_telemint_auction_config', 6);
  const [numerator, denominator, destination] = await needValues(ask, 'royalty_params', 3);
  const [beneficiary, initialMinBid, maxBid, step, extend, duration] = config;
  const state = await ask('get_telemint_auction_state');
  const item = await ask('get_nft_data');
  const [, , collection, owner] = hasValues(item, 5) ? item : [];
  return {
    kind: 'teleitem',
    owner: owner ? addressOf(owner) : null,
    parent: collection ? addressOf(collection) : null,
    details: {
      token_name: textOf(name),
      ...stateOf(hasValues(state, 5) ? state : null),
      beneficiary_address: rawOrNull(addressOf(beneficiary)),
      initial_min_bid: digitsOf(initialMinBid),
      max_bid: digitsOf(maxBid),
      min_bid_step: digitsOf(step),
      min_extend_time: digitsOf(extend),
      duration: digitsOf(duration),
      royalty_numerator: numberOf(numerator),
      royalty_denominator: numberOf(denominator),
      royalty_destination: rawOf(destination),
    },
  };
}

function stateOf(state: Values | null): ContractDetails {
  if (!state) return { bidder_address: null, bid: '0', bid_ts: '0', min_bid: '0', end_time: 0 };
  const [bidder, bid, at, minBid, end] = state;
  return {
    bidder_address: rawOrNull(addressOf(bidder)),
    bid: digitsOf(bid),
    bid_ts: digitsOf(at),
    min_bid: digitsOf(minBid),
    end_time: numberOf(end),
  };
}

const rawOf = (value: StackValue | undefined): string | null => rawOrNull(requiredAddress(value));
