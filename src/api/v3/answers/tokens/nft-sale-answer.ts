import type { ContractRow } from '../../../entities/contracts/model.ts';
import type { NftItemAnswer, NftSaleAnswer } from '../../schemas/nft.ts';

const TYPES = { nft_sale: 'getgems_sale', nft_auction: 'getgems_auction', teleitem: 'telemint' } as const;

/** Details that are fields of the sale itself, or records of a name. */
const ELSEWHERE = new Set([
  'marketplace_address',
  'created_at',
  'domain',
  'dns_next_resolver',
  'dns_wallet',
  'dns_site_adnl',
  'dns_storage_bag_id',
]);

/** A sale, an auction, or the auction of a username. */
export type SaleRow = ContractRow & { readonly kind: keyof typeof TYPES };

/** The sold item: a username sells itself. */
export function soldBy(row: SaleRow): string | null {
  return row.kind === 'teleitem' ? row.address : row.parent;
}

/** NFTSale of v3-models.md section 10. */
export function nftSaleAnswer(row: SaleRow, item: NftItemAnswer | undefined): NftSaleAnswer {
  const { created_at: createdAt, marketplace_address: marketplace } = row.details;
  const nft = soldBy(row);
  return {
    type: TYPES[row.kind],
    address: row.address,
    ...(nft === null ? {} : { nft_address: nft }),
    ...(row.owner === null ? {} : { nft_owner_address: row.owner }),
    ...(typeof marketplace === 'string' ? { marketplace_address: marketplace } : {}),
    ...(typeof createdAt === 'number' ? { created_at: createdAt } : {}),
    last_transaction_lt: row.lt,
    code_hash: row.codeHash,
    data_hash: row.dataHash,
    details: toDetails(row),
    ...(item ? { nft_item: item } : {}),
  };
}

function toDetails({ details }: SaleRow): NftSaleAnswer['details'] {
  const known = Object.entries(details).flatMap(([name, value]) =>
    value === null || typeof value === 'object' || ELSEWHERE.has(name) ? [] : [[name, value] as const],
  );
  // A step is a number in answers; steps above 2^53 nanotons, which no auction needs, lose their last digits.
  const shown = known.map(([name, value]) => [name, name === 'min_step' ? Number(value) : value] as const);
  return Object.fromEntries(shown);
}

const FEES = [
  'marketplace_address',
  'marketplace_fee_address',
  'royalty_address',
  'mp_fee_address',
  'royalty_fee_address',
  'beneficiary_address',
  'royalty_destination',
] as const;

/** Addresses in the address book in addition to the item's (v3-rules.md 9). */
export function saleAddresses(row: SaleRow): readonly (string | null)[] {
  const fees = FEES.map((name) => row.details[name]);
  return [row.address, soldBy(row), row.owner, ...fees.filter((one) => typeof one === 'string')];
}
