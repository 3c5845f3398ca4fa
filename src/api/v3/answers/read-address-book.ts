import { readCodes } from '../../entities/accounts/codes.ts';
import { readCodeFacts } from '../../entities/contracts/code-facts.ts';
import { readDomains } from '../../entities/contracts/domains.ts';
import type { AccountId } from '../../query/account-id.ts';
import type { ReadScope } from '../../query/scope.ts';
import type { AddressBook } from '../schemas/address-book.ts';
import { addressBook, withDomains } from './address-book-answer.ts';

/**
 * The address book of an answer. If the endpoint reads or adds the projection `contracts`, it includes interfaces by
 * methods and names of accounts. `reading`: their codes, if already being read.
 */
export async function readAddressBook(
  scope: ReadScope,
  accounts: readonly AccountId[],
  reading: ReturnType<typeof readCodes> = readCodes(scope, accounts),
): Promise<AddressBook> {
  const [codes, domains] = await Promise.all([reading, readDomains(scope, accounts)]);
  const facts = await readCodeFacts(scope, codes.values());
  return withDomains(addressBook(accounts, codes, scope.context.network.testnet, facts), domains);
}
