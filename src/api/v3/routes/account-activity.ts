import { readActivity } from '../../entities/accounts/activity.ts';
import { getAccount } from '../../entities/accounts/model.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { needed } from '../../parameters/parameter.ts';
import { distinctAccounts } from '../../query/account-id.ts';
import { isVisible } from '../../query/scope.ts';
import { accountActivityAnswer } from '../answers/account-activity-answer.ts';
import { readAddressBook } from '../answers/read-address-book.ts';
import { endpoint } from '../endpoint.ts';
import { accounts, i32 } from '../parameters/forms.ts';
import { type AccountActivitiesAnswer, AccountActivitiesSchema } from '../schemas/activity.ts';

/** `/accountActivity`, an addition to the contract: counters of accounts as of a masterchain block. */
export const accountActivity = endpoint({
  path: '/accountActivity',
  tag: 'accounts',
  summary: 'Counts of transactions and messages of accounts, and when the first and the last one was.',
  reads: ['base', 'activity'],
  adds: ['contracts'],
  parameters: {
    address: needed(accounts('Accounts in any form, repeated or comma-separated, at most 1000.')),
    mc_seqno: i32('Counts up to this masterchain block. Default: the newest.'),
  },
  answer: AccountActivitiesSchema,
  cached: true,
  check({ address }) {
    if (address.length === 0) throw new HttpError(422, 'address of account is required');
  },
  async handle(scope, { address, mc_seqno: requested }, { switches }): Promise<AccountActivitiesAnswer> {
    const mcSeqno = requested ?? scope.visible.last;
    if (!isVisible(mcSeqno, scope.visible))
      throw new HttpError(404, `masterchain block ${mcSeqno} not found`);
    const rows = await readActivity(scope, distinctAccounts(address), mcSeqno);
    const listed = switches.addressBook ? rows.map(getAccount) : [];
    return {
      mc_seqno: mcSeqno,
      accounts: rows.map(accountActivityAnswer),
      address_book: await readAddressBook(scope, listed),
      metadata: {},
    };
  },
});
