/*
 * What rules for actions ask of contracts (v3-actions-rules.md), out of stored columns; addresses are raw text.
 */

/** A sale or an auction, as rules ask for it. */
export interface SellingColumns {
  readonly kind: 'nft_sale' | 'nft_auction';
  /** Seller. */
  readonly owner: string | null;
  /** The NFT. */
  readonly parent: string | null;
  readonly codeHash: string;
  /** By the names of answers (ContractDetails). */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Facts of a sale or an auction; none where it names no NFT. */
export function sellingFacts({ kind, owner, parent, codeHash, details }: SellingColumns) {
  if (parent === null) return {};
  const marketplace = typeof details.marketplace_address === 'string' ? details.marketplace_address : null;
  const head = { nft: parent, nftOwner: owner, marketplace, codeHash };
  const amount = (name: string) => (typeof details[name] === 'string' ? BigInt(details[name]) : null);
  return kind === 'nft_sale'
    ? { nftSale: { ...head, fullPrice: amount('full_price') } }
    : { nftAuction: { ...head, lastBid: amount('last_bid') } };
}

/** What the content of an item is made of. */
export interface ItemContentColumns {
  /** Attributes as JSON; empty where they are not known. */
  readonly content: string;
  readonly link: string;
  /** What the collection's links of items begin with; null where items have the whole of their content. */
  readonly prefix: string | null;
}

/** The attribute `uri` of an item's content as its collection gives it; null where there is none, or it is not known. */
export function itemUri({ content, link, prefix }: ItemContentColumns): string | null {
  if (prefix !== null) return `${prefix}${link}`;
  if (content === '') return null;
  const { uri } = JSON.parse(content) as { readonly uri?: string };
  return uri ?? null;
}
