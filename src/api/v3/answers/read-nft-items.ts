import { readItemDomains, readSellers } from '../../entities/contracts/find.ts';
import type { TokenRow } from '../../entities/tokens/model.ts';
import { accountOfRaw } from '../../query/account-id.ts';
import type { NftItemAnswer } from '../schemas/nft.ts';
import { type ContractScope, readCollections } from './describe-addresses.ts';
import { nftItemAnswer } from './tokens/nft-answers.ts';
import { withDomain } from './tokens/token-content.ts';

/** Items with their collections, sales and names, in the order of the rows. At most three statements side by side. */
export async function readNftItems(
  scope: ContractScope,
  rows: readonly TokenRow[],
): Promise<readonly NftItemAnswer[]> {
  const owners = rows.flatMap(({ owner }) => (owner === null ? [] : [accountOfRaw(owner)]));
  const [collections, sellers, domains] = await Promise.all([
    readCollections(scope, rows),
    readSellers(scope, owners),
    readItemDomains(scope, rows),
  ]);
  return rows.map((row) => {
    const collection = row.parent === null ? undefined : collections.get(row.parent);
    const answer = nftItemAnswer(row, collection, row.owner === null ? undefined : sellers.get(row.owner));
    return { ...answer, content: withDomain(answer.content, domains.get(row.address)) };
  });
}

/** Addresses of items that the address book of their answer has (v3-rules.md 9). */
export function itemAddresses(items: readonly NftItemAnswer[]): readonly (string | null)[] {
  return items.flatMap((item) => [
    item.address,
    item.collection_address,
    item.owner_address,
    item.collection?.owner_address ?? null,
  ]);
}
