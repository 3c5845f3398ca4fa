import { readSuspended } from '../../chain/suspended-accounts.ts';
import { readContents } from '../../entities/accounts/cells.ts';
import { readAccountStates } from '../../entities/accounts/find.ts';
import { getAccount, hasCode } from '../../entities/accounts/model.ts';
import { readCodeFacts } from '../../entities/contracts/code-facts.ts';
import { readDomains } from '../../entities/contracts/domains.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { withDefault } from '../../parameters/parameter.ts';
import { rawAddress } from '../../query/account-id.ts';
import { accountStateAnswer } from '../answers/account-state-answer.ts';
import { addressBook, withDomains } from '../answers/address-book-answer.ts';
import { describedAmong, readAddedMetadata } from '../answers/describe-addresses.ts';
import { endpoint } from '../endpoint.ts';
import { accounts, BOOL, hashes } from '../parameters/forms.ts';
import { type AccountStatesAnswer, AccountStatesSchema } from '../schemas/account.ts';

function requireAddress(count: number): void {
  if (count === 0) throw new HttpError(422, 'address of account is required');
}

/** `/accountStates` (v3-endpoints.md 3.3): accounts never seen are left out. */
export const accountStates = endpoint({
  path: '/accountStates',
  tag: 'accounts',
  summary: 'The newest states of accounts.',
  reads: ['base'],
  adds: ['contracts'],
  parameters: {
    address: accounts('Accounts in any form, repeated or comma-separated (required), at most 1000.'),
    include_boc: withDefault(BOOL, true, 'Send code and data.'),
    code_hash: hashes('Only accounts with one of these codes.'),
  },
  answer: AccountStatesSchema,
  cached: true,
  check: ({ address }) => requireAddress(address.length),
  async handle(scope, values, { switches }): Promise<AccountStatesAnswer> {
    const found = await readAccountStates(scope, values.address);
    const rows = [...found.values()].filter((row) => hasCode(row, values.code_hash));
    const [contents, facts, suspended] = await Promise.all([
      values.include_boc ? readContents(scope, rows) : null,
      readCodeFacts(
        scope,
        rows.map(({ code_hash: code }) => code),
      ),
      readSuspended(scope, scope.visible.last),
    ]);
    const codes = new Map(rows.map((row) => [rawAddress(getAccount(row)), row.code_hash]));
    const listed = rows.map(getAccount);
    const booked = switches.addressBook ? listed : [];
    const [domains, metadata] = await Promise.all([
      readDomains(scope, booked),
      switches.metadata ? readAddedMetadata(scope, describedAmong(listed, codes)) : {},
    ]);
    return {
      accounts: rows.map((row, i) => accountStateAnswer(row, contents?.[i] ?? null, facts, suspended)),
      address_book: withDomains(addressBook(booked, codes, scope.context.network.testnet, facts), domains),
      metadata,
    };
  },
});
