import { HttpError } from '../../http/http-error.ts';
import { accountFromText, rawAddress } from '../../read/account-id.ts';
import { readCodes } from '../../read/read-codes.ts';
import { addressBookRow, UNKNOWN_ADDRESS } from '../answers/address-book-answer.ts';
import { endpoint } from '../endpoint.ts';
import { texts } from '../params/keys.ts';
import { type AddressBook, AddressBookSchema } from '../schemas/address-book.ts';

function requireAddress(addresses: readonly string[]): void {
  if (addresses.length === 0) throw new HttpError(422, 'at least 1 address required');
}

/** `/addressBook` (v3-endpoints.md 3.1): keys are the texts as they were sent. */
export const addressBookRoute = endpoint({
  path: '/addressBook',
  tag: 'accounts',
  summary: 'Friendly forms of addresses.',
  parameters: { address: texts('Addresses in any form, repeated (required), at most 1024.', 1024) },
  answer: AddressBookSchema,
  cached: true,
  async handle(scope, { address }): Promise<AddressBook> {
    requireAddress(address);
    const accounts = address.map(accountFromText);
    const known = accounts.filter((account) => account !== null);
    const codes = await readCodes(scope, known);
    const { testnet } = scope.context.network;
    const row = (_text: string, index: number) => {
      const account = accounts[index];
      return account ? addressBookRow(account, codes.get(rawAddress(account)), testnet) : UNKNOWN_ADDRESS;
    };
    return Object.fromEntries(address.map((text, index) => [text, row(text, index)]));
  },
  empty({ address }, { testnet }): AddressBook {
    requireAddress(address);
    return Object.fromEntries(
      address.map((text) => {
        const account = accountFromText(text);
        return [text, account ? addressBookRow(account, undefined, testnet) : UNKNOWN_ADDRESS];
      }),
    );
  },
});
