import { formatFriendly } from '../../../ton/address/address.ts';
import { fromHex } from '../../../ton/hash/hex.ts';
import { type AccountId, rawAddress } from '../../read/account-id.ts';
import { ZERO_HASH } from '../../read/none-account.ts';
import { Remembered } from '../../read/remembered.ts';
import type { AddressBook, AddressBookRow } from '../schemas/address-book.ts';
import { isPlainWallet } from './plain-wallets.ts';

/** The row of a text that is no address: only `/addressBook` has it. */
export const UNKNOWN_ADDRESS: AddressBookRow = { user_friendly: null, domain: null, interfaces: [] };

/** Rows by raw address. `codes`: the newest code hash (base64, zeros for none) of every account that was ever seen. */
export function addressBook(
  accounts: readonly AccountId[],
  codes: ReadonlyMap<string, string>,
  testnet: boolean,
): AddressBook {
  const book: Record<string, AddressBookRow> = {};
  for (const account of accounts) {
    const raw = rawAddress(account);
    book[raw] ??= addressBookRow(account, codes.get(raw), testnet);
  }
  return book;
}

/**
 * AddressBookRow of v3-models.md section 3. `interfaces`: `[]` for accounts never seen, null for others until the
 * projection of contracts knows them; DNS names come with a later projection too.
 */
export function addressBookRow(
  account: AccountId,
  code: string | undefined,
  testnet: boolean,
): AddressBookRow {
  const plain = code === undefined || code === ZERO_HASH || isPlainWallet(code);
  return {
    user_friendly: friendly(account, !plain, testnet),
    domain: null,
    interfaces: code === undefined ? [] : null,
  };
}

/** The same accounts stand on page after page: their checksums are not computed again. Some 20 MB when full. */
const FRIENDLY = new Remembered<string | null>(100_000);

function friendly(account: AccountId, bounceable: boolean, testOnly: boolean): string | null {
  const key = `${rawAddress(account)}${bounceable ? 'b' : ''}${testOnly ? 't' : ''}`;
  const known = FRIENDLY.get(key);
  if (known !== undefined) return known;
  const made = makeFriendly(account, bounceable, testOnly);
  FRIENDLY.set(key, made);
  return made;
}

/** null for workchains that the friendly form has no room for. */
function makeFriendly({ workchain, hash }: AccountId, bounceable: boolean, testOnly: boolean): string | null {
  const bytes = fromHex(hash);
  if (!bytes || workchain < -128 || workchain > 127) return null;
  return formatFriendly(workchain, bytes, { bounceable, testOnly });
}
