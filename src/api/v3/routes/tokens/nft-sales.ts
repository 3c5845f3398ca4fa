import { readContractsOfAccounts } from '../../../entities/contracts/find.ts';
import { readTokensOfAccounts } from '../../../entities/tokens/find.ts';
import { HttpError } from '../../../http/errors/http-error.ts';
import { needed } from '../../../parameters/parameter.ts';
import { accountOfRaw } from '../../../query/account-id.ts';
import { describeAddresses } from '../../answers/describe-addresses.ts';
import { itemAddresses, readNftItems } from '../../answers/read-nft-items.ts';
import { nftSaleAnswer, type SaleRow, saleAddresses, soldBy } from '../../answers/tokens/nft-sale-answer.ts';
import { endpoint } from '../../endpoint.ts';
import { accountsWithin } from '../../parameters/forms.ts';
import { type NftSalesAnswer, NftSalesSchema } from '../../schemas/nft.ts';

/** `/nft/sales` (v3-endpoints.md 6.4). */
export const nftSales = endpoint({
  path: '/nft/sales',
  tag: 'nfts',
  summary: 'Fixed-price sales, auctions and auctions of usernames by address.',
  reads: ['base', 'contracts'],
  parameters: {
    address: needed(
      accountsWithin('Sales, auctions or usernames, at most 1000.', 'maximum 1000 addresses allowed'),
    ),
  },
  answer: NftSalesSchema,
  cached: true,
  check({ address }) {
    if (address.length === 0) throw new HttpError(422, 'address is required');
  },
  async handle(scope, { address }, { switches }): Promise<NftSalesAnswer> {
    const kinds = ['nft_sale', 'nft_auction', 'teleitem'] as const;
    const sales = (await readContractsOfAccounts(scope, kinds, address)) as readonly SaleRow[];
    const sold = sales.flatMap((row) => soldBy(row) ?? []).map(accountOfRaw);
    const items = await readNftItems(scope, await readTokensOfAccounts(scope, 'nft_item', sold));
    const itemByAddress = new Map(items.map((item) => [item.address, item]));
    const listed = [...sales.flatMap(saleAddresses), ...itemAddresses(items)];
    return {
      nft_sales: sales.map((row) => nftSaleAnswer(row, itemByAddress.get(soldBy(row) ?? ''))),
      ...(await describeAddresses(scope, listed, switches)),
    };
  },
});
