import { CellSlice } from '../../boc/cell-slice.ts';
import {
  type ContractDetails,
  type ContractState,
  NO_NAME,
  type ReadContract,
  rawField,
} from '../contract-state.ts';
import { standardOrNone } from '../read-fields.ts';

/**
 * Fixed-price sale, versions 2 and 3 (`get_sale_data`). Later versions have more data after the fees.
 *
 *     fees#_ marketplace_fee_address:MsgAddress marketplace_fee:Coins royalty_address:MsgAddress royalty_amount:Coins = Fees;
 *     _ is_complete:Bool created_at:uint32 marketplace:MsgAddress nft:MsgAddress nft_owner:MsgAddress full_price:Coins
 *       fees:^Fees = SaleData;
 */
export const readSale: ReadContract = ({ boc, data }) => {
  const slice = new CellSlice(boc, data);
  const isComplete = slice.bit();
  const createdAt = slice.uint(32);
  const marketplace = rawField(slice);
  const nft = standardOrNone(slice);
  const owner = standardOrNone(slice);
  const fullPrice = slice.coins();
  const fees = new CellSlice(boc, slice.ref());
  return sale(nft, owner, {
    is_complete: isComplete,
    created_at: createdAt,
    marketplace_address: marketplace,
    full_price: fullPrice.toString(),
    marketplace_fee_address: rawField(fees),
    marketplace_fee: fees.coins().toString(),
    royalty_address: rawField(fees),
    royalty_amount: fees.coins().toString(),
  });
};

/**
 * Fixed-price sale, version 4 (`get_fix_price_data_v4`): its fees are shares of the price, of 100,000.
 *
 *     static#_ marketplace_fee_address:MsgAddress royalty_address:MsgAddress marketplace_fee:uint17 royalty:uint17
 *       nft:MsgAddress created_at:uint32 = SaleStatic;
 *     _ is_complete:Bool marketplace:MsgAddress nft_owner:MsgAddress full_price:Coins sold_at:uint32 sold_query_id:uint64
 *       static:^SaleStatic jetton_prices:(HashmapE 256 JettonPrice) public_key:(Maybe bits256) = SaleDataV4;
 */
export const readSaleV4: ReadContract = ({ boc, data }) => {
  const slice = new CellSlice(boc, data);
  const isComplete = slice.bit();
  const marketplace = rawField(slice);
  const owner = standardOrNone(slice);
  const fullPrice = slice.coins();
  const fixed = new CellSlice(boc, slice.ref());
  const feeAddress = rawField(fixed);
  const royaltyAddress = rawField(fixed);
  const [fee, royalty] = [fixed.uint(17), fixed.uint(17)];
  const nft = standardOrNone(fixed);
  return sale(nft, owner, {
    is_complete: isComplete,
    created_at: fixed.uint(32),
    marketplace_address: marketplace,
    full_price: fullPrice.toString(),
    marketplace_fee_address: feeAddress,
    marketplace_fee: fee.toString(),
    royalty_address: royaltyAddress,
    royalty_amount: royalty.toString(),
  });
};

function sale(
  nft: ContractState['parent'],
  owner: ContractState['owner'],
  details: ContractDetails,
): ContractState {
  return { ...NO_NAME, kind: 'nft_sale', owner, parent: nft, details };
}
