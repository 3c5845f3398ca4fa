import { type Endpoint, endpoint } from './endpoints.ts';
import { ROUTE_QUERIES, type RouteKeys } from './route-queries.ts';

const V3 = '/api/v3';
/** Keys of a kind. */
const MAX_KEYS = 100;
/** An account that no index has, for missing kinds: its look-up is measured nevertheless. */
const ABSENT_ACCOUNT = `0:${'e7'.repeat(32)}`;

interface Listed {
  readonly [list: string]: readonly Readonly<Record<string, unknown>>[];
}

/** A row for each query of each route, with keys from a running API. */
export async function routeEndpoints(url: string): Promise<Endpoint[]> {
  const keys = await routeKeys(url);
  return Object.entries(ROUTE_QUERIES).flatMap(([path, rows]) =>
    Object.entries(rows).map(([name, buildQueries]) =>
      endpoint(
        name === '' ? path : `${path} ${name}`,
        buildQueries(keys),
        (query) => `${V3}${path}?${query}`,
      ),
    ),
  );
}

/** Keys from the newest lists of a running API. */
export async function routeKeys(url: string): Promise<RouteKeys> {
  const list = async (path: string, name: string) => {
    const answer = (await (await fetch(`${url}${V3}/${path}`)).json()) as Listed;
    return answer[name] ?? [];
  };
  const texts = (rows: readonly Readonly<Record<string, unknown>>[], field: string, nothing?: string) => {
    const found = [...new Set(rows.flatMap((row) => (row[field] == null ? [] : [String(row[field])])))];
    return found.length === 0 && nothing !== undefined ? [nothing] : found.slice(0, MAX_KEYS);
  };
  const transactions = await list('transactions?limit=500&workchain=0', 'transactions');
  const messages = await list('messages?limit=500&exclude_externals=true', 'messages');
  const wallets = await list('jetton/wallets?limit=500', 'jetton_wallets');
  const contents = messages.map(({ message_content: content }) => content as { readonly body?: unknown });
  const textsOrAbsent = (rows: readonly Readonly<Record<string, unknown>>[], field: string) =>
    texts(rows, field, ABSENT_ACCOUNT);
  return {
    steps: texts(transactions, 'mc_block_seqno').map(Number),
    accounts: texts(transactions, 'account'),
    transactions: texts(transactions, 'hash'),
    messages: texts(messages, 'hash'),
    bodies: texts(
      contents.map((content) => ({ body: content?.body })),
      'body',
    ),
    traces: texts(await list('traces?limit=100', 'traces'), 'trace_id'),
    actions: texts(await list('actions?limit=200', 'actions'), 'action_id'),
    owners: textsOrAbsent(wallets, 'owner'),
    masters: textsOrAbsent(await list('jetton/masters?limit=100', 'jetton_masters'), 'address'),
    jettonWallets: textsOrAbsent(wallets, 'address'),
    collections: textsOrAbsent(await list('nft/collections?limit=100', 'nft_collections'), 'address'),
    items: textsOrAbsent(await list('nft/items?limit=200', 'nft_items'), 'address'),
    multisigs: textsOrAbsent(await list('multisig/wallets?limit=100', 'multisigs'), 'address'),
    vestings: textsOrAbsent(
      await list(`vesting?wallet_address=${ABSENT_ACCOUNT}`, 'vesting_contracts'),
      'address',
    ),
    pools: [ABSENT_ACCOUNT],
  };
}
