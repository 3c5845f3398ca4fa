import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer } from '../../../../src/api/serve-stage.ts';
import { type IndexedStore, openIndexedStore } from '../../../helpers/indexed-store.ts';
import { expectScan, type ScannedList } from '../../../helpers/scan-pages.ts';

/*
 * Scans of contracts that a local chain has few of, and of the ranking: generated rows, many with equal sort keys. One
 * row of each is after the visible steps, and one of them has changed meanwhile.
 */

const LAST = 40;
const NETWORK = 'localnet';
const key = (text: string) => `SHA256('${text}')`;
const numbered = (name: string) => `SHA256(concat('${name}', toString(number)))`;
const raw = (column: string) => `concat('0:', hex(${column}))`;
/** The step of a row: the last ones are not visible yet. */
const STEP = 'if(number < 40, number % 40 + 1, 41)';

const states = (kind: string, columns: string, values: string, count = 43) =>
  `contract_states (mc_seqno, account, lt, kind${columns}) SELECT ${STEP}, ${numbered(kind)}, 1000 + intDiv(number, 4), '${kind}'${values} FROM numbers(${count})`;
const keys = (role: string, of: string, kind: string) =>
  `contract_keys (mc_seqno, role, key, account) SELECT ${STEP}, '${role}', ${of}, ${numbered(kind)} FROM numbers(43)`;

const PARTY = key('party');
const MULTISIG = key('multisig of orders');
const ORDER_CODE = key('order code');
const COLLECTION = key('collection');
const ITEM_CODE = key('item code');
const MASTER = key('master');
const WALLET_CODE = key('wallet code');
const AUCTION = `concat('{"max_bid_address":"', ${raw(PARTY)}, '","max_bid_amount":"5","auction_end_time":"', toString(2000000000 + intDiv(number, 5)), '"}')`;

/** Names of few lengths; each is there twice. */
const DOMAIN = "concat(repeat('x', intDiv(number, 2) % 3 + 1), toString(intDiv(number, 4)), '.ton')";

/** Token contracts; `parent`: one that names their code. */
const tokens = (kind: string, [parent, code]: readonly [string, string] | readonly [] = []) =>
  `land_token_states (mc_seqno, account, lt, kind, is_first, is_owner_new, since${parent ? ', has_parent, parent, child_code' : ''})
   SELECT ${STEP}, ${numbered(kind)}, 1000 + intDiv(number, 4), '${kind}', true, true, ${STEP}${parent ? `, true, ${parent}, ${code}` : ''} FROM numbers(43)`;

const FILLS = [
  states(
    'multisig',
    ', details',
    `, concat('{"next_order_seqno":"1","threshold":1,"signers":["', ${raw(PARTY)}, '"],"proposers":[]}')`,
  ),
  keys('signer', PARTY, 'multisig'),
  `contract_states (mc_seqno, account, lt, kind, child_code, details)
   SELECT 1, ${MULTISIG}, 7, 'multisig', ${ORDER_CODE}, '{"next_order_seqno":"1","threshold":1,"signers":[],"proposers":[]}' FROM numbers(1)`,
  states(
    'multisig_order',
    ', has_parent, parent, child_code, details',
    `, true, ${MULTISIG}, ${ORDER_CODE}, '{"order_seqno":"1","threshold":1,"sent_for_execution":false,"approvals_mask":"0","approvals_num":0,"expiration_date":1,"order_boc":"te6cckEBAQEAAgAAAEysuc0=","signers":[]}'`,
  ),
  keys('multisig', MULTISIG, 'multisig_order'),
  // Moved after the visible steps: it keeps its place.
  `contract_states (mc_seqno, account, lt, kind, has_parent, parent, child_code, details)
   SELECT 41, ${numbered('multisig_order')}, 5000, 'multisig_order', true, ${MULTISIG}, ${ORDER_CODE}, '{}' FROM numbers(1)`,
  states(
    'vesting',
    ', details',
    `, concat('{"start_time":1,"total_duration":1,"unlock_period":1,"cliff_duration":1,"total_amount":"1","sender_address":"', ${raw(PARTY)}, '","owner_address":"', ${raw(PARTY)}, '","whitelist":[]}')`,
  ),
  keys('owner', PARTY, 'vesting'),
  `land_token_states (mc_seqno, account, lt, kind, is_first, is_owner_new, since, child_code)
   SELECT 1, ${COLLECTION}, 1, 'nft_collection', true, true, 1, ${ITEM_CODE} FROM numbers(1)`,
  states(
    'dns_item',
    ', code_hash, has_parent, parent, domain, has_wallet, wallet, has_bidder, bidder, details',
    `, ${ITEM_CODE}, true, ${COLLECTION}, ${DOMAIN}, true, ${PARTY}, true, ${PARTY}, ${AUCTION}`,
  ),
  keys('wallet', PARTY, 'dns_item'),
  keys('bidder', PARTY, 'dns_item'),
  keys('domain', `SHA256(${DOMAIN})`, 'dns_item'),
  `land_token_states (mc_seqno, account, lt, kind, is_first, is_owner_new, since, child_code)
   SELECT 1, ${MASTER}, 1, 'jetton_master', true, true, 1, ${WALLET_CODE} FROM numbers(1)`,
  tokens('jetton_master'),
  tokens('jetton_wallet', [MASTER, WALLET_CODE]),
  tokens('nft_collection'),
  tokens('nft_item', [COLLECTION, ITEM_CODE]),
];

/** Accounts with balances, ten of each; later ones are above and among them. */
const RANKED = `land_account_states (mc_seqno, account, lt, status, balance, origin)
  SELECT ${STEP}, ${numbered('rich')}, 1000 + number, 'active', 1000 - intDiv(number, 10), 'block' FROM numbers(43)`;
const CHANGED = `land_account_states (mc_seqno, account, lt, status, balance, has_prev, prev_lt, prev_balance, origin)
  SELECT 42, ${numbered('rich')}, 5000, 'active', 2000, true, 1000 + number, 1000, 'block' FROM numbers(2)`;
const CHANGING = `transactions (mc_seqno, account, lt) SELECT 42, ${numbered('rich')}, 5000 FROM numbers(2)`;

describe('scans of made rows', { timeout: 300_000 }, () => {
  let store: IndexedStore;
  let app: FastifyInstance;
  let party: string;
  let multisig: string;
  beforeAll(async () => {
    store = await openIndexedStore({ folders: [], visible: { first: 1, last: LAST }, contracts: true });
    const run = (text: string) => store.client.command(`INSERT INTO ${text}`, { route: 'test' });
    for (const fill of FILLS) await run(`${store.contracts}.${fill}`);
    for (const fill of [RANKED, CHANGED, CHANGING]) await run(`${store.database}.${fill}`);
    const { rows } = await store.client.queryRows<[string, string]>(
      `SELECT ${raw(PARTY)}, ${raw(MULTISIG)}`,
      { route: 'test' },
    );
    [party, multisig] = rows[0]!;
    app = await buildServer({ ...store.context, network: { ...store.context.network, label: NETWORK } });
  }, 300_000);
  afterAll(async () => {
    await app?.close();
    await store?.close();
    expect(store?.logged).toEqual([]);
  });

  const get = async (path: string) => {
    const reply = await app.inject(`/api/v3/${path}`);
    return { status: reply.statusCode, json: reply.json() as unknown };
  };
  const scan = (list: Omit<ScannedList, 'least'> & { readonly least?: number }) =>
    expectScan(get, { least: 40, ...list });
  const of = ({ address }: Record<string, unknown>) => String(address);

  it.each(['asc', 'desc'])('multisigs and orders by their last transaction, %s', async (sort) => {
    const turned = `sort=${sort === 'asc' ? 'desc' : 'asc'}`;
    for (const query of ['', `&wallet_address=${party}`]) {
      const path = `multisig/wallets?include_orders=false${query}`;
      const others = [`${path}&${turned}`, `${path}&sort=${sort}&address=${party}`];
      await scan({ path: `${path}&sort=${sort}`, key: 'multisigs', of, others });
    }
    for (const query of ['parse_actions=false', `multisig_address=${multisig}`]) {
      const path = `multisig/orders?${query}`;
      const others = [`${path}&${turned}`, `${path}&sort=${sort}&address=${party}`];
      await scan({ path: `${path}&sort=${sort}`, key: 'orders', of, others });
    }
  });

  it('vesting contracts by address', () => {
    const path = `vesting?wallet_address=${party}`;
    return scan({ path, key: 'vesting_contracts', of, others: [`${path}&check_whitelist=true`] });
  });

  it('names by their wallet, and those of one text', async () => {
    const name = ({ nft_item_address: address }: Record<string, unknown>) => String(address);
    const [byWallet, byText] = [`dns/records?wallet=${party}`, 'dns/records?domain=x0.ton'];
    const others = ['dns/records?domain=xx0.ton'];
    await scan({ path: byWallet, key: 'records', of: name, others });
    await scan({ path: byText, key: 'records', of: name, others, least: 2 });
  });

  it('auctions by their end', async () => {
    const item = ({ nft_item_address: address }: Record<string, unknown>) => String(address);
    const path = `dns/activeAuctions?bidder=${party}`;
    await scan({ path, key: 'auctions', of: item, others: [`${path}&state=bidding`] });
    const { json } = await get(`${path}&limit=1`);
    const { next_cursor: after } = json as { next_cursor: string };
    expect((await get(`${path}&after=${after}&cursor=`)).json).toEqual({
      code: 422,
      error: 'cursor and after exclude each other',
    });
  });

  // The limits of v3-endpoints.md 5 to 7: of values, and of rows.
  it.each([
    ['jetton/masters', 'address', 'jetton_master', 'jetton_masters', 1_024, 1_000],
    ['jetton/wallets', 'address', 'jetton_wallet', 'jetton_wallets', 1_000, 1_000],
    ['nft/collections', 'collection_address', 'nft_collection', 'nft_collections', 1_024, 1_000],
    ['nft/items', 'address', 'nft_item', 'nft_items', 1_000, 1_000],
    ['multisig/wallets', 'address', 'multisig', 'multisigs', 1_024, 1_024],
    ['multisig/orders', 'address', 'multisig_order', 'orders', 1_024, 1_024],
    ['vesting', 'contract_address', 'vesting', 'vesting_contracts', 1_000, 1_000],
  ])(
    '%s only by %s: pages by offset, and the bounds of both',
    async (route, name, kind, key, values, most) => {
      const { rows: all } = await store.client.queryRows<[string]>(
        `SELECT concat('0:', hex(${numbered(kind)})) FROM numbers(43)`,
        { route: 'test' },
      );
      const addresses = all.map(([address]) => address);
      // With and without the ones after the visible steps.
      for (const named of [addresses, addresses.slice(0, 25)]) {
        const rows = async (more: string) => {
          const { status, json } = await get(`${route}?${name}=${named.join()}${more}`);
          expect([more, status], JSON.stringify(json)).toEqual([more, 200]);
          return (json as Record<string, Record<string, unknown>[]>)[key]!.map(of);
        };
        const whole = await rows('&limit=1000');
        expect(whole.toSorted()).toEqual(named.slice(0, 40).toSorted());
        const pages = [];
        for (let offset = 0; offset <= whole.length; offset += 9)
          pages.push(...(await rows(`&limit=9&offset=${offset}`)));
        expect(pages).toEqual(whole);
        for (const [more, first, end] of [
          ['', 0, 10],
          ['&limit=0', 0, 1],
          ['&limit=-3', 0, 1],
          ['&limit=2&offset=-1', 0, 2],
          [`&offset=${whole.length - 1}`, whole.length - 1, whole.length],
          [`&offset=${whole.length}`, 0, 0],
          ['&offset=2147483647', 0, 0],
          [`&limit=${most}`, 0, whole.length],
        ] as const)
          expect([more, await rows(more)]).toEqual([more, whole.slice(first, end)]);
      }
      const refused = await get(`${route}?${name}=${addresses[0]}&limit=${most + 1}`);
      const error = `limit is not allowed: ${most + 1} > ${most}`;
      expect([refused.status, refused.json]).toEqual([422, { code: 422, error }]);
      const many = (count: number) => get(`${route}?${name}=${Array(count).fill(addresses[0]).join()}`);
      expect([(await many(values)).status, (await many(values + 1)).status]).toEqual([200, 422]);
    },
  );

  it('the ranking as it was, without later changes', async () => {
    const account = ({ account: name }: Record<string, unknown>) => String(name);
    await scan({ path: 'topAccountsByBalance', key: 'accounts', of: account, others: [] });
    const first = await get('topAccountsByBalance?limit=17&cursor=');
    const { next_cursor: cursor, accounts } = first.json as { next_cursor: string; accounts: unknown[] };
    const rest = `topAccountsByBalance?limit=1000&cursor=${cursor}`;
    const before = (await get(rest)).json as { accounts: unknown[] };
    expect(accounts.length + before.accounts.length).toBe(40);
    store.show({ first: 1, last: 42 });
    expect((await get(rest)).json).toEqual(before);
    const { json: now } = await get('topAccountsByBalance?limit=1000');
    expect((now as unknown[])[0]).toMatchObject({ balance: '2000' });
    store.show({ first: 1, last: LAST });
  });
});
