import { rawAddress } from '../../read/account-id.ts';
import { topAccounts } from '../../read/top-accounts.ts';
import { endpoint } from '../endpoint.ts';
import { PAGING, pageOf } from '../parameters/paging.ts';
import { type TopAccountsAnswer, TopAccountsSchema } from '../schemas/account.ts';

/** One documentation of this endpoint says 1024, the other 1000: both are accepted (errors-and-limits.md 6). */
const LARGEST = 1024;

/** `/topAccountsByBalance` (v3-endpoints.md 3.5). */
export const topAccountsByBalance = endpoint({
  path: '/topAccountsByBalance',
  tag: 'stats',
  summary: 'The accounts of the largest balances.',
  reads: ['base'],
  parameters: PAGING,
  answer: TopAccountsSchema,
  cached: true,
  async handle(scope, values, { settings }): Promise<TopAccountsAnswer> {
    const page = pageOf(values, limits(settings));
    const ranked = await topAccounts(scope, page);
    return ranked.map(({ account, balance }) => ({ account: rawAddress(account), balance: `${balance}` }));
  },
});

function limits(settings: { readonly defaultLimit: number; readonly maxLimit: number }) {
  return { ...settings, maxLimit: Math.max(LARGEST, settings.maxLimit) };
}
