import type { TokenRow } from '../../../entities/tokens/model.ts';
import { withoutPlainImages, withoutProxyImages } from '../../../metadata/image-proxy.ts';
import type { TokenMetadata } from '../../../metadata-port.ts';
import type { Metadata, TokenInfo } from '../../schemas/address-book.ts';
import type { LinkedContents } from './read-contents.ts';

const TYPES = {
  jetton_master: 'jetton_masters',
  jetton_wallet: 'jetton_wallets',
  nft_collection: 'nft_collections',
  nft_item: 'nft_items',
} as const;

/** Attributes that are fields of their own; the others are `extra`. */
const FIELDS = ['name', 'symbol', 'description', 'image'] as const;

/** The on-chain attributes of a token; null if the store does not have them. */
export type GetContent = (token: TokenRow) => Readonly<Record<string, string>> | null;

/** Off-chain facts of tokens. */
interface OffChainFacts extends Pick<TokenMetadata, 'findOverride' | 'getImages'> {
  readonly linked: LinkedContents;
}

/** AddressMetadata of v3-models.md section 3 by raw address. */
export function buildMetadata(
  tokens: readonly TokenRow[],
  getContent: GetContent,
  offChain: OffChainFacts,
): Metadata {
  const metadata: Metadata = {};
  for (const token of tokens) {
    const info = tokenInfo(token, getContent(token), offChain);
    const isIndexed = info.valid !== undefined;
    const known = metadata[token.address] ?? { is_indexed: true, token_info: [] };
    metadata[token.address] = {
      is_indexed: known.is_indexed && isIndexed,
      token_info: [...known.token_info, info],
    };
  }
  return metadata;
}

/** Without `valid` if its link was not fetched yet. */
function tokenInfo(token: TokenRow, content: ReturnType<GetContent>, offChain: OffChainFacts): TokenInfo {
  const head = {
    type: TYPES[token.kind],
    ...(token.kind === 'nft_item' ? { nft_index: token.amount } : {}),
  };
  if (token.kind === 'jetton_wallet') {
    const extra = {
      balance: token.amount,
      owner: token.owner ?? 'addr_none',
      jetton: token.parent ?? 'addr_none',
    };
    return { valid: true, ...head, extra };
  }
  const override = offChain.findOverride(token.address);
  const linked = content?.uri === undefined ? {} : offChain.linked.get(content.uri);
  if (!override && (!content || linked === undefined)) return head;
  const all = { ...withoutProxyImages({ ...linked, ...content }), ...override?.content };
  if ((!override && linked === null) || !isValid(token, all)) return { valid: false, ...head };
  const flags = { is_nsfw: override?.isNsfw ?? false, is_scam: override?.isScam ?? false };
  const own = ownFields(all);
  const images = own.image === undefined ? {} : offChain.getImages(own.image);
  // The operator's images win over those of the proxy.
  const extra = getExtra({ ...all, ...images, ...override?.content });
  return { valid: true, ...head, ...own, ...flags, extra: flags.is_nsfw ? withoutPlainImages(extra) : extra };
}

type Attributes = Readonly<Record<string, unknown>>;

/** Attributes that have fields of their own are texts there. */
function ownFields(attributes: Attributes): Record<string, string> {
  const texts = FIELDS.flatMap((name) => {
    const value = attributes[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(texts);
}

/** All others, unchanged; decimals are a text in on-chain content, a number in some documents. */
function getExtra(attributes: Attributes): Record<string, unknown> {
  const extra = Object.entries(attributes).filter(([name]) => !(FIELDS as readonly string[]).includes(name));
  return Object.fromEntries(
    extra.map(([name, value]) => [
      name,
      name === 'decimals' && typeof value === 'number' ? `${value}` : value,
    ]),
  );
}

/** v3-rules.md 7, "valid". */
function isValid({ kind }: TokenRow, attributes: Attributes): boolean {
  const has = (name: string) => typeof attributes[name] === 'string';
  if (kind === 'jetton_master') return has('symbol');
  if (kind === 'nft_item') return has('name') || has('domain');
  return has('name') || has('description') || has('image');
}
