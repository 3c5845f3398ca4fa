import { expect, it } from 'vitest';
import { addressBookRow } from '../../../src/api/v3/answers/address-book-answer.ts';
import { parseAddress } from '../../../src/ton/address/address.ts';

/** Of a contract that is no plain wallet. */
const CODE = `${'A'.repeat(42)}E=`;
const account = { workchain: 0, hash: '5A'.repeat(32) };

it.each([1, 2])('an account is written as what it is now, on whatever network, the %s. time too', () => {
  const forms = [
    addressBookRow(account, undefined, false),
    addressBookRow(account, CODE, false),
    addressBookRow(account, undefined, true),
    addressBookRow(account, CODE, true),
  ].map(({ user_friendly }) => parseAddress(user_friendly ?? ''));
  expect(forms.map((form) => [form?.bounceable, form?.testOnly])).toEqual([
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ]);
  for (const form of forms) expect(form?.hash.toHex().toUpperCase()).toBe(account.hash);
  expect(addressBookRow({ ...account, workchain: 128 }, CODE, false).user_friendly).toBeNull();
});
