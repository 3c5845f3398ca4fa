import type { ContractRow } from '../../../entities/contracts/model.ts';
import type { TokenRow } from '../../../entities/tokens/model.ts';
import type { TransferRow } from '../../../entities/transfers/model.ts';
import type { NftCollectionAnswer, NftItemAnswer, NftTransferAnswer } from '../../schemas/nft.ts';
import { type TransferContext, transferFields } from './jetton-answers.ts';
import { NO_ADDRESS } from './jetton-wallet.ts';
import { itemContent, ownContent } from './token-content.ts';

/** NFTCollection of v3-models.md section 10. */
export function nftCollectionAnswer(row: TokenRow): NftCollectionAnswer {
  return {
    address: row.address,
    owner_address: row.owner,
    last_transaction_lt: row.lt,
    next_item_index: row.amount,
    collection_content: ownContent(row),
    data_hash: row.dataHash,
    code_hash: row.codeHash,
  };
}

/** NFTItem of v3-models.md section 10. `seller`: its owner, if that is a sale or an auction. */
export function nftItemAnswer(
  row: TokenRow,
  collection: TokenRow | undefined,
  seller: ContractRow | undefined,
): NftItemAnswer {
  return {
    address: row.address,
    init: row.flag,
    index: row.amount,
    collection_address: row.parent,
    owner_address: row.owner,
    content: itemContent(row, collection),
    last_transaction_lt: row.lt,
    code_hash: row.codeHash,
    data_hash: row.dataHash,
    collection: collection ? nftCollectionAnswer(collection) : null,
    ...saleFields(row, seller),
  };
}

/** An item is on sale where its owner is a sale or an auction of this item. */
function saleFields(row: TokenRow, seller: ContractRow | undefined) {
  if (!seller || seller.address !== row.owner || seller.parent !== row.address) return { on_sale: false };
  const { address, owner } = seller;
  return {
    on_sale: true,
    ...(seller.kind === 'nft_sale'
      ? { sale_contract_address: address }
      : { auction_contract_address: address }),
    ...(owner === null ? {} : { real_owner: owner }),
  };
}

/** NFTTransfer of v3-models.md section 10. */
export function nftTransferAnswer(row: TransferRow, context: TransferContext): NftTransferAnswer {
  return {
    ...transferFields(row, context),
    nft_address: row.address,
    nft_collection: row.parent ?? NO_ADDRESS,
    old_owner: row.source ?? NO_ADDRESS,
    new_owner: row.destination ?? NO_ADDRESS,
    forward_amount: row.forwardAmount,
    forward_payload: row.forwardPayload,
    decoded_forward_payload: context.bodies.decodedPayload(row.forwardPayload),
  };
}
