import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { VersionVector } from '../../src/api/version-vector.ts';
import { compareIndex } from '../../src/lookup/compare-index.ts';
import type { LookUpIndex } from '../../src/lookup/look-up-index.ts';
import type { ServedSteps } from '../../src/lookup/projection-follower.ts';
import { getIndexPath } from '../../src/lookup/sqlite-index.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { migrate } from '../../src/platform/clickhouse/migrations/migrate.ts';
import { ALL_TABLES } from '../../src/tables/all-tables.ts';
import {
  AnswerPairs,
  INDEXED,
  type PairOfAnswers,
  servedSteps,
  startTestIndex,
} from '../helpers/indexed-answers.ts';
import { headOf, type LocalApi, openLocalApi } from '../helpers/local-api.ts';
import { SeededRandom } from '../helpers/seeded-random.ts';

/* Answers with the look-up index equal answers by statements. TEST_REQUESTS: number of random requests, e.g. 10000. */

/** Random requests while the head moves. */
const REQUESTS = Number(process.env.TEST_REQUESTS ?? 120);
/** A chain that makes blocks as fast as it can leaves little time for requests. */
const PACE = { fast: false, blockMs: REQUESTS > 1_000 ? 3_000 : 2_000 };
/** More requests have more time. */
const LIMIT_MS = Math.max(900_000, REQUESTS * 500);
const wait = { timeout: LIMIT_MS, interval: 50 };
const route = 'test';

let api: LocalApi;
let directory: string;
let index: LookUpIndex;
/** What the index follows, if it is not what the API serves. */
let other: ServedSteps | null = null;
/** The index follows no lower step. */
let lowest = 0;
let pairs: AnswerPairs;
/** How often an answer began to read a version of the index. */
let opened = 0;
let database: string;
const random = new SeededRandom(43);

beforeAll(async () => {
  api = await openLocalApi({ traffic: 5, detects: true, ...PACE });
  await vi.waitFor(() => expect(headOf(api.context)).toBeGreaterThan(5), wait);
  await vi.waitFor(
    () => expect(INDEXED.map((name) => servedSteps(api.context, name))).not.toContain(null),
    wait,
  );
  directory = mkdtempSync(join(tmpdir(), 'tonhouse-test-'));
  await startIndex();
  // A test may have restarted it.
  pairs = await AnswerPairs.open(api.context, { open: openVersion });
  database = servedSteps(api.context)!.database;
}, LIMIT_MS);
afterEach(() => {
  lowest = 0;
});
afterAll(async () => {
  await pairs?.close();
  await index?.close();
  await api?.close();
  rmSync(directory, { recursive: true, force: true });
}, LIMIT_MS);

function openVersion(name: string) {
  const version = index.open(name);
  if (version) opened++;
  return version;
}

async function startIndex(demand?: { readonly hasRoom: () => boolean }): Promise<void> {
  index = await startTestIndex(directory, {
    ...(demand && { demand }),
    client: api.context.client,
    getServed: (projection) =>
      (projection === 'base' && other) || fromLowest(servedSteps(api.context, projection)),
    logged: api.logged,
  });
}

/** Starts it again, without the files that it had. */
async function startEmptyIndex(demand?: Parameters<typeof startIndex>[0]): Promise<void> {
  await index.close();
  rmSync(directory, { recursive: true });
  directory = mkdtempSync(join(tmpdir(), 'tonhouse-test-'));
  await startIndex(demand);
}

function fromLowest(served: ServedSteps | null): ServedSteps | null {
  if (!served) return null;
  const { database: name, visible } = served;
  return { database: name, visible: { ...visible, first: Math.max(lowest, visible.first) } };
}

const DIGITS = [...'0123456789ABCDEF'];
const randomHash = () => Array.from({ length: 64 }, () => random.pick(DIGITS)).join('');

/** Hashes of transactions and messages, and accounts, that the store has now. */
async function readKeys() {
  const options = { route, timeoutMs: 60_000 };
  const { rows: hashes } = await api.client.queryRows<[string]>(
    `SELECT hex(hash) FROM ${database}.transactions ORDER BY lt DESC LIMIT 3000`,
    options,
  );
  const { rows: accounts } = await api.client.queryRows<[string]>(
    `SELECT DISTINCT concat(toString(workchain), ':', hex(account)) FROM ${database}.account_states LIMIT 3000`,
    options,
  );
  const { rows: messages } = await api.client.queryRows<[string, string]>(
    `SELECT hex(hash), hex(hash_norm) FROM ${database}.messages ORDER BY cityHash64(hash) LIMIT 3000`,
    options,
  );
  return {
    hashes: hashes.map(([hash]) => hash),
    accounts: accounts.map(([account]) => account),
    messages: [...new Set(messages.flat())],
    ...(await readTokenKeys()),
  };
}

const raw = (name: string) =>
  `concat(toString(${name === 'account' ? 'workchain' : `${name}_workchain`}), ':', hex(${name}))`;

/** Tokens by kind, and those whom they belong to, in both databases. */
async function readTokenKeys() {
  const from = (['contracts', 'detections'] as const).map(
    (name) =>
      `SELECT toString(kind), ${raw('account')}, ${raw('owner')} FROM ${servedSteps(api.context, name)!.database}.tokens_latest`,
  );
  const { rows } = await api.client.queryRows<[string, string, string]>(from.join(' UNION ALL '), {
    route,
    timeoutMs: 60_000,
  });
  const { rows: lts } = await api.client.queryRows<[string]>(
    `SELECT DISTINCT toString(lt) FROM ${servedSteps(api.context, 'contracts')!.database}.token_transfers LIMIT 1000`,
    { route },
  );
  const accountsOf = (kind: string) => rows.filter(([one]) => one === kind).map(([, account]) => account);
  const ownersOf = (kind: string) => rows.filter(([one]) => one === kind).map(([, , owner]) => owner);
  return {
    masters: accountsOf('jetton_master'),
    wallets: accountsOf('jetton_wallet'),
    collections: accountsOf('nft_collection'),
    items: accountsOf('nft_item'),
    holders: ownersOf('jetton_wallet'),
    owners: ownersOf('nft_item'),
    lts: lts.length > 0 ? lts.map(([lt]) => lt) : ['1'],
  };
}

type Keys = Awaited<ReturnType<typeof readKeys>>;

const several = (name: string, make: () => string) =>
  Array.from({ length: 1 + random.below(12) }, () => `${name}=${make()}`).join('&');

/** A random request; a fifth of the keys exist nowhere. */
function randomUrl(keys: Keys): string {
  const { hashes, accounts, messages } = keys;
  const hash = () => (random.oneIn(5) ? randomHash() : random.pick(hashes));
  const account = () => (random.oneIn(5) ? `0:${randomHash()}` : random.pick(accounts));
  const message = () => (random.oneIn(5) ? randomHash() : random.pick(messages));
  const way = () => random.pick(['asc', 'desc']);
  const lt = () => random.pick(keys.lts);
  const now = () => Math.floor(Date.now() / 1000) - random.below(90);
  if (random.oneIn(3)) return randomTokenUrl(keys);
  return random.pick([
    () => `/api/v3/transactions?hash=${hash()}`,
    () => `/api/v3/adjacentTransactions?hash=${hash()}`,
    () => `/api/v3/adjacentTransactions?hash=${hash()}&direction=${random.pick(['in', 'out'])}`,
    () => `/api/v3/transactions?${several('hash', hash)}&sort=${way()}`,
    () => `/api/v3/transactions?msg_hash=${message()}`,
    () => `/api/v3/transactionsByMessage?msg_hash=${message()}`,
    () => `/api/v3/transactionsByMessage?${several('msg_hash', message)}&limit=5&offset=1`,
    () => `/api/v3/transactionsByMessage?msg_hash=${message()}&direction=${random.pick(['in', 'out'])}`,
    () => `/api/v3/messages?msg_hash=${message()}`,
    () => `/api/v3/messages?${several('msg_hash', message)}&sort=asc`,
    () => `/api/v3/addressInformation?address=${account()}`,
    () => `/api/v3/transactions?account=${account()}&limit=5`,
    () => `/api/v3/transactions?limit=${1 + random.below(300)}&offset=${random.below(9)}&sort=${way()}`,
    () => `/api/v3/transactions?start_utime=${now()}&limit=${1 + random.below(60)}&sort=${way()}`,
    () => `/api/v3/transactions?start_utime=${now()}&end_utime=${now()}&offset=${random.below(9)}`,
    () => `/api/v3/account?address=${account()}`,
    () => `/api/v3/accountStates?${several('address', account)}`,
    () => `/api/v3/walletStates?${several('address', account)}`,
    () => `/api/v3/addressBook?${several('address', account)}`,
    () => `/api/v3/metadata?${several('address', account)}`,
    () => `/api/v3/accountStates?${several('address', account)}&include_boc=false`,
    () => `/api/v3/traces?tx_hash=${hash()}`,
    () => `/api/v3/traces?trace_id=${hash()}`,
    () => `/api/v3/traces?${several('msg_hash', message)}`,
    () => `/api/v3/actions?${several('msg_hash', message)}&limit=9&sort=${way()}`,
    () => `/api/v3/actions?msg_hash=${message()}&tx_hash=${hash()}`,
    () => `/api/v3/traces?${several('tx_hash', hash)}&limit=4`,
    () => `/api/v3/traces?account=${account()}&limit=3`,
    () => `/api/v3/traces?account=${account()}&sort=${way()}&offset=${random.below(4)}`,
    () => `/api/v3/traces?limit=${1 + random.below(20)}&sort=${way()}`,
    () => `/api/v3/traces?end_utime=${now()}&limit=7&offset=2`,
    () => `/api/v3/traces?account=${account()}&start_utime=${now()}`,
    () => `/api/v3/traces?${several('tx_hash', hash)}&include_actions=true`,
    () => `/api/v3/actions?tx_hash=${hash()}`,
    () => `/api/v3/actions?tx_hash=${hash()}&include_accounts=true&include_transactions=true&sort=asc`,
    () => `/api/v3/actions?${several('trace_id', hash)}&limit=3&offset=1`,
    () => `/api/v3/actions?account=${account()}&limit=${1 + random.below(20)}&sort=${way()}`,
    () => `/api/v3/actions?account=${account()}&action_type=jetton_transfer&offset=${random.below(3)}`,
    () => `/api/v3/actions?limit=${1 + random.below(200)}&sort=${way()}&offset=${random.below(9)}`,
    () => `/api/v3/actions?start_lt=${lt()}&end_lt=${lt()}&limit=20&sort=${way()}`,
    () => `/api/v3/actions?account=${account()}&start_lt=${lt()}&limit=5&cursor=`,
    () => `/api/v3/actions?end_lt=${lt()}&limit=4&exclude_action_type=ton_transfer&cursor=`,
    () => `/api/v3/traces?start_lt=${lt()}&end_lt=${lt()}&limit=5&sort=${way()}`,
    () => `/api/v3/traces?limit=3&sort=${way()}&cursor=`,
    () =>
      `/api/v3/actions?${several('tx_hash', hash)}&action_type=ton_transfer,jetton_transfer,call_contract`,
    () => `/api/v2/getAddressInformation?address=${account()}`,
    () => `/api/v2/getAddressInformation?address=${account()}&seqno=${1 + random.below(6)}`,
    () => `/api/v2/getTransactions?address=${account()}&limit=3`,
  ])();
}

/** The same for routes of tokens. */
function randomTokenUrl(keys: Keys): string {
  const { accounts, masters, wallets, collections, items, holders, owners, lts } = keys;
  const oneOf = (some: readonly string[]) => () => {
    if (random.oneIn(6)) return `0:${randomHash()}`;
    return random.pick(some.length === 0 || random.oneIn(6) ? accounts : some);
  };
  const [master, wallet, collection, item, holder, owner] = [
    ...[masters, wallets, collections, items],
    ...[holders, owners],
  ].map(oneOf) as [() => string, () => string, () => string, () => string, () => string, () => string];
  const page = () =>
    random.pick(['', '&limit=3', '&limit=2&offset=2', '&limit=5&offset=1', '&limit=1000', '&limit=4']);
  const sort = () => random.pick(['', '&sort=asc', '&sort=desc']);
  const zero = () => random.pick(['', '&exclude_zero_balance=true']);
  const lt = () => random.pick(lts);
  return random.pick([
    () => `/api/v3/jetton/wallets?${several('address', wallet)}${zero()}`,
    () => `/api/v3/jetton/wallets?owner_address=${holder()}${zero()}${sort()}${page()}`,
    () => `/api/v3/jetton/wallets?${several('owner_address', holder)}${sort()}${page()}`,
    () => `/api/v3/jetton/wallets?owner_address=${holder()}&jetton_address=${master()}`,
    () => `/api/v3/jetton/wallets?jetton_address=${master()}${zero()}${sort()}${page()}`,
    () => `/api/v3/jetton/wallets?jetton_address=${master()}${zero()}${sort()}&limit=3&cursor=`,
    () => `/api/v3/nft/items?collection_address=${collection()}&limit=2&cursor=`,
    () => `/api/v3/jetton/masters?${several('address', master)}`,
    () => `/api/v3/jetton/masters?admin_address=${holder()}`,
    () => `/api/v3/jetton/masters?limit=${1 + random.below(8)}&offset=${random.below(3)}`,
    () => `/api/v3/nft/collections?${several('collection_address', collection)}`,
    () => `/api/v3/nft/collections?owner_address=${owner()}`,
    () => `/api/v3/nft/collections?limit=${1 + random.below(8)}&offset=${random.below(3)}`,
    () => `/api/v3/nft/items?${several('address', item)}`,
    () => `/api/v3/nft/items?owner_address=${owner()}${page()}`,
    () => `/api/v3/nft/items?owner_address=${owner()}&include_on_sale=true`,
    () => `/api/v3/nft/items?${several('owner_address', owner)}${page()}`,
    () => `/api/v3/nft/items?collection_address=${collection()}${page()}`,
    () => `/api/v3/nft/items?owner_address=${owner()}&sort_by_last_transaction_lt=true`,
    () => `/api/v3/jetton/transfers?owner_address=${holder()}${sort()}${page()}`,
    () => `/api/v3/jetton/transfers?${several('owner_address', holder)}&direction=in${sort()}${page()}`,
    () => `/api/v3/jetton/transfers?jetton_master=${master()}${sort()}${page()}`,
    () => `/api/v3/jetton/transfers?jetton_wallet=${wallet()}&end_lt=${lt()}${sort()}${page()}`,
    () => `/api/v3/jetton/burns?jetton_master=${master()}${page()}`,
    () => `/api/v3/nft/transfers?owner_address=${owner()}&direction=out&start_lt=${lt()}${page()}`,
    () => `/api/v3/nft/transfers?collection_address=${collection()}${sort()}${page()}`,
    () => `/api/v3/nft/transfers?${several('item_address', item)}${sort()}${page()}`,
    () => `/api/v3/metadata?${several('address', random.pick([wallet, item, master, collection]))}`,
    () => `/api/v3/accountStates?${several('address', wallet)}&include_boc=false`,
    () => `/api/v3/walletStates?${several('address', item)}`,
    () => `/api/v3/addressBook?${several('address', holder)}`,
  ])();
}

/** Both texts from shortly before the place where they differ; null if they are equal. */
function firstDifference(indexed: string, stored: string): readonly [string, string] | null {
  if (indexed === stored) return null;
  let at = 0;
  while (indexed[at] === stored[at]) at++;
  const cut = (text: string) => text.slice(Math.max(0, at - 80), at + 80);
  return [cut(indexed), cut(stored)];
}

/** Requests that are compared at the same time. */
const AT_ONCE = 8;
/** Interval of lines about a long comparison, requests. */
const SHOW_EVERY = 500;

/** A server counts the name of an account as its newest for a minute: two servers may begin that minute at other times. */
const NAMES_MS = 61_000;

/** Fails if answers differ, and still do when both servers have to read names again. */
async function expectEqual(url: string, vector: VersionVector, pair: PairOfAnswers): Promise<void> {
  if (pair.indexed === pair.stored) return;
  console.log(`${url}: asked again, ${firstDifference(pair.indexed, pair.stored)}`);
  await setTimeout(NAMES_MS);
  const { indexed, stored } = await pairs.ask(url, vector);
  expect(firstDifference(indexed, stored), url).toBe(null);
}

/** The second page of a scan; null if the answer is no page of one, or the last. */
function nextPage(url: string, { indexed }: PairOfAnswers): string | null {
  const cursor = url.endsWith('cursor=') && /"next_cursor":"([^"]+)"/.exec(indexed)?.[1];
  return cursor ? `${url}${encodeURIComponent(cursor)}` : null;
}

/** Compares answers at the heads that come while it asks. */
async function compare(requests: number): Promise<void> {
  let keys = await readKeys();
  for (let asked = 0; asked < requests; asked += AT_ONCE) {
    if (asked % 200 === 192) keys = await readKeys();
    const vector = api.context.vector();
    const urls = Array.from({ length: AT_ONCE }, () => randomUrl(keys));
    const answers = await Promise.all(urls.map((url) => pairs.ask(url, vector)));
    for (const [at, pair] of answers.entries()) {
      await expectEqual(urls[at]!, vector, pair);
      const next = nextPage(urls[at]!, pair);
      if (next) await expectEqual(next, vector, await pairs.ask(next, vector));
    }
    const compared = asked + AT_ONCE;
    if (compared % SHOW_EVERY < AT_ONCE && requests > SHOW_EVERY)
      console.log(
        `${compared} requests at ${headOf(api.context)} blocks: 0 differences; ${opened} versions read`,
      );
  }
}

/** A head whose steps from one on, by default all, are in the index, of every projection. */
function untilCovered(from = 0): Promise<VersionVector> {
  return vi.waitFor(() => {
    const vector = api.context.vector();
    for (const name of INDEXED) {
      const view = vector[name];
      const isCovered =
        view.state === 'served' &&
        index.open(view.database)?.covers({ ...view.visible, first: Math.max(from, view.visible.first) });
      expect([name, isCovered]).toEqual([name, true]);
    }
    return vector;
  }, wait);
}

it(
  'while it is filled and the head moves',
  async () => {
    await compare(REQUESTS);
    expect(opened).toBeGreaterThan(REQUESTS / 10);
    await vi.waitFor(readPlainTokens, wait);
    // Blocks without traffic are enough for the other tests.
    await api.control.setTraffic(0);
  },
  LIMIT_MS,
);

/**
 * Accounts that never were the wallet of a name, hashes of transactions whose messages are between such accounts, and hashes of
 * messages of such transactions: a name is read by a statement.
 */
async function readNameless() {
  const { database: contracts } = servedSteps(api.context, 'contracts')!;
  const wallets = `(SELECT key FROM ${contracts}.contract_keys WHERE role = 'wallet')`;
  const read = async (statement: string) => {
    const { rows } = await api.client.queryRows<[string]>(`${statement} ORDER BY 1 LIMIT 3000`, {
      route,
      timeoutMs: 60_000,
    });
    return rows.map(([key]) => key);
  };
  const named = `(SELECT tx_hash FROM ${database}.messages WHERE source IN ${wallets} OR destination IN ${wallets})`;
  return {
    messages: await read(
      `SELECT hex(hash) FROM ${database}.messages GROUP BY hash HAVING NOT max(tx_hash IN ${named})`,
    ),
    transactions: await read(
      `SELECT hex(hash) FROM ${database}.transactions WHERE hash NOT IN ${named} AND account NOT IN ${wallets}`,
    ),
    accounts: await read(
      `SELECT DISTINCT concat(toString(workchain), ':', hex(account)) FROM ${database}.account_states WHERE account NOT IN ${wallets}`,
    ),
  };
}

/** True for a statement of the tables that the index has: of chain and traces, and of names of wallets. */
const isIndexedTable = (sql: string) =>
  sql.includes('contract_keys') || sql.includes(`${database}.`) || /\blocalnet_traces_v/.test(sql);

it(
  'reads what is present and what is absent without a statement of the indexed tables',
  async () => {
    const vector = await untilCovered();
    const { messages, transactions, accounts } = await readNameless();
    // Facts of the head are read once.
    await pairs.ask(`/api/v3/accountStates?address=0:${randomHash()}`, vector);
    await pairs.ask(`/api/v2/getAddressInformation?address=0:${randomHash()}`, vector);
    const absent = `0:${randomHash()}`;
    for (const url of [
      `/api/v3/transactions?hash=${randomHash()}`,
      `/api/v3/transactions?hash=${transactions[0]}`,
      `/api/v3/transactions?hash=${transactions.at(-1)}`,
      `/api/v3/messages?msg_hash=${randomHash()}`,
      `/api/v3/messages?msg_hash=${messages[0]}`,
      `/api/v3/messages?msg_hash=${messages.at(-1)}`,
      `/api/v3/transactionsByMessage?msg_hash=${randomHash()}`,
      `/api/v3/transactionsByMessage?msg_hash=${messages[1]}`,
      `/api/v3/accountStates?address=${absent}&include_boc=false`,
      `/api/v2/getAddressInformation?address=${absent}`,
      `/api/v3/accountStates?address=${accounts[0]}&include_boc=false`,
      ...accounts.slice(1, 6).map((account) => `/api/v3/addressInformation?address=${account}`),
    ]) {
      const { indexed, stored, statements } = await pairs.ask(url, vector);
      expect(firstDifference(indexed, stored), url).toBe(null);
      expect([url, ...statements.filter(isIndexedTable)]).toEqual([url]);
    }
  },
  LIMIT_MS,
);

/** Whether one of the tokens of a jetton or collection was detected, by now. */
async function hasDetected(parent: string): Promise<boolean> {
  const { rows } = await api.client.queryRows(
    `SELECT 1 FROM ${servedSteps(api.context, 'detections')!.database}.tokens_by_parent WHERE parent = unhex('${parent}') LIMIT 1`,
    { route },
  );
  return rows.length > 0;
}

it(
  'answers transfers of accounts without statements of transfers',
  async () => {
    const vector = await untilCovered();
    const { database: contracts } = servedSteps(api.context, 'contracts')!;
    const { database: detections } = servedSteps(api.context, 'detections')!;
    // The most transfers of each kind and role; those of a parent only if none of its tokens was detected.
    const { rows } = await api.client.queryRows<[string, string, string]>(
      `SELECT toString(kind), toString(role), hex(key) FROM ${contracts}.token_transfer_keys
       WHERE role != 'account' AND key != toFixedString('', 32) AND workchain = 0
         AND (role != 'parent' OR key NOT IN (SELECT parent FROM ${detections}.tokens_by_parent))
       GROUP BY kind, role, key ORDER BY count() DESC, key LIMIT 1 BY kind, role`,
      { route },
    );
    expect(rows.length).toBeGreaterThan(4);
    const routes: Readonly<Record<string, readonly [path: string, owner: string, parent: string]>> = {
      jetton_transfer: ['jetton/transfers', 'owner_address', 'jetton_master'],
      jetton_burn: ['jetton/burns', 'address', 'jetton_master'],
      nft_transfer: ['nft/transfers', 'owner_address', 'collection_address'],
    };
    let transfers = 0;
    for (const [kind, role, account] of rows) {
      const [path, owner, parent] = routes[kind]!;
      const url = `/api/v3/${path}?${role === 'parent' ? parent : owner}=0:${account}`;
      for (const page of ['', '&limit=2&sort=asc', '&limit=3&offset=1']) {
        const { indexed, stored, statements } = await pairs.ask(`${url}${page}`, vector);
        expect(firstDifference(indexed, stored), url).toBe(null);
        transfers += indexed.split('query_id').length - 1;
        const read = statements.filter((sql) => sql.includes('.token_transfer'));
        // A busy machine may detect the first token of a parent only now.
        if (read.length === 0 || (role === 'parent' && (await hasDetected(account)))) continue;
        expect([`${url}${page}`, ...read]).toEqual([`${url}${page}`]);
      }
    }
    expect(transfers).toBeGreaterThan(rows.length);
  },
  LIMIT_MS,
);

/** Tokens whose names and contracts need no statement: neither they nor their owners are names, sales or wallets of names. */
async function readPlainTokens() {
  const contracts = servedSteps(api.context, 'contracts')!.database;
  const detections = servedSteps(api.context, 'detections')!.database;
  const known = `(SELECT key FROM ${contracts}.contract_keys WHERE role = 'wallet' UNION ALL
    SELECT account FROM ${contracts}.contract_states UNION ALL SELECT account FROM ${detections}.detected_contracts)`;
  const read = async (kind: string) => {
    const { rows } = await api.client.queryRows<[string, string, string]>(
      `SELECT ${raw('account')}, ${raw('owner')}, ${raw('parent')} FROM ${contracts}.tokens_latest FINAL
       WHERE kind = '${kind}' AND NOT is_gone AND account NOT IN ${known} AND owner NOT IN ${known} AND parent NOT IN ${known}
       ORDER BY account LIMIT 20`,
      { route, timeoutMs: 60_000 },
    );
    expect([kind, rows.length > 0]).toEqual([kind, true]);
    return rows;
  };
  return {
    masters: await read('jetton_master'),
    wallets: await read('jetton_wallet'),
    collections: await read('nft_collection'),
    items: await read('nft_item'),
  };
}

it(
  'answers about tokens need no statement',
  async () => {
    const vector = await untilCovered();
    const { masters, wallets, collections, items } = await readPlainTokens();
    const accounts = (rows: readonly (readonly [string, string, string])[], name = 'address') =>
      rows.map(([account]) => `${name}=${account}`).join('&');
    const [, holder, master] = wallets[0]!;
    const [, owner, collection] = items[0]!;
    const urls = [
      `/api/v3/jetton/wallets?${accounts(wallets)}`,
      `/api/v3/jetton/wallets?owner_address=${holder}`,
      `/api/v3/jetton/wallets?owner_address=${holder}&jetton_address=${master}`,
      `/api/v3/jetton/wallets?jetton_address=${master}&limit=3`,
      `/api/v3/jetton/wallets?jetton_address=${master}&limit=3&sort=desc`,
      `/api/v3/jetton/masters?${accounts(masters)}`,
      '/api/v3/jetton/masters?limit=3',
      `/api/v3/nft/collections?${accounts(collections, 'collection_address')}`,
      '/api/v3/nft/collections?limit=3',
      `/api/v3/nft/items?${accounts(items)}`,
      `/api/v3/nft/items?owner_address=${owner}`,
      `/api/v3/nft/items?collection_address=${collection}&limit=3`,
      `/api/v3/metadata?${accounts([...wallets, ...items])}`,
      `/api/v3/accountStates?${accounts(wallets)}&include_boc=false`,
      `/api/v3/walletStates?${accounts(items)}`,
    ];
    for (const url of urls) {
      // Facts about codes are read once.
      await pairs.ask(url, vector);
      const { indexed, stored, statements } = await pairs.ask(url, vector);
      expect(firstDifference(indexed, stored), url).toBe(null);
      expect(indexed.slice(0, 3), url).toBe('200');
      expect([url, ...statements]).toEqual([url]);
    }
  },
  LIMIT_MS,
);

/** Compares the file of a projection with its tables, as `verify` does. */
async function compareFile(name: (typeof INDEXED)[number]) {
  const { database: followed } = servedSteps(api.context, name)!;
  const { targets } = ALL_TABLES[name]!;
  const path = getIndexPath(directory, followed);
  const { client } = api;
  const { signal } = new AbortController();
  return compareIndex({ client, database: followed, tables: null, targets, chain: 'test', path, signal });
}

it(
  'answers traces and actions of a transaction, and lists of them, without statements of blocks, traces and actions',
  async () => {
    const vector = await untilCovered();
    const { database: traces } = servedSteps(api.context, 'traces')!;
    const { database: actions } = servedSteps(api.context, 'actions')!;
    // The assets of an exchange's pool follow from its first messages.
    const isRead = (sql: string) =>
      [database, traces, actions].some((name) => sql.includes(`${name}.`)) &&
      !sql.includes('messages_by_source');
    const { rows } = await api.client.queryRows<[string, string]>(
      `SELECT hex(trace_id), toString(max(transactions) AS size) FROM ${traces}.traces GROUP BY trace_id
       HAVING size BETWEEN 2 AND 12 ORDER BY size DESC, trace_id LIMIT 5`,
      { route },
    );
    expect(rows.length).toBe(5);
    for (const [hash, size] of rows) {
      const { rows: messages } = await api.client.queryRows<[string]>(
        `SELECT hex(hash) FROM ${database}.messages WHERE tx_hash = unhex('${hash}') LIMIT 1`,
        { route },
      );
      const message = messages[0]![0];
      for (const url of [
        `/api/v3/traces?tx_hash=${hash}`,
        `/api/v3/traces?tx_hash=${hash}&include_actions=true`,
        `/api/v3/traces?msg_hash=${message}`,
        `/api/v3/actions?msg_hash=${message}`,
        `/api/v3/actions?tx_hash=${hash}&include_accounts=true`,
        `/api/v3/actions?trace_id=${hash}&include_transactions=true&sort=asc`,
      ]) {
        const { indexed, stored, statements } = await pairs.ask(url, vector);
        expect(firstDifference(indexed, stored), url).toBe(null);
        if (url.includes('/traces')) expect(indexed).toContain(`"transactions":${size}`);
        expect([url, ...statements.filter(isRead)]).toEqual([url]);
      }
    }
    const [first] = rows;
    const { rows: accounts } = await api.client.queryRows<[string]>(
      `SELECT concat(toString(workchain), ':', hex(account)) FROM ${database}.transactions WHERE hash = unhex('${first![0]}')`,
      { route },
    );
    const pages = ['limit=5', 'limit=5&sort=asc'];
    const lists = {
      traces: [...pages, `account=${accounts[0]![0]}&limit=5`],
      actions: [...pages, `account=${accounts[0]![0]}&limit=5`],
      transactions: pages,
    };
    for (const [list, queries] of Object.entries(lists))
      for (const query of queries) {
        const { indexed, stored, statements } = await pairs.ask(`/api/v3/${list}?${query}`, vector);
        expect(firstDifference(indexed, stored), query).toBe(null);
        expect(indexed).toContain('"trace_id"');
        expect([list, query, ...statements.filter(isRead)]).toEqual([list, query]);
      }
  },
  LIMIT_MS,
);

/** Steps from one on with the newest actions, and the second at which the next one begins. */
async function findNewestSteps(): Promise<{ readonly step: number; readonly utime: number }> {
  const { database: actions } = servedSteps(api.context, 'actions')!;
  const { rows } = await api.client.queryRows<[number, number]>(
    `SELECT mc_seqno, gen_utime FROM ${database}.blocks WHERE workchain = -1 AND mc_seqno >=
       (SELECT min(mc_seqno) FROM (SELECT mc_seqno FROM ${actions}.actions ORDER BY mc_seqno DESC LIMIT 40)) - 2
     ORDER BY mc_seqno LIMIT 2`,
    { route },
  );
  return { step: rows[0]![0], utime: rows[1]![1] + 1 };
}

it(
  'answers the newest of lists without statements if it has only the newest steps',
  async () => {
    const { step, utime } = await findNewestSteps();
    expect(step).toBeGreaterThan(3);
    lowest = step;
    await startEmptyIndex();
    const vector = await untilCovered(step);
    const databases = (['base', 'traces', 'actions'] as const).map(
      (name) => servedSteps(api.context, name)!.database,
    );
    // The state before a transaction of an account that rested is of a lower step.
    const isRead = (sql: string) =>
      databases.some((name) => sql.includes(`${name}.`)) && !sql.includes('.account_states');
    const answers = async (url: string) => {
      const { indexed, stored, statements } = await pairs.ask(url, vector);
      expect(firstDifference(indexed, stored), url).toBe(null);
      return { indexed, statements: statements.filter(isRead) };
    };
    const newest = await answers('/api/v3/actions?limit=5&include_accounts=true');
    const [, account] = /"accounts":\["([^"]+)"/.exec(newest.indexed)!;
    for (const url of [
      '/api/v3/actions?limit=5',
      `/api/v3/actions?account=${account}&limit=1`,
      '/api/v3/traces?limit=5',
      '/api/v3/transactions?limit=20&offset=5',
      `/api/v3/transactions?start_utime=${utime}&limit=10`,
      `/api/v3/transactions?start_utime=${utime}&limit=10&sort=asc`,
    ]) {
      const { indexed, statements } = await answers(url);
      expect(indexed, url).toContain('"trace_id"');
      expect([url, ...statements]).toEqual([url]);
    }
    for (const list of ['actions', 'traces', 'transactions'])
      for (const url of [`/api/v3/${list}?limit=5&sort=asc`, `/api/v3/${list}?limit=5&offset=200`]) {
        const { statements } = await answers(url);
        expect([url, statements.length > 0]).toEqual([url, true]);
      }
    await compare(160);
  },
  LIMIT_MS,
);

it(
  'has the rows of the tables, and a comparison finds a row that it lacks',
  async () => {
    await untilCovered();
    for (const name of INDEXED)
      expect([name, await compareFile(name)]).toMatchObject([name, { problems: 0 }]);
    expect((await compareFile('traces'))?.rows).toBeGreaterThan(0);
    const { database: followed } = servedSteps(api.context, 'traces')!;
    const file = new DatabaseSync(getIndexPath(directory, followed), { timeout: 10_000 });
    const { key } = file.prepare('SELECT key FROM rows_trace_by_transaction WHERE step < 4 LIMIT 1').get()!;
    file.prepare('DELETE FROM rows_trace_by_transaction WHERE key = ?').run(key as Uint8Array);
    file.close();
    const found = await compareFile('traces');
    expect(found?.problems).toBe(2);
    expect(found?.samples.join()).toContain(Buffer.from(key as Uint8Array).toString('hex'));
    await confirmTraces();
    await vi.waitFor(async () => expect(await compareFile('traces')).toMatchObject({ problems: 0 }), wait);
  },
  LIMIT_MS,
);

/** Confirms the first steps of traces again, so that they are read again. */
const confirmTraces = () =>
  api.client.command(
    `INSERT INTO ${servedSteps(api.context, 'traces')!.database}.confirmed (first, last, epoch, lane) VALUES (1, 4, 0, 0)`,
    { route },
  );

/** Takes the transactions of a covered step away, as a repair may, and returns the hash of one. */
async function dropStep(): Promise<string> {
  const { rows } = await api.client.queryRows<[string, number]>(
    `SELECT hex(hash), mc_seqno FROM ${database}.transaction_payloads WHERE mc_seqno > 0 ORDER BY lt LIMIT 1`,
    { route },
  );
  const [hash, step] = rows[0]!;
  await api.client.command(`DELETE FROM ${database}.transaction_payloads WHERE mc_seqno = ${step}`, {
    route,
    settings: { lightweight_deletes_sync: 2 },
  });
  return `${hash} ${step}`;
}

const confirm = (step: string) =>
  api.client.command(
    `INSERT INTO ${database}.confirmed (first, last, epoch, lane) VALUES (${step}, ${step}, 0, 0)`,
    { route },
  );

const isIndexed = (hash: string, name = database) =>
  index.open(name)?.get('transaction_by_hash', Buffer.from(hash, 'hex')) != null;

it(
  'reads a step again that was confirmed again, now and after a restart',
  async () => {
    await untilCovered();
    const [hash = '', step = ''] = (await dropStep()).split(' ');
    expect(isIndexed(hash)).toBe(true);
    await confirm(step);
    await vi.waitFor(() => expect(isIndexed(hash)).toBe(false), wait);
    await untilCovered();
    await index.close();
    const [missed = '', missedStep = ''] = (await dropStep()).split(' ');
    await confirm(missedStep);
    await startIndex();
    await vi.waitFor(() => expect(isIndexed(missed)).toBe(false), wait);
    await untilCovered();
    await compare(48);
  },
  LIMIT_MS,
);

/** A version with the rows of the served one up to a step. */
async function copyVersion(version: number, last: number): Promise<string> {
  const { network, epochSize } = api.identity;
  const folder = resolve(import.meta.dirname, '../../clickhouse');
  await migrate(api.client, { network, projection: 'base', version, directory: folder, epochSize });
  const copy = versionDatabase(network, 'base', version);
  for (const table of ['transaction_payloads', 'account_states'])
    await api.client.command(
      `INSERT INTO ${copy}.${table} SELECT * FROM ${database}.${table} WHERE mc_seqno <= ${last}`,
      { route },
    );
  await api.client.command(
    `INSERT INTO ${copy}.confirmed (first, last, epoch, lane) VALUES (0, ${last}, 0, 0)`,
    {
      route,
    },
  );
  return copy;
}

it(
  'has a file for each version, and deletes that of a version that is dropped',
  async () => {
    await untilCovered();
    const { rows } = await api.client.queryRows<[string, number]>(
      `SELECT hex(hash), mc_seqno FROM ${database}.transaction_payloads WHERE mc_seqno <= 4 OR mc_seqno = ${headOf(api.context)} ORDER BY lt`,
      { route },
    );
    const copy = await copyVersion(9, 4);
    other = { database: copy, visible: { first: 0, last: 4 } };
    await vi.waitFor(() => expect(index.open(copy)?.covers(other!.visible)).toBe(true), wait);
    expect(index.open(database)).toBe(null);
    for (const [hash, step] of rows) expect([step, isIndexed(hash, copy)]).toEqual([step, step <= 4]);
    other = null;
    await untilCovered();
    await compare(24);
    const file = join(directory, `${copy}.sqlite`);
    expect(existsSync(file)).toBe(true);
    await api.client.command(`DROP DATABASE ${copy} SYNC`, { route });
    await index.close();
    await startIndex();
    await untilCovered();
    expect(existsSync(file)).toBe(false);
    expect(api.logged).toEqual([]);
  },
  LIMIT_MS,
);

/** Steps that the file of a projection has. */
const stepsInFile = (name: string) =>
  index.facts.projections.find(({ projection }) => projection === name)?.steps ?? null;

it(
  'on demand: is filled when answers lack steps and the disk has room, and notices steps that were confirmed again',
  async () => {
    const disk = { isFull: true };
    await startEmptyIndex({ hasRoom: () => !disk.isFull });
    const ask = () => compare(16);
    await ask();
    await vi.waitFor(() => expect(index.find('base')).not.toBe(null), wait);
    await ask();
    await ask();
    expect(stepsInFile('base')).toBe(null);
    disk.isFull = false;
    await vi.waitFor(async () => {
      await ask();
      expect(index.open(database)?.covers(servedSteps(api.context)!.visible)).toBe(true);
    }, wait);
    const [hash = '', step = ''] = (await dropStep()).split(' ');
    expect(isIndexed(hash)).toBe(true);
    await confirm(step);
    await vi.waitFor(async () => {
      // Until the look, the index has what the table has lost: answers differ.
      await pairs.ask(`/api/v3/transactions?hash=${randomHash()}`, api.context.vector());
      expect(index.open(database)?.covers(servedSteps(api.context)!.visible)).toBe(true);
      expect(isIndexed(hash)).toBe(false);
    }, wait);
    await ask();
    expect(api.logged).toEqual([]);
  },
  LIMIT_MS,
);
