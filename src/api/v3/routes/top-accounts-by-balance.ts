import { RANKS, type RankedAccount, rankPlace, readRankedBehind } from '../../entities/accounts/ranking.ts';
import { topAccounts } from '../../entities/accounts/top.ts';
import { documented } from '../../parameters/parameter.ts';
import { rawAddress } from '../../query/account-id.ts';
import { endpoint } from '../endpoint.ts';
import { i32 } from '../parameters/forms.ts';
import { PAGING, toPage } from '../parameters/paging.ts';
import { nextCursor, parseScan, SCANNING, scannedScope } from '../scan.ts';
import { type TopAccountsAnswer, TopAccountsSchema } from '../schemas/account.ts';

/** One document of this endpoint has 1024, the other 1000: both are accepted (errors-and-limits.md 6). */
const LARGEST = 1024;

/** `/topAccountsByBalance` (v3-endpoints.md 3.5): a list, or with `cursor` an object with `next_cursor`. */
export const topAccountsByBalance = endpoint({
  path: '/topAccountsByBalance',
  tag: 'stats',
  summary: 'The accounts of the largest balances.',
  reads: ['base'],
  parameters: {
    ...PAGING,
    limit: documented(i32(`Rows at most, 1 to ${LARGEST}.`), { minimum: 1, maximum: LARGEST }),
    ...SCANNING,
  },
  answer: TopAccountsSchema,
  cached: true,
  async handle(scope, values, { settings }) {
    const page = toPage(values, limits(settings));
    const scan = parseScan(RANKS, values, page, scope.visible);
    if (!scan) return (await topAccounts(scope, page)).map(rankAnswer);
    const ranked = await readRankedBehind(scannedScope(scope, scan), page.limit, scan.after);
    return { accounts: ranked.map(rankAnswer), ...nextCursor(RANKS, scan, page, ranked.map(rankPlace)) };
  },
});

function rankAnswer({ account, balance }: RankedAccount): TopAccountsAnswer[number] {
  return { account: rawAddress(account), balance: `${balance}` };
}

function limits(settings: { readonly defaultLimit: number; readonly maxLimit: number }) {
  return { ...settings, maxLimit: Math.max(LARGEST, settings.maxLimit) };
}
