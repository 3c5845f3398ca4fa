import type { Body } from '../../body/body.ts';
import type { SaleTerms } from './nft-listings.ts';

/** Reads the data cell of a new sale. */
type Reader = (data: Body) => SaleTerms;

/** marketplace nft owner full_price:Coins ^(fee:Coins fee_address royalty_address royalty:Coins) */
function readV1(data: Body): SaleTerms {
  const marketplace = data.address();
  data.address();
  data.address();
  const fullPrice = data.coins();
  const fees = data.ref();
  const fee = fees.coins();
  return {
    marketplace,
    fullPrice,
    fee,
    feeAddress: fees.address(),
    royaltyAddress: fees.address(),
    royalty: fees.coins(),
  };
}

/** is_complete:Bool created_at:uint32 marketplace nft owner full_price:Coins ^(fee_address fee:Coins royalty_address royalty:Coins) */
function readV2(data: Body): SaleTerms {
  const marketplace = data.skip(33).address();
  data.address();
  data.address();
  const fullPrice = data.coins();
  const fees = data.ref();
  const feeAddress = fees.address();
  const fee = fees.coins();
  return { marketplace, fullPrice, feeAddress, fee, royaltyAddress: fees.address(), royalty: fees.coins() };
}

/** is_complete:Bool marketplace owner full_price:Coins sold_at:uint32 query:uint64 ^(fee_address royalty_address …shares) */
function readV4(data: Body): SaleTerms {
  const marketplace = data.skip(1).address();
  data.address();
  const fullPrice = data.coins();
  const fees = data.ref();
  return {
    marketplace,
    fullPrice,
    feeAddress: fees.address(),
    fee: null,
    royaltyAddress: fees.address(),
    royalty: null,
  };
}

/** Versions of the fixed-price sale by code hash. */
const VERSIONS: ReadonlyMap<string, Reader> = new Map([
  ['2pufziLofEllctIDZSWVebzO+RpyA1fMvowFLvyb4I8=', readV1],
  ['gnj0xSM95vvtyWmvUZNEp6m//FRIVtuphqlcC8+Fcck=', readV2],
  ['MgUN+sRPZIZrzIbyzZ4TBf6dyts5WcACI3z7CQLUQyM=', readV2],
  ['3rU7bFdlwebNI4v0e8XoO6WWvcwEsLhM1Qqx5HSgjzE=', readV2],
  ['JCIfpXHlQuBVx3vt/b9SfHr0YM/cfzRMRQeHtM+h600=', readV2],
  ['a5WmQYucnSNZBF0edVm41UmuDlBvJMqrWPowyPsf64Y=', readV4],
]);

/**
 * Terms of a sale from its initial data; code that is not known is taken for the newest version.
 * @throws CellError
 */
export function readSaleData(codeHash: string | null, data: Body): SaleTerms {
  return (VERSIONS.get(codeHash ?? '') ?? readV4)(data);
}
