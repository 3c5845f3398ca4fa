import { readCodes } from '../../entities/accounts/codes.ts';
import { readItemDomains } from '../../entities/contracts/find.ts';
import { addedTokens, type TokenScope } from '../../entities/tokens/filter.ts';
import { readTokensOfAccounts } from '../../entities/tokens/find.ts';
import { TOKEN_KINDS, type TokenKind, type TokenRow } from '../../entities/tokens/model.ts';
import { accountOfRaw, rawAddress } from '../../query/account-id.ts';
import type { ReadScope } from '../../query/scope.ts';
import type { Switches } from '../endpoint.ts';
import type { AddressBook, Metadata } from '../schemas/address-book.ts';
import { isPlainCode } from './address-book-answer.ts';
import { readAddressBook } from './read-address-book.ts';
import { readContents } from './tokens/read-contents.ts';
import { itemContent, ownContent, withDomain } from './tokens/token-content.ts';
import { buildMetadata, type GetContent } from './tokens/token-metadata.ts';

export type ContractScope = ReadScope<'base' | 'contracts'>;

type Accounts = readonly ReturnType<typeof accountOfRaw>[];
type Wanted = Pick<Switches, 'addressBook' | 'metadata'>;

/** Address book and metadata of an answer. */
export interface Described {
  readonly address_book: AddressBook;
  readonly metadata: Metadata;
}

/**
 * Address book and metadata of the addresses of an answer, as requested. Values that name no account (null, or forms
 * like `addr_extern`) are in neither.
 */
export function describeAddresses(
  scope: ContractScope,
  addresses: readonly (string | null)[],
  wanted: Wanted,
): Promise<Described> {
  return describe(scope, addresses, wanted, (accounts) => readMetadata(scope, accounts));
}

/** The same if the tokens' projection is optional; no metadata without it. */
export function describeAdded(
  scope: ReadScope,
  addresses: readonly (string | null)[],
  wanted: Wanted,
): Promise<Described> {
  return describe(scope, addresses, wanted, (accounts) => readAddedMetadata(scope, accounts));
}

async function describe(
  scope: ReadScope,
  addresses: readonly (string | null)[],
  wanted: Wanted,
  loadMetadata: (accounts: Accounts) => Promise<Metadata>,
): Promise<Described> {
  if (!wanted.addressBook && !wanted.metadata) return { address_book: {}, metadata: {} };
  const raw = addresses.flatMap((one) => (one?.includes(':') ? [one] : []));
  const accounts = [...new Set(raw)].map(accountOfRaw);
  const reading = readCodes(scope, accounts);
  const [book, metadata] = await Promise.all([
    wanted.addressBook ? readAddressBook(scope, accounts, reading) : {},
    wanted.metadata ? reading.then((codes) => loadMetadata(describedAmong(accounts, codes))) : {},
  ]);
  return { address_book: book, metadata };
}

/**
 * Accounts without those that have no metadata by their code hash (base64, by raw address). Many addresses are wallets,
 * and each look-up reads a granule.
 */
export function describedAmong(accounts: Accounts, codes: ReadonlyMap<string, string>): Accounts {
  return accounts.filter((account) => {
    const code = codes.get(rawAddress(account));
    return code === undefined || !isPlainCode(code);
  });
}

/** Metadata of those among accounts that are tokens, and of the masters of the jetton wallets (v3-models.md 3). */
export async function readMetadata(scope: TokenScope, accounts: Accounts): Promise<Metadata> {
  const tokens = await readTokensOfAccounts(scope, TOKEN_KINDS, accounts);
  const [masters, collections, domains] = await Promise.all([
    readParents(scope, mastersBesides(tokens), 'jetton_master'),
    readCollections(scope, tokens),
    readItemDomains(scope, tokens),
  ]);
  const findCollection = ({ parent }: TokenRow) => (parent === null ? undefined : collections.get(parent));
  return describeTokens(scope, [...tokens, ...masters.values()], findCollection, domains);
}

/** Raw addresses of the masters of the jetton wallets among tokens, without those that are among them. */
export function mastersBesides(tokens: readonly TokenRow[]): readonly string[] {
  const known = new Set(tokens.map(({ address }) => address));
  const masters = tokens.flatMap(({ kind, parent }) => (kind === 'jetton_wallet' && parent ? [parent] : []));
  return [...new Set(masters)].filter((master) => !known.has(master));
}

/** Like `readMetadata`, if the tokens' projection is optional; none without it. */
export async function readAddedMetadata(
  scope: Pick<ReadScope, 'added' | 'query' | 'queryBytes' | 'context' | 'share'>,
  accounts: Accounts,
): Promise<Metadata> {
  const { contracts } = scope.added;
  return contracts ? readMetadata(addedTokens(scope, contracts), accounts) : {};
}

/** Metadata of tokens, with off-chain facts. `domains`: full names of items by raw address. */
export async function describeTokens(
  scope: Pick<ReadScope, 'query' | 'context'>,
  tokens: readonly TokenRow[],
  findCollection: (item: TokenRow) => TokenRow | undefined,
  domains: ReadonlyMap<string, string> = new Map(),
): Promise<Metadata> {
  const getContent: GetContent = (token) =>
    token.kind === 'nft_item'
      ? withDomain(itemContent(token, findCollection(token)), domains.get(token.address))
      : ownContent(token);
  const links = tokens.flatMap((token) => getContent(token)?.uri ?? []);
  const linked = await readContents(scope, links);
  const { metadata } = scope.context;
  return buildMetadata(tokens, getContent, {
    linked,
    findOverride: (address) => metadata?.findOverride(address),
    getImages: (image) => metadata?.getImages(image) ?? {},
  });
}

/** The collections of the items among tokens, by raw address. */
export async function readCollections(
  scope: TokenScope,
  tokens: readonly TokenRow[],
): Promise<ReadonlyMap<string, TokenRow>> {
  const parents = tokens.flatMap(({ kind, parent }) => (kind === 'nft_item' && parent ? [parent] : []));
  return readParents(scope, parents, 'nft_collection');
}

async function readParents(
  scope: TokenScope,
  addresses: readonly string[],
  kind: TokenKind,
): Promise<ReadonlyMap<string, TokenRow>> {
  const rows = await readTokensOfAccounts(scope, kind, addresses.map(accountOfRaw));
  return new Map(rows.map((row) => [row.address, row]));
}
