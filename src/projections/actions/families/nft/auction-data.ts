import type { Body } from '../../body/body.ts';
import { Refusal } from '../../body/refusal.ts';
import type { AuctionTerms } from './nft-listings.ts';

/** Reads the data cell of a new auction. */
type Reader = (data: Body) => AuctionTerms;

/** Addresses and shares of marketplace and royalty. */
type Fees = Omit<AuctionTerms, 'minBid' | 'maxBid'>;

/** fee_address fee_factor:uint32 fee_base:uint32 royalty_address royalty_factor:uint32 royalty_base:uint32 */
function readFees(fees: Body): Fees {
  const feeAddress = fees.address();
  const [feeFactor, feeBase] = [fees.uint(32), fees.uint(32)];
  const royaltyAddress = fees.address();
  fees.skip(32);
  return { feeAddress, feeFactor, feeBase, royaltyAddress, royaltyBase: fees.uint(32) };
}

/** ^fees ^bids(min:Coins max:Coins …) */
function readV1(data: Body): AuctionTerms {
  const fees = readFees(data.ref());
  const bids = data.ref();
  return { ...fees, minBid: bids.coins(), maxBid: bids.coins() };
}

function readV2(): AuctionTerms {
  throw new Refusal('the data of an auction v2 cannot be read');
}

/** Flags, then last member, last bid, last bid's time and end time. */
function skipState(data: Body, flags: number): void {
  data.skip(flags).address();
  data.coins();
  data.skip(32 + 32);
}

/** 3 flags state ^fees ^const(sub_gas:uint32 marketplace min:Coins max:Coins …) */
function readV3R2(data: Body): AuctionTerms {
  skipState(data, 3);
  const fees = readFees(data.ref());
  const constants = data.ref().skip(32);
  constants.address();
  return { ...fees, minBid: constants.coins(), maxBid: constants.coins() };
}

/** 2 flags state owner uint64 factors and bases ^(fee_address royalty_address) ^(marketplace min:Coins max:Coins …) */
function readV3R3(data: Body): AuctionTerms {
  skipState(data, 2);
  data.address();
  data.skip(64);
  const [feeFactor, feeBase] = [data.uint(32), data.uint(32)];
  const royaltyBase = data.skip(32).uint(32);
  const addresses = data.ref();
  const [feeAddress, royaltyAddress] = [addresses.address(), addresses.address()];
  return { feeAddress, feeFactor, feeBase, royaltyAddress, royaltyBase, ...readBids(data.ref()) };
}

/** 2 flags state owner uint64 ^(fee_address royalty_address 4 × uint32) ^(marketplace min:Coins max:Coins …) */
function readV4(data: Body): AuctionTerms {
  skipState(data, 2);
  data.address();
  data.skip(64);
  const fees = data.ref();
  const [feeAddress, royaltyAddress] = [fees.address(), fees.address()];
  const [feeFactor, feeBase] = [fees.uint(32), fees.uint(32)];
  const royaltyBase = fees.skip(32).uint(32);
  return { feeAddress, feeFactor, feeBase, royaltyAddress, royaltyBase, ...readBids(data.ref()) };
}

function readBids(constants: Body): Pick<AuctionTerms, 'minBid' | 'maxBid'> {
  constants.address();
  return { minBid: constants.coins(), maxBid: constants.coins() };
}

/** Versions of the auction by code hash. */
const VERSIONS: ReadonlyMap<string, Reader> = new Map([
  ['/ACindAgW83MDT/7nKOMw8jBWexg2KpUMkCpLxBZLUA=', readV1],
  ['ZmiHL6eXBUQ//UdSPo6eqfdquZ+aC1nSfej4GhwnudQ=', readV2],
  ['G9nFo5v/t6DzQViLXdkrgTqEK/Ze8UEJOCIAzq+Pct8=', readV3R2],
  ['u29ireD+stefqzuK6/CTCvmFU99gCTsgJ/Covxab/Ow=', readV3R3],
  ['zlp4U06qps7tja/UhtB262CpsNbb+1Nnb2YmScBomVY=', readV4],
  // Of the local chain (nft-auction.tolk).
  ['gmjZ8EQBD59earKwLROwVL2BfPCKLjAAPZU+Ar3iFNs=', readV4],
]);

/**
 * Terms of an auction from its initial data; code that is not known is taken for version v3r3.
 * @throws CellError; Refusal: version v2
 */
export function readAuctionData(codeHash: string | null, data: Body): AuctionTerms {
  return (VERSIONS.get(codeHash ?? '') ?? readV3R3)(data);
}
