import { interfaceOfCode } from '../../../ton/contracts/codes/interfaces.ts';
import { readCodes } from '../../entities/accounts/codes.ts';
import { readItemDomains } from '../../entities/contracts/find.ts';
import { addedTokens, type TokenScope } from '../../entities/tokens/filter.ts';
import { readTokensOfAccounts } from '../../entities/tokens/find.ts';
import type { TokenKind, TokenRow } from '../../entities/tokens/model.ts';
import { accountOfRaw, rawAddress } from '../../query/account-id.ts';
import type { ReadScope } from '../../query/scope.ts';
import type { Switches } from '../endpoint.ts';
import type { AddressBook, Metadata } from '../schemas/address-book.ts';
import { isPlainCode } from './address-book-answer.ts';
import { readAddressBook } from './read-address-book.ts';
import { readContents } from './tokens/read-contents.ts';
import { itemContent, ownContent, withDomain } from './tokens/token-content.ts';
import { buildMetadata, type GetContent } from './tokens/token-metadata.ts';

/** Tokens whose metadata answers carry. */
export const DESCRIBED: readonly TokenKind[] = ['jetton_master', 'nft_collection', 'nft_item'];

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
  return describe(scope, addresses, wanted, (accounts) => readMetadata(scope, accounts, DESCRIBED));
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
 * Accounts without those that have no metadata by their code hash (base64, by raw address). Most addresses are wallets
 * or jetton wallets, and each look-up reads a granule.
 */
export function describedAmong(accounts: Accounts, codes: ReadonlyMap<string, string>): Accounts {
  return accounts.filter((account) => {
    const code = codes.get(rawAddress(account));
    return code === undefined || !(isPlainCode(code) || isJettonWallet(code));
  });
}

const isJettonWallet = (code: string) => interfaceOfCode(code)?.startsWith('jetton_wallet') === true;

/** Metadata of those among accounts that are tokens of some kinds. */
export async function readMetadata(
  scope: TokenScope,
  accounts: Accounts,
  kinds: readonly TokenKind[],
): Promise<Metadata> {
  const tokens = await readTokensOfAccounts(scope, kinds, accounts);
  const [collections, domains] = await Promise.all([
    readCollections(scope, tokens),
    readItemDomains(scope, tokens),
  ]);
  const findCollection = ({ parent }: TokenRow) => (parent === null ? undefined : collections.get(parent));
  return describeTokens(scope, tokens, findCollection, domains);
}

/** Like `readMetadata`, if the tokens' projection is optional; none without it. */
export async function readAddedMetadata(
  scope: Pick<ReadScope, 'added' | 'query' | 'queryBytes' | 'context' | 'share'>,
  accounts: Accounts,
): Promise<Metadata> {
  const { contracts } = scope.added;
  return contracts ? readMetadata(addedTokens(scope, contracts), accounts, DESCRIBED) : {};
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
  const rows = await readTokensOfAccounts(scope, 'nft_collection', parents.map(accountOfRaw));
  return new Map(rows.map((row) => [row.address, row]));
}
