import { type ContractDetails, rawOrNull } from '../../../ton/contracts/contract-state.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import type { StackValue } from '../../../tvm/stack/stack-value.ts';
import { type AskAccount, hasValues, needValues } from './ask-contract.ts';
import {
  NotThisTokenError,
  readAddress,
  readCellBag,
  readDigits,
  readFlag,
  readInt,
  readNumber,
  readTextOrNull,
  requiredAddress,
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
    ? readEither(
        () => toSaleV4(later),
        () => olderSale(ask),
      )
    : olderSale(ask);
}

async function olderSale(ask: AskAccount): Promise<SaleData> {
  const values = await needValues(ask, 'get_sale_data', 11);
  if (readInt(values[0]) !== FIXED_PRICE) throw new NotThisTokenError('a fixed price', 'another sale');
  return toSale(values.slice(1));
}

/** Reads a contract by its newer method, else by its older one. @throws NotThisTokenError why the newer does not fit */
async function readEither(newer: () => SaleData, older: () => Promise<SaleData>): Promise<SaleData> {
  try {
    return newer();
  } catch (error) {
    if (!(error instanceof NotThisTokenError)) throw error;
    return older().catch((other: unknown) => {
      throw other instanceof NotThisTokenError ? error : other;
    });
  }
}

function toSaleV4(values: Values): SaleData {
  const [soldAt, query, prices] = values.slice(10);
  for (const value of [soldAt, query]) readInt(value);
  if (prices?.kind !== 'null') readCellBag(prices);
  return toSale(values);
}

/** From `complete` to `royalty`. */
function toSale(values: Values): SaleData {
  const [complete, created, marketplace, nft, owner, price, feeAddress, fee, royaltyAddress, royalty] =
    values;
  return {
    kind: 'nft_sale',
    owner: readAddress(owner),
    parent: requiredAddress(nft),
    details: {
      is_complete: readFlag(complete),
      created_at: readNumber(created),
      marketplace_address: toRawAddress(marketplace),
      full_price: readDigits(price),
      marketplace_fee_address: toRawAddress(feeAddress),
      marketplace_fee: readDigits(fee),
      royalty_address: toRawAddress(royaltyAddress),
      royalty_amount: readDigits(royalty),
    },
  };
}

async function auction(ask: AskAccount): Promise<SaleData> {
  const later = await ask('get_auction_data_v4');
  return hasValues(later, 26)
    ? readEither(
        () => toAuctionV4(later),
        () => olderAuction(ask),
      )
    : olderAuction(ask);
}

async function olderAuction(ask: AskAccount): Promise<SaleData> {
  const values = await needValues(ask, 'get_sale_data', 20);
  if (readInt(values[0]) !== AUCTION) throw new NotThisTokenError('an auction', 'another sale');
  return toAuction(values.slice(1));
}

function toAuctionV4(values: Values): SaleData {
  const [stepTime, query, jettonWallet, jettonMaster, broken, publicKey] = values.slice(20);
  for (const value of [values[0], stepTime, query, broken, publicKey]) readInt(value);
  for (const value of [jettonWallet, jettonMaster]) readAddress(value);
  return toAuction(values.slice(1));
}

/** From `end` to `canceled`. */
function toAuction(values: Values): SaleData {
  const [ended, endTime, marketplace, nft, owner, lastBid, lastMember, minStep, ...rest] = values;
  const [feeAddress, feeFactor, feeBase, royaltyAddress, royaltyFactor, royaltyBase, ...last] = rest;
  const [maxBid, minBid, created, lastBidAt, canceled] = last;
  return {
    kind: 'nft_auction',
    owner: readAddress(owner),
    parent: requiredAddress(nft),
    details: {
      end_flag: readFlag(ended),
      last_member: rawOrNull(readAddress(lastMember)),
      last_bid: readDigits(lastBid),
      last_bid_at: readNumber(lastBidAt),
      end_time: readNumber(endTime),
      marketplace_address: toRawAddress(marketplace),
      min_step: readDigits(minStep),
      mp_fee_address: toRawAddress(feeAddress),
      mp_fee_factor: readNumber(feeFactor),
      mp_fee_base: readNumber(feeBase),
      royalty_fee_address: toRawAddress(royaltyAddress),
      royalty_fee_factor: readNumber(royaltyFactor),
      royalty_fee_base: readNumber(royaltyBase),
      max_bid: readDigits(maxBid),
      min_bid: readDigits(minBid),
      created_at: readNumber(created),
      is_canceled: readFlag(canceled),
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
    owner: owner ? readAddress(owner) : null,
    parent: collection ? readAddress(collection) : null,
    details: {
      token_name: readTextOrNull(name),
      ...toBidState(hasValues(state, 5) ? state : null),
      beneficiary_address: rawOrNull(readAddress(beneficiary)),
      initial_min_bid: readDigits(initialMinBid),
      max_bid: readDigits(maxBid),
      min_bid_step: readDigits(step),
      min_extend_time: readDigits(extend),
      duration: readDigits(duration),
      royalty_numerator: readNumber(numerator),
      royalty_denominator: readNumber(denominator),
      royalty_destination: toRawAddress(destination),
    },
  };
}

function toBidState(state: Values | null): ContractDetails {
  if (!state) return { bidder_address: null, bid: '0', bid_ts: '0', min_bid: '0', end_time: 0 };
  const [bidder, bid, at, minBid, end] = state;
  return {
    bidder_address: rawOrNull(readAddress(bidder)),
    bid: readDigits(bid),
    bid_ts: readDigits(at),
    min_bid: readDigits(minBid),
    end_time: readNumber(end),
  };
}

const toRawAddress = (value: StackValue | undefined): string | null => rawOrNull(requiredAddress(value));
