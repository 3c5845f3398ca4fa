import { readTokens } from '../../../entities/tokens/find.ts';
import { tokenPlaces } from '../../../entities/tokens/model.ts';
import { describeAddresses } from '../../answers/describe-addresses.ts';
import { nftCollectionAnswer } from '../../answers/tokens/nft-answers.ts';
import { endpoint } from '../../endpoint.ts';
import { accounts } from '../../parameters/forms.ts';
import { PAGING, toPage } from '../../parameters/paging.ts';
import { SCANNING, scannedPage } from '../../scan.ts';
import { type NftCollectionsAnswer, NftCollectionsSchema } from '../../schemas/nft.ts';

/** Documented bound of both lists (v3-endpoints.md 6.1). */
const MAX = 1024;

/** `/nft/collections` (v3-endpoints.md 6.1). */
export const nftCollections = endpoint({
  path: '/nft/collections',
  tag: 'nfts',
  summary: 'NFT collections by filter.',
  reads: ['base', 'contracts'],
  parameters: {
    collection_address: accounts(`Collections, at most ${MAX}.`, MAX),
    owner_address: accounts(`Owners, at most ${MAX}.`, MAX),
    ...PAGING,
    ...SCANNING,
  },
  answer: NftCollectionsSchema,
  cached: true,
  async handle(scope, values, { settings, switches }): Promise<NftCollectionsAnswer> {
    const { collection_address: addresses, owner_address: owners } = values;
    const filter = { kind: 'nft_collection', addresses, owners } as const;
    const page = toPage(values, settings);
    const places = tokenPlaces('nft_collection', 'first');
    const { rows, next } = await scannedPage(scope, places, { values, page }, (scanned, scan) =>
      readTokens(scanned, { ...filter, after: scan?.after }, page, 'first'),
    );
    const listed = rows.flatMap(({ address, owner }) => [address, owner]);
    return {
      nft_collections: rows.map(nftCollectionAnswer),
      ...(await describeAddresses(scope, listed, switches)),
      ...next,
    };
  },
});
