import type { AccountFacts } from './account-facts.ts';

/*
 * How stored columns become facts of contracts (account-facts.ts). Addresses are raw text, hashes base64.
 */

/** Kinds of contracts that rules ask for: those that sell an NFT, and orders of multisig wallets. */
export const FACT_KINDS = ['nft_sale', 'nft_auction', 'multisig_order'] as const;

/** A contract of these kinds. */
export interface ContractColumns {
  readonly kind: (typeof FACT_KINDS)[number];
  /** Seller. */
  readonly owner: string | null;
  /** The NFT, or the multisig wallet. */
  readonly parent: string | null;
  readonly codeHash: string;
  /** By the names of answers (ContractDetails). */
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Returns facts of a sale, auction or order; none if it names no NFT. An ended contract counts as its last kind: a sale
 * may end before its trace does, and rules need to know what was sold.
 */
export function contractFacts({ kind, owner, parent, codeHash, details }: ContractColumns) {
  if (kind === 'multisig_order') return { multisigOrder: { signers: details.signers as readonly string[] } };
  if (parent === null) return {};
  const marketplace = typeof details.marketplace_address === 'string' ? details.marketplace_address : null;
  const head = { nft: parent, nftOwner: owner, marketplace, codeHash };
  const amount = (name: string) => (typeof details[name] === 'string' ? BigInt(details[name]) : null);
  return kind === 'nft_sale'
    ? { nftSale: { ...head, fullPrice: amount('full_price') } }
    : { nftAuction: { ...head, lastBid: amount('last_bid') } };
}

/** Parts of the content of an item. */
export interface ItemContentColumns {
  /** Attributes as JSON; empty if unknown. */
  readonly content: string;
  readonly link: string;
  /** Beginning of the collection's links of items; null where items have the whole of their content. */
  readonly prefix: string | null;
}

/** Returns the attribute `uri` of an item's content as its collection defines it, or null if absent or unknown. */
export function itemUri({ content, link, prefix }: ItemContentColumns): string | null {
  if (prefix !== null) return `${prefix}${link}`;
  if (content === '') return null;
  const { uri } = JSON.parse(content) as { readonly uri?: string };
  return uri ?? null;
}

/** Columns of a wallet or an item. */
export interface TokenColumns extends ItemContentColumns {
  readonly kind: 'jetton_wallet' | 'nft_item';
  /** Of an item, decimal. */
  readonly index: string;
  readonly owner: string | null;
  /** Master or collection. */
  readonly parent: string | null;
  readonly codeHash: string | null;
}

/** Returns facts of a wallet or an item; null for a wallet without an owner or a master. */
export function tokenFacts({
  kind,
  index,
  owner,
  parent,
  codeHash,
  ...content
}: TokenColumns): AccountFacts | null {
  if (kind === 'jetton_wallet')
    return owner === null || parent === null ? null : { jettonWallet: { owner, jetton: parent } };
  const contentUri = itemUri(content);
  return { nftItem: { index: BigInt(index), collection: parent, owner, contentUri, codeHash } };
}
