import type { TokenRow } from '../../../entities/tokens/model.ts';

/** Attributes of a token's content (v3-models.md 9): values are texts. */
export type Content = Readonly<Record<string, string>>;

/** The on-chain content of a master or collection; null if the store does not have it. */
export function ownContent({ content }: TokenRow): Content | null {
  return content === '' ? null : (JSON.parse(content) as Content);
}

/**
 * The content of an item as its collection's `get_nft_content` gives it: some collections give the beginning of a link that
 * the item ends, others what the item has itself.
 */
export function itemContent(item: TokenRow, collection: TokenRow | undefined): Content | null {
  if (!item.flag) return null;
  if (item.isDetected) return withoutDomain(ownContent(item));
  return collection?.flag ? { uri: `${collection.link}${item.link}` } : ownContent(item);
}

/** Old detections may contain a domain of any collection: `withDomain` decides the names. */
function withoutDomain(content: Content | null): Content | null {
  if (content?.domain === undefined) return content;
  const { domain, ...own } = content;
  return own;
}

/** Content with the full name of an item that is a name (v3-models.md 9). */
export function withDomain(content: Content | null, domain: string | undefined): Content | null {
  return domain === undefined ? content : { ...content, domain };
}
