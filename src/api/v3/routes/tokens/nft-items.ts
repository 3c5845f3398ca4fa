import { soldItems } from '../../../entities/contracts/sold-items.ts';
import { tokenSource } from '../../../entities/tokens/filter.ts';
import { readTokens } from '../../../entities/tokens/find.ts';
import { type TokenOrder, tokenPlaces } from '../../../entities/tokens/model.ts';
import { HttpError } from '../../../http/errors/http-error.ts';
import { describeAddresses } from '../../answers/describe-addresses.ts';
import { itemAddresses, readNftItems } from '../../answers/read-nft-items.ts';
import { endpoint } from '../../endpoint.ts';
import { accounts, bool, texts } from '../../parameters/forms.ts';
import { PAGING, toPage } from '../../parameters/paging.ts';
import { SCANNING, scannedPage } from '../../scan.ts';
import { type NftItemsAnswer, NftItemsSchema } from '../../schemas/nft.ts';
import { requireOneOwner } from './jetton-wallets.ts';

interface Filters {
  readonly address: readonly unknown[];
  readonly owner_address: readonly unknown[];
  readonly collection_address: readonly unknown[];
  readonly index: readonly string[];
  readonly include_on_sale: boolean | undefined;
  readonly sort_by_last_transaction_lt: boolean | undefined;
}

/** `/nft/items` (v3-endpoints.md 6.2). */
export const nftItems = endpoint({
  path: '/nft/items',
  tag: 'nfts',
  summary: 'NFT items by filter.',
  reads: ['base', 'contracts'],
  parameters: {
    address: accounts('Items, at most 1000.'),
    owner_address: accounts('Owners, at most 1000.'),
    collection_address: accounts('Collections; more than one needs exactly one owner_address.'),
    index: texts('Indexes, decimal; with collection_address.'),
    include_on_sale: bool('With owner_address: items in a sale of the owner too.'),
    sort_by_last_transaction_lt: bool('The newest transaction first.'),
    ...PAGING,
    ...SCANNING,
  },
  answer: NftItemsSchema,
  cached: true,
  check: checkFilters,
  async handle(scope, values, { settings, switches }): Promise<NftItemsAnswer> {
    const { address: addresses, owner_address: owners, collection_address: parents } = values;
    const amounts = values.index.map((digits) => BigInt(digits).toString());
    const filter = { kind: 'nft_item', addresses, owners, parents, amounts } as const;
    const isSoldToo = values.include_on_sale === true && owners.length > 0;
    const page = toPage(values, settings);
    const order = getOrder(values);
    const places = tokenPlaces('nft_item', order);
    const { rows, next } = await scannedPage(scope, places, { values, page }, (scanned, scan) => {
      const sold = isSoldToo ? { sold: soldItems(tokenSource(scanned), owners) } : {};
      return readTokens(scanned, { ...filter, ...sold, after: scan?.after }, page, order);
    });
    const items = await readNftItems(scope, rows);
    return {
      nft_items: [...items],
      ...(await describeAddresses(scope, itemAddresses(items), switches)),
      ...next,
    };
  },
});

function checkFilters({ owner_address, collection_address, index }: Filters): void {
  if (index.some((digits) => !/^\d{1,78}$/.test(digits)))
    throw new HttpError(422, 'index should contain digits only');
  if (index.length > 0 && collection_address.length === 0)
    throw new HttpError(422, 'index parameter is not allowed without the collection_address');
  requireOneOwner(owner_address.length, collection_address.length, 'collection_address');
}

function getOrder(values: Filters): TokenOrder {
  if (values.sort_by_last_transaction_lt) return 'lt';
  if (values.collection_address.length === 1) return 'index';
  // Items on sale have the sale as their owner: with them, a list of several sellers goes by collection.
  const { length } = values.owner_address;
  if (length > 1 && !values.include_on_sale) return 'owner, parent, index';
  return length > 0 ? 'parent, index' : 'first';
}
