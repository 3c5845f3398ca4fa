import type { RouteKeys } from './route-queries.ts';
import { ROUTE_QUERIES } from './route-queries.ts';

const V3 = '/api/v3';
const V2 = '/api/v2';
/** Keys of a row, and of its variants. */
const MAX_KEYS = 12;
const MAX_VARIED = 3;

/** Lists that can be sorted, paged by offset and scanned by cursor. */
const LISTS = new Set([
  '/blocks',
  '/transactions',
  '/transactionsByMasterchainBlock',
  '/transactionsByMessage',
  '/messages',
  '/traces',
  '/actions',
  '/jetton/masters',
  '/jetton/wallets',
  '/jetton/transfers',
  '/jetton/burns',
  '/nft/collections',
  '/nft/items',
  '/nft/transfers',
  '/multisig/wallets',
  '/multisig/orders',
  '/vesting',
  '/dns/records',
]);
const VARIANTS = [
  'limit=7&sort=asc',
  'limit=5&offset=3&sort=desc',
  'limit=4&cursor=',
  'limit=4&sort=asc&cursor=',
];
const WITH_BOUNDS = ['start_lt=1&end_lt=999999999999&limit=9', 'start_utime=1&end_utime=4000000000&limit=9'];
const BOUNDED = new Set([
  '/transactions',
  '/messages',
  '/traces',
  '/actions',
  '/jetton/transfers',
  '/nft/transfers',
  '/blocks',
]);
/** The proof of the tables has the time of its last run. */
const CHANGING = new Set(['/integrity']);

/** Requests to both generations of the API, in a fixed order. */
export function answerRequests(keys: RouteKeys): string[] {
  const paths = Object.entries(ROUTE_QUERIES).filter(([path]) => !CHANGING.has(path));
  const v3 = paths.flatMap(([path, rows]) =>
    Object.values(rows).flatMap((build) => {
      const queries = build(keys);
      const varied = queries.slice(0, MAX_VARIED).map(withoutPage);
      const more = [...(LISTS.has(path) ? VARIANTS : []), ...(BOUNDED.has(path) ? WITH_BOUNDS : [])];
      return [
        ...queries.slice(0, MAX_KEYS),
        ...varied.flatMap((query) => more.map((one) => (query === '' ? one : `${query}&${one}`))),
      ].map((query) => `${V3}${path}?${query}`);
    }),
  );
  return [...new Set([...v3, ...v2Requests(keys)])];
}

function withoutPage(query: string): string {
  return query
    .split('&')
    .filter((one) => !/^(limit|offset|sort|cursor)=/.test(one))
    .join('&');
}

function v2Requests({
  accounts,
  steps,
  transactions,
  jettonWallets,
  masters,
  items,
  collections,
}: RouteKeys): string[] {
  const of = (path: string, name: string, values: readonly (string | number)[], more = '') =>
    values.slice(0, MAX_KEYS).map((value) => `${V2}/${path}?${name}=${encodeURIComponent(value)}${more}`);
  const master = '&workchain=-1&shard=-9223372036854775808';
  return [
    `${V2}/getMasterchainInfo`,
    ...of('getAddressInformation', 'address', accounts),
    ...of('getExtendedAddressInformation', 'address', accounts),
    ...of('getWalletInformation', 'address', accounts),
    ...of('getAddressBalance', 'address', accounts),
    ...of('getTransactions', 'address', accounts, '&limit=10'),
    ...of('getTransactionsStd', 'address', accounts, '&limit=10'),
    ...of('getTokenData', 'address', [
      ...jettonWallets.slice(0, 3),
      ...masters.slice(0, 3),
      ...items.slice(0, 3),
      ...collections.slice(0, 3),
    ]),
    ...of('shards', 'seqno', steps),
    ...of('getBlockHeader', 'seqno', steps, master),
    ...of('lookupBlock', 'seqno', steps, master),
    ...of('getBlockTransactions', 'seqno', steps, master),
    ...of('getBlockTransactionsExt', 'seqno', steps, `${master}&count=20`),
    ...of('tryLocateTx', 'source', accounts, `&destination=${accounts[0]}&created_lt=1`),
    ...of('getTransactions', 'hash', transactions, `&address=${accounts[0]}&lt=1`),
  ];
}
