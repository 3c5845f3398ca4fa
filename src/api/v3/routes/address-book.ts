import { readCodes } from '../../entities/accounts/codes.ts';
import { readCodeFacts } from '../../entities/contracts/code-facts.ts';
import { readDomains } from '../../entities/contracts/domains.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { needed } from '../../parameters/parameter.ts';
import { accountFromText, rawAddress } from '../../query/account-id.ts';
import { addressBookRow, UNKNOWN_ADDRESS } from '../answers/address-book-answer.ts';
import { endpoint } from '../endpoint.ts';
import { addressTexts } from '../parameters/forms.ts';
import { type AddressBook, AddressBookSchema } from '../schemas/address-book.ts';

function requireAddress(addresses: readonly string[]): void {
  if (addresses.length === 0) throw new HttpError(422, 'at least 1 address required');
}

/** `/addressBook` (v3-endpoints.md 3.1): keys are the sent texts. */
export const addressBookRoute = endpoint({
  path: '/addressBook',
  tag: 'accounts',
  summary: 'Friendly forms of addresses.',
  reads: ['base'],
  adds: ['contracts'],
  parameters: {
    address: needed(addressTexts('Addresses in any form, repeated or comma-separated, at most 1024.', 1024)),
  },
  answer: AddressBookSchema,
  cached: true,
  check: ({ address }) => requireAddress(address),
  async handle(scope, { address }): Promise<AddressBook> {
    const accounts = address.map(accountFromText);
    const known = accounts.filter((account) => account !== null);
    const [codes, domains] = await Promise.all([readCodes(scope, known), readDomains(scope, known)]);
    const facts = await readCodeFacts(scope, codes.values());
    const { testnet } = scope.context.network;
    const row = (_text: string, index: number) => {
      const account = accounts[index];
      if (!account) return UNKNOWN_ADDRESS;
      const raw = rawAddress(account);
      return {
        ...addressBookRow(account, codes.get(raw), testnet, facts),
        domain: domains.get(raw) ?? null,
      };
    };
    return Object.fromEntries(address.map((text, index) => [text, row(text, index)]));
  },
});
