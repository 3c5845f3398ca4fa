import { toBase64 } from '../../../../ton/hash/base64.ts';
import { readCodes } from '../../../entities/accounts/codes.ts';
import { readCodeFacts } from '../../../entities/contracts/code-facts.ts';
import { addedTokens } from '../../../entities/tokens/filter.ts';
import type { TokenRow } from '../../../entities/tokens/model.ts';
import type { UnconfirmedAccount } from '../../../pending/unconfirmed-account.ts';
import { accountOfRaw } from '../../../query/account-id.ts';
import type { ReadScope } from '../../../query/scope.ts';
import type { AddressBook, Metadata } from '../../schemas/address-book.ts';
import { addressBook } from '../address-book-answer.ts';
import { describeTokens, mastersBesides, readCollections, readMetadata } from '../describe-addresses.ts';

/** Address book of raw addresses. `accounts`: states that no served block has, whose codes count. */
export async function unconfirmedBook(
  scope: ReadScope,
  named: readonly string[],
  accounts: ReadonlyMap<string, UnconfirmedAccount>,
): Promise<AddressBook> {
  const listed = named.map(accountOfRaw);
  const codes = new Map(await readCodes(scope, listed));
  for (const [raw, { state }] of accounts) if (state?.codeHash) codes.set(raw, toBase64(state.codeHash));
  const facts = await readCodeFacts(scope, codes.values());
  return addressBook(listed, codes, scope.context.network.testnet, facts);
}

/** Metadata of those among raw addresses that are tokens, by `tokens` or in the store; none without `contracts`. */
export async function unconfirmedMetadata(
  scope: ReadScope,
  named: readonly string[],
  tokens: ReadonlyMap<string, TokenRow>,
): Promise<Metadata> {
  const { contracts } = scope.added;
  if (!contracts) return {};
  const source = addedTokens(scope, contracts);
  const masters = mastersBesides(named.flatMap((raw) => tokens.get(raw) ?? []));
  const described = [...named, ...masters];
  const own = described.flatMap((raw) => tokens.get(raw) ?? []);
  const stored = described.filter((raw) => !tokens.has(raw)).map(accountOfRaw);
  const [metadata, collections] = await Promise.all([
    readMetadata(source, stored),
    readCollections(source, own),
  ]);
  const findCollection = ({ parent }: TokenRow) =>
    parent === null ? undefined : (tokens.get(parent) ?? collections.get(parent));
  return { ...metadata, ...(await describeTokens(source, own, findCollection)) };
}
