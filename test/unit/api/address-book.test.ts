import { expect, it } from 'vitest';
import { addressBookRow } from '../../../src/api/v3/answers/address-book-answer.ts';
import { parseAddress } from '../../../src/ton/address/address.ts';

/** Code hash of a contract that is no plain wallet. */
const CODE = `${'A'.repeat(42)}E=`;
const account = { workchain: 0, hash: '5A'.repeat(32) };

it.each([1, 2])('an account has the form of its current kind on every network, the %s. time too', () => {
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

it('names what a contract is: by the hash of its code, by the methods that were read, or not at all', () => {
  const v4r2 = '/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=';
  expect(addressBookRow(account, v4r2, false).interfaces).toEqual(['wallet_v4r2']);
  expect(addressBookRow(account, CODE, false).interfaces).toBeNull();
  expect(
    addressBookRow(
      account,
      CODE,
      false,
      new Map([[CODE, { methods: [97026], interfaces: ['jetton_master'] }]]),
    ).interfaces,
  ).toEqual(['jetton_master']);
  expect(addressBookRow(account, undefined, false).interfaces).toEqual([]);
});
