import { LRUCache } from 'lru-cache';
import { onFirstUse } from '../../../platform/memory/on-first-use.ts';
import { formatFriendly } from '../../../ton/address/address.ts';
import { walletLayout } from '../../../ton/contracts/codes/wallet-layouts.ts';
import { fromHex } from '../../../ton/hash/hex.ts';
import { ZERO_HASH } from '../../entities/accounts/none-account.ts';
import { type CodesByHash, interfacesByHash, NO_CODES } from '../../entities/contracts/code-facts.ts';
import { type AccountId, rawAddress } from '../../query/account-id.ts';
import type { AddressBook, AddressBookRow } from '../schemas/address-book.ts';

/** The row of a text that is no address: only `/addressBook` has it. */
export const UNKNOWN_ADDRESS: AddressBookRow = { user_friendly: null, domain: null, interfaces: [] };

/** Rows by raw address. `codes`: the newest code hash (base64, zeros for none) of every account that was ever seen. */
export function addressBook(
  accounts: readonly AccountId[],
  codes: ReadonlyMap<string, string>,
  testnet: boolean,
  facts: CodesByHash = NO_CODES,
): AddressBook {
  const book: Record<string, AddressBookRow> = {};
  for (const account of accounts) {
    const raw = rawAddress(account);
    book[raw] ??= addressBookRow(account, codes.get(raw), testnet, facts);
  }
  return book;
}

/** The book with the names of accounts by raw address. */
export function withDomains(book: AddressBook, domains: ReadonlyMap<string, string>): AddressBook {
  for (const [raw, domain] of domains) {
    const row = book[raw];
    if (row) book[raw] = { ...row, domain };
  }
  return book;
}

/**
 * AddressBookRow of v3-models.md section 3, without the name. `interfaces`: `[]` for accounts never seen, null if the
 * code's methods are unknown.
 */
export function addressBookRow(
  account: AccountId,
  code: string | undefined,
  testnet: boolean,
  facts: CodesByHash = NO_CODES,
): AddressBookRow {
  // Wallets are written without the bounce flag.
  const bounceable = code !== undefined && !isPlainCode(code);
  return {
    user_friendly: friendly(account, bounceable, testnet),
    domain: null,
    interfaces: code === undefined ? [] : findInterfaces(code, facts),
  };
}

/** True if a code (hash, base64, zeros for none) is a wallet's or absent. */
export function isPlainCode(code: string): boolean {
  return code === ZERO_HASH || walletLayout(code) !== undefined;
}

/** Names of a code: from its methods if they were read, else from its hash. */
export function findInterfaces(code: string, facts: CodesByHash = NO_CODES): string[] | null {
  const names = facts.get(code)?.interfaces ?? interfacesByHash(code);
  return names && [...names];
}

/** The same accounts occur on many pages: their checksums are cached. About 20 MB when full. */
const getFriendly = onFirstUse(() => new LRUCache<string, string>({ max: 100_000 }));

/** null for workchains that the friendly form has no room for. */
function friendly(account: AccountId, bounceable: boolean, testOnly: boolean): string | null {
  const key = `${rawAddress(account)}${bounceable ? 'b' : ''}${testOnly ? 't' : ''}`;
  const known = getFriendly().get(key);
  if (known !== undefined) return known;
  const { workchain, hash } = account;
  const bytes = fromHex(hash);
  if (!bytes || workchain < -128 || workchain > 127) return null;
  const made = formatFriendly(workchain, bytes, { bounceable, testOnly });
  getFriendly().set(key, made);
  return made;
}
