/**
 * Token contracts of a local chain under traffic: the tables of the projection `contracts` and v3 compared with the get
 * methods at the same block.
 */
import { Cell } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CONTRACTS } from '../../pipelines/contracts.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { methodId } from '../../src/ton/contracts/codes/method-id.ts';
import { booked } from '../helpers/address-books.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';
import { secondJetton } from '../helpers/second-jetton.ts';

const DATABASE = versionDatabase('localnet', CONTRACTS.name, 1);

/** Address of two columns, raw. */
const RAW = (name: string) =>
  `concat(toString(${name === 'account' ? '' : `${name}_`}workchain), ':', hex(${name}))`;

/** Symbols of the jettons that traffic mints. */
const TRAFFIC_SYMBOLS: readonly unknown[] = ['TRAFFIC', 'stTON'];

/** internal_transfer, burn_notification: messages that take jettons along. */
const MOVING = [0x178d4519, 0x7bdd97de];

/** Jettons that a message takes along, also one that came back; null for others. */
function movedBy(body: string): bigint | null {
  const slice = Cell.fromBase64(body).beginParse();
  if (slice.remainingBits < 32) return null;
  const op = slice.loadUint(32);
  const own = op === 0xffffffff && slice.remainingBits >= 32 ? slice.loadUint(32) : op;
  if (!MOVING.includes(own)) return null;
  slice.skip(64);
  return slice.loadCoins();
}

type Fields = Record<string, unknown>;
interface Answer {
  readonly address_book: Record<string, { readonly interfaces: string[] | null }>;
  readonly metadata: Record<string, { readonly is_indexed: boolean; readonly token_info: Fields[] }>;
}

describe('contracts of a local chain', { timeout: 600_000 }, () => {
  let api: LocalApi;
  /** The masterchain block that tables are compared at. */
  let head: number;
  /** Master of the jetton that traffic does not move, raw. */
  let second: string;
  /** Masters of the jettons that traffic mints: its own, and that of its stakes. Raw. */
  let minted: readonly string[];
  beforeAll(async () => {
    api = await openLocalApi({ traffic: 60, blockMs: 1_500, fast: false });
    second = await secondJetton(api);
    const moved = 'SELECT uniqExact(kind) FROM {db}.token_transfers WHERE NOT aborted';
    await vi.waitFor(async () => expect(await query(moved)).toEqual([['3']]), {
      timeout: 240_000,
      interval: 500,
    });
    // Tables and get methods are read of one block: both projections have it.
    const served = () => {
      const { base, contracts } = api.context.vector();
      const lasts = [base, contracts].map((view) => (view.state === 'served' ? view.visible.last : 0));
      return Math.min(...lasts);
    };
    // The transfers are served: their rows may be written long before on a busy machine.
    const isMovedServed = async () => {
      const [[fewest, step] = []] = await query(
        'SELECT min(step), max(step) FROM (SELECT arraySort(groupArray(mc_seqno))[5] AS step FROM {db}.token_transfers WHERE NOT aborted GROUP BY kind)',
      );
      return Number(fewest) > 0 && served() >= Number(step);
    };
    await vi.waitFor(async () => expect(await isMovedServed()).toBe(true), {
      timeout: 240_000,
      interval: 500,
    });
    const findMinted = async () => {
      const { jetton_masters: masters } = await v3<{ jetton_masters: Fields[] }>('jetton/masters');
      const isMinted = ({ jetton_content: content }: Fields) =>
        TRAFFIC_SYMBOLS.includes((content as Fields).symbol);
      return masters.filter(isMinted).map(({ address }) => address as string);
    };
    await vi.waitFor(async () => expect(await findMinted()).toHaveLength(TRAFFIC_SYMBOLS.length), {
      timeout: 240_000,
      interval: 500,
    });
    minted = await findMinted();
    head = served();
  }, 600_000);
  afterAll(async () => {
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  const query = async (sql: string) =>
    (await api.context.client.queryRows(sql.replaceAll('{db}', DATABASE), { route: 'test' })).rows;
  const v3 = async <T>(path: string) =>
    (await (await fetch(`${api.url}/api/v3/${path}`)).json()) as T & Answer;

  /** The newest transfer of a list whose trace is known. */
  async function traced<K extends string>(key: K, path: string): Promise<Fields> {
    const find = async () =>
      (await v3<Record<K, Fields[]>>(path))[key].find(({ trace_id: id }) => id !== null);
    await vi.waitFor(async () => expect(await find()).toBeDefined(), { timeout: 240_000, interval: 500 });
    return (await find())!;
  }

  /** The stack of a get method at the block that tables are compared at. */
  async function run(address: string, method: string): Promise<readonly [string, { bytes: string }][]> {
    const reply = await fetch(`${api.url}/api/v2/runGetMethod`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address, method, stack: [], seqno: head }),
    });
    const { result } = (await reply.json()) as { result: { stack: [string, { bytes: string }][] } };
    return result.stack;
  }
  const addressOf = (entry: readonly [string, { bytes: string }] | undefined) =>
    Cell.fromBase64(entry![1].bytes).beginParse().loadMaybeAddress()?.toRawString().toUpperCase() ?? null;
  const numberOf = (entry: readonly [string, unknown] | undefined) => BigInt(entry![1] as string).toString();

  /** Newest rows of a kind at that block. */
  const rowsAt = (kind: string, more = '') =>
    query(
      `SELECT concat(toString(workchain), ':', hex(account)), toString(amount), concat(toString(owner_workchain), ':', hex(owner)),
         concat(toString(parent_workchain), ':', hex(parent))
       FROM {db}.token_states WHERE kind = '${kind}' AND mc_seqno <= ${head} ORDER BY lt DESC LIMIT 1 BY account ${more}`,
    );

  it('have every jetton of each supply in a wallet, or on its way, and no state in part', async () => {
    expect(await query('SELECT count() FROM {db}.gaps')).toEqual([['0']]);
    const [masters, wallets] = [await rowsAt('jetton_master'), await rowsAt('jetton_wallet')];
    // The chain's, those that traffic mints, and one that traffic does not know.
    expect(masters).toHaveLength(4);
    for (const [master, amount] of masters) {
      const supply = BigInt(amount as string);
      const held = wallets
        .filter(([, , , parent]) => parent === master)
        .reduce((sum, [, balance]) => sum + BigInt(balance as string), 0n);
      expect(held <= supply).toBe(true);
      // Transfers under way are a few of the hundred that traffic makes in a second; none of them moves the second jetton.
      if (!minted.includes(master as string))
        expect(supply - held).toBeLessThan(master === second ? 1n : supply / 1_000n);
    }
  });

  it('have, of each jetton and at every block, the supply in wallets and in messages under way', async () => {
    const states = await query(
      `SELECT mc_seqno, ${RAW('account')}, toString(kind), ${RAW('parent')}, toString(amount) FROM {db}.token_states
       WHERE kind IN ('jetton_master', 'jetton_wallet') AND mc_seqno <= ${head} ORDER BY lt`,
    );
    const { base } = api.context.vector();
    if (base.state !== 'served') throw new Error('no base');
    const messages = await query(
      `SELECT hex(hash), toString(side), mc_seqno, ${RAW('source')}, ${RAW('destination')}, base64Encode(body)
       FROM ${base.database}.messages WHERE kind = 'internal' AND (opcode IN (${MOVING.join(', ')}) OR bounced) AND mc_seqno <= ${head}`,
    );
    const jettons = new Map(
      states.map(([, address, kind, parent]) => [address, kind === 'jetton_master' ? address : parent]),
    );
    // Change of each step: supply less balances, less amounts under way.
    const changes = new Map<unknown, bigint>();
    const open = new Map<string, bigint>();
    const add = (step: unknown, jetton: unknown, amount: bigint) => {
      const key = `${step} ${jetton}`;
      changes.set(key, (changes.get(key) ?? 0n) + amount);
    };
    const before = new Map<unknown, bigint>();
    for (const [step, address, kind, , amount] of states) {
      const change = BigInt(amount as string) - (before.get(address) ?? 0n);
      before.set(address, BigInt(amount as string));
      add(step, jettons.get(address), kind === 'jetton_master' ? change : -change);
    }
    for (const [, side, step, source, destination, body] of messages) {
      const amount = movedBy(body as string);
      const jetton = jettons.get(source) ?? jettons.get(destination);
      if (amount === null || jetton === undefined) continue;
      add(step, jetton, side === 'out' ? -amount : amount);
    }
    for (let step = 0; step <= head; step++)
      for (const jetton of new Set(jettons.values())) {
        const rest = (open.get(`${jetton}`) ?? 0n) + (changes.get(`${step} ${jetton}`) ?? 0n);
        expect([step, jetton, rest]).toEqual([step, jetton, 0n]);
        open.set(`${jetton}`, rest);
      }
    expect(messages.length).toBeGreaterThan(20);
    expect([...new Set(jettons.values())]).toHaveLength(4);
    expect([...jettons.values()]).toEqual(expect.arrayContaining([second, ...minted]));
  });

  it('have one owner for each NFT at every lt, and each transfer changes it', async () => {
    const rows = await query(
      `SELECT ${RAW('account')}, toString(lt), has_owner, ${RAW('owner')} FROM {db}.token_states
       WHERE kind = 'nft_item' AND flag AND mc_seqno <= ${head} ORDER BY account, lt`,
    );
    expect(new Set(rows.map(([address, lt]) => `${address} ${lt}`)).size).toBe(rows.length);
    expect(rows.every(([, , hasOwner]) => hasOwner === true)).toBe(true);
    const moves = await query(
      `SELECT ${RAW('account')}, toString(lt), ${RAW('source')}, ${RAW('destination')} FROM {db}.token_transfers
       WHERE kind = 'nft_transfer' AND NOT aborted AND mc_seqno <= ${head}`,
    );
    expect(moves.length).toBeGreaterThan(0);
    // A block keeps an item's last state: a listing may move it twice in one block.
    for (const item of new Set(moves.map(([address]) => address))) {
      const states = rows.filter(([address]) => address === item);
      let owner = states[0]![3];
      const events = [
        ...moves.filter(([address]) => address === item).map(([, lt, from, to]) => ({ lt, from, to })),
        ...states.map(([, lt, , to]) => ({ lt, from: null, to })),
      ].toSorted((a, b) => Number(BigInt(String(a.lt)) - BigInt(String(b.lt))));
      for (const { lt, from, to } of events) {
        expect([item, lt, owner]).toEqual([item, lt, from ?? to]);
        owner = to;
      }
    }
  });

  it('return what their get methods return at the same block', async () => {
    const wallets = await rowsAt('jetton_wallet', 'LIMIT 25');
    for (const [address, balance, owner, master] of wallets) {
      const stack = await run(address as string, 'get_wallet_data');
      expect([address, numberOf(stack[0]), addressOf(stack[1]), addressOf(stack[2])]).toEqual([
        address,
        balance,
        owner,
        master,
      ]);
    }
    for (const [address, index, owner, collection] of await rowsAt('nft_item', 'LIMIT 25')) {
      const stack = await run(address as string, 'get_nft_data');
      expect([address, numberOf(stack[1]), addressOf(stack[2]), addressOf(stack[3])]).toEqual([
        address,
        index,
        collection,
        owner,
      ]);
    }
    for (const [master, supply] of await rowsAt('jetton_master'))
      expect(numberOf((await run(master as string, 'get_jetton_data'))[0])).toBe(supply);
  });

  it('are answered: a jetton, its wallets by balance, and one owner’s', async () => {
    const {
      jetton_masters: masters,
      metadata,
      address_book,
    } = await v3<{ jetton_masters: Fields[] }>('jetton/masters');
    expect(masters).toHaveLength(4);
    const master = masters.find(({ address: one }) => ![second, ...minted].includes(one as string))!;
    expect(master).toMatchObject({ mintable: true, jetton_content: { symbol: 'LOCAL', decimals: '9' } });
    const address = master.address as string;
    expect(metadata[address]).toEqual({
      is_indexed: true,
      token_info: [
        expect.objectContaining({
          valid: true,
          type: 'jetton_masters',
          symbol: 'LOCAL',
          extra: { decimals: '9' },
        }),
      ],
    });
    expect(address_book[address]?.interfaces).toContain('jetton_master');
    // Every address book has the names from a code's methods, and account states list the methods.
    const asked = await v3<Answer['address_book']>(`addressBook?address=${address}`);
    expect(asked[address]).toEqual(address_book[address]);
    const { accounts, ...states } = await v3<{ accounts: Fields[] }>(`accountStates?address=${address}`);
    expect(accounts[0]?.interfaces).toEqual(address_book[address]?.interfaces);
    expect(states.address_book).toEqual({ [address]: address_book[address] });
    expect(states.metadata).toEqual({ [address]: metadata[address] });
    const bare = await v3<object>(`accountStates?address=${address}&x_no_metadata=true`);
    expect(bare.metadata).toEqual({});
    expect(accounts[0]?.contract_methods).toEqual(expect.arrayContaining([methodId('get_jetton_data')]));
    const moved = await v3<object>(`transactions?account=${address}&limit=1`);
    expect(moved.address_book[address]).toEqual(address_book[address]);

    const path = `jetton/wallets?jetton_address=${address}&sort=desc&limit=5`;
    const { jetton_wallets: top, metadata: told } = await v3<{ jetton_wallets: Fields[] }>(path);
    for (const { address: wallet, balance, owner, jetton } of top)
      expect(told[wallet as string]).toEqual({
        is_indexed: true,
        token_info: [{ valid: true, type: 'jetton_wallets', extra: { balance, owner, jetton } }],
      });
    expect(told[address]).toEqual(metadata[address]);
    const balances = top.map(({ balance }) => BigInt(balance as string));
    expect(balances).toHaveLength(5);
    expect(balances).toEqual(balances.toSorted((a, b) => (a < b ? 1 : -1)));
    const [first] = top;
    const of = await v3<{ jetton_wallets: Fields[] }>(
      `jetton/wallets?owner_address=${first!.owner}&limit=1000`,
    );
    const ofJetton = of.jetton_wallets.filter((wallet) => wallet.jetton === address);
    expect(ofJetton.map((wallet) => wallet.address)).toEqual([first!.address]);
    // Wallets of several owners: by owner, then by first appearance.
    const several = top.map((wallet) => wallet.owner);
    const together = await v3<{ jetton_wallets: Fields[] }>(
      `jetton/wallets?owner_address=${several}&limit=1000`,
    );
    const owners = together.jetton_wallets.map((wallet) => wallet.owner as string);
    expect(owners).toEqual(owners.toSorted());
    expect([...new Set(owners)]).toEqual(several.toSorted());
    const book = await v3<Answer['metadata']>(`metadata?address=${first!.address}`);
    expect(Object.keys(book).sort()).toEqual([address, first!.address as string].sort());
    const nobody = await v3<{ jetton_wallets: Fields[] }>(`jetton/wallets?owner_address=0:${'7'.repeat(64)}`);
    expect(nobody).toEqual({ jetton_wallets: [], address_book: {}, metadata: {} });
  });

  it('are answered: transfers and burns, as the messages have them, by every filter', async () => {
    const { jetton_transfers: all } = await v3<{ jetton_transfers: Fields[] }>('jetton/transfers?limit=20');
    expect(all.length).toBeGreaterThan(0);
    const lts = all.map(({ transaction_lt: lt }) => BigInt(lt as string));
    expect(lts).toEqual(lts.toSorted((a, b) => (a < b ? 1 : -1)));
    // The newest may be ahead of the projection that knows their traces.
    const one = await traced<'jetton_transfers'>('jetton_transfers', 'jetton/transfers?limit=20');
    const { transactions } = await v3<{
      transactions: { in_msg: { source: string; message_content: { body: string } } }[];
    }>(`transactions?hash=${encodeURIComponent(one.transaction_hash as string)}`);
    const message = transactions[0]!.in_msg;
    // Wallets know the trace of a transfer.
    const named = transactions[0] as unknown as Fields;
    expect(one.trace_id).toBe(named.trace_id);
    const body = Cell.fromBase64(message.message_content.body).beginParse();
    expect([body.loadUint(32), body.loadUintBig(64).toString(), body.loadCoins().toString()]).toEqual([
      0x0f8a7ea5,
      one.query_id,
      one.amount,
    ]);
    expect([message.source, body.loadAddress().toRawString().toUpperCase()]).toEqual([
      one.source,
      one.destination,
    ]);
    const within = `start_lt=${one.transaction_lt}&end_lt=${one.transaction_lt}&limit=100`;
    for (const filter of [
      `owner_address=${one.source}&direction=out`,
      `owner_address=${one.destination}&direction=in`,
      `address=${one.source}`,
      `jetton_wallet=${one.source_wallet}`,
      `jetton_master=${one.jetton_master}`,
      `start_utime=${one.transaction_now}&end_utime=${one.transaction_now}`,
    ]) {
      const found = await v3<{ jetton_transfers: Fields[] }>(`jetton/transfers?${filter}&${within}`);
      expect([filter, found.jetton_transfers]).toEqual([filter, expect.arrayContaining([one])]);
    }
    const other = await v3<{ jetton_transfers: Fields[] }>(
      `jetton/transfers?owner_address=${one.destination}&direction=out&${within}`,
    );
    expect(other.jetton_transfers).not.toContainEqual(one);
    const { jetton_burns: burns } = await v3<{ jetton_burns: Fields[] }>(
      `jetton/burns?jetton_master=${one.jetton_master}&limit=3`,
    );
    expect(burns[0]).toMatchObject({ jetton_master: one.jetton_master, owner: expect.any(String) });
  });

  it('are answered: a collection, its items in their order, who owns them, and what moved them', async () => {
    const { nft_collections: collections } = await v3<{ nft_collections: Fields[] }>('nft/collections');
    const names = collections.map(({ collection_content: content }) => (content as Fields).name);
    // The content of the usernames is off the chain. Traffic mints the stamps at some time.
    expect(names.filter((name) => name !== 'Traffic Stamps').toSorted()).toEqual([
      'Localnet Postcards',
      'Localnet names',
      undefined,
    ]);
    const collection = collections[names.indexOf('Localnet Postcards')]!;
    const path = `nft/items?collection_address=${collection.address}&limit=1000`;
    const { nft_items: items } = await v3<{ nft_items: Fields[] }>(path);
    expect(items.map(({ index }) => Number(index))).toEqual([...items.keys()]);
    expect(items[1]).toMatchObject({ init: true, content: { name: 'Postcard 2' }, on_sale: false });
    expect(items[1]?.collection).toEqual(collection);
    const third = await v3<{ nft_items: Fields[] }>(`${path}&index=2`);
    expect(third.nft_items.map(({ address }) => address)).toEqual([items[2]?.address]);

    const move = await traced<'nft_transfers'>('nft_transfers', 'nft/transfers?limit=20&end_lt=99999999999');
    expect(items.map(({ address }) => address)).toContain(move.nft_address);
    const of = await v3<{ nft_transfers: Fields[] }>(
      `nft/transfers?item_address=${move.nft_address}&owner_address=${move.new_owner}&direction=in&limit=100`,
    );
    expect(of.nft_transfers).toContainEqual(move);
    const owners = [...new Set(items.map((item) => item.owner_address as string))];
    const owned = await v3<{ nft_items: Fields[] }>(`nft/items?owner_address=${owners}&limit=1000`);
    const holders = owned.nft_items.map((item) => item.owner_address as string);
    expect(holders).toEqual(holders.toSorted());
    const both = `nft/transfers?item_address=${move.nft_address}&owner_address=${move.new_owner}&limit=100`;
    expect(await v3(`${both}&direction=both`)).toEqual(await v3(both));
  });

  it('are exactly the accounts in the address books of all answers about them', async () => {
    const { jetton_wallets: wallets } = await v3<{ jetton_wallets: Fields[] }>('jetton/wallets?limit=3');
    const several = wallets.map((one) => `address=${one.address}`).join('&');
    const { transactions } = await v3<{ transactions: { hash: string; out_msgs: object[] }[] }>(
      'transactions?limit=50',
    );
    const parent = transactions.find(({ out_msgs: sent }) => sent.length > 0)!;
    const asked: readonly [string, string][] = [
      ['transactions', 'transactions?limit=50'],
      ['adjacent', `adjacentTransactions?hash=${encodeURIComponent(parent.hash)}`],
      ['messages', 'messages?limit=50'],
      ['accountStates', `accountStates?${several}`],
      ['walletStates', `walletStates?${several}`],
      ['traces', 'traces?limit=10'],
      ['traces', 'traces?limit=20&include_actions=true'],
      ['jetton/masters', 'jetton/masters'],
      ['jetton/wallets', 'jetton/wallets?limit=10'],
      ['jetton/transfers', 'jetton/transfers?limit=10'],
      ['jetton/burns', 'jetton/burns?limit=10'],
      ['nft/collections', 'nft/collections'],
      ['nft/items', 'nft/items?limit=10'],
      ['nft/transfers', 'nft/transfers?limit=10'],
      ['dns/records', 'dns/records?domain=alice.ton'],
    ];
    for (const [name, path] of asked) {
      const answer = await v3<Fields>(path);
      const wanted = booked(name, answer);
      expect([name, wanted.length > 0]).toEqual([name, true]);
      expect([name, Object.keys(answer.address_book).sort()]).toEqual([name, wanted]);
      const without = await v3<Fields>(`${path}${path.includes('?') ? '&' : '?'}x_no_address_book=true`);
      expect([name, without.address_book]).toEqual([name, {}]);
    }
  });

  it.each([
    'messages?limit=200&exclude_externals=1',
    'messages?limit=200&exclude_externals=1&fields=hash,metadata',
    'accountStates',
    'walletStates',
    'traces?limit=30',
    'actions?limit=50',
    'jetton/masters',
    'jetton/wallets?limit=10',
    'jetton/transfers?limit=10',
    'jetton/burns?limit=10',
    'nft/collections',
    'nft/items?limit=10',
    'nft/transfers?limit=10',
  ])('%s: has metadata of all its tokens and their masters', async (asked) => {
    const parties = await v3<{ nft_transfers: Fields[] }>('nft/transfers?limit=5');
    const items = Object.keys(parties.address_book).map((one) => `address=${one}`);
    const path = asked.endsWith('States') ? `${asked}?${items.join('&')}` : asked;
    const of = path.replace('&fields=hash,metadata', '');
    // The chain continues: a new token may be absent from the previous answer.
    await vi.waitFor(
      async () => {
        const [{ metadata }, { address_book: book }] = await Promise.all([v3<Fields>(path), v3<Fields>(of)]);
        const named = Object.keys(book);
        const all = await v3<Record<string, { token_info: Fields[] }>>(
          `metadata?${named.map((one) => `address=${one}`).join('&')}`,
        );
        expect(Object.keys(all).length).toBeGreaterThan(0);
        expect(Object.keys(metadata).sort()).toEqual(Object.keys(all).sort());
      },
      { timeout: 240_000, interval: 500 },
    );
    const separator = path.includes('?') ? '&' : '?';
    expect((await v3<Fields>(`${path}${separator}x_no_metadata=true`)).metadata).toEqual({});
  });

  it('resolve names as their contracts do, and return the accounts of the names', async () => {
    const names = await query(
      `SELECT concat(toString(workchain), ':', hex(account)), domain, concat(toString(owner_workchain), ':', hex(owner)), details
       FROM {db}.contract_states WHERE kind = 'dns_item' AND NOT startsWith(domain, 'traffic') AND mc_seqno <= ${head} ORDER BY lt DESC LIMIT 1 BY account`,
    );
    // Traffic changes the records of its own names all the time.
    expect(names.length).toBeGreaterThan(0);
    for (const [address, domain, owner, details] of names as string[][]) {
      const item = await v3<{ nft_items: Fields[] }>(`nft/items?address=${address}`);
      expect(item.nft_items[0]).toMatchObject({ owner_address: owner, content: { domain }, on_sale: false });
      expect(item.metadata[address!]?.token_info[0]).toMatchObject({ valid: true, extra: { domain } });
      const [label] = await run(address!, 'get_domain');
      expect(`${Cell.fromBase64(label![1].bytes).beginParse().loadStringTail()}.ton`).toBe(domain);
      const stack = await run(address!, 'get_nft_data');
      expect(addressOf(stack[3])).toBe(owner);
      const { dns_wallet: wallet } = JSON.parse(details!) as { dns_wallet: string };
      const record = expect.objectContaining({ nft_item_address: address, domain, dns_wallet: wallet });
      const byName = await v3<{ records: Fields[] }>(`dns/records?domain=${domain}`);
      expect(byName.records).toEqual([record]);
      const byWallet = await v3<{ records: Fields[] }>(`dns/records?wallet=${wallet}`);
      expect(byWallet.records).toContainEqual(record);
      const { [wallet]: row } = await v3<Record<string, Fields>>(`addressBook?address=${wallet}`);
      expect(row!.domain).toBe(byWallet.records.find((one) => one.nft_item_owner === wallet)?.domain ?? null);
    }
    expect(await v3('dns/records?domain=nobody.ton')).toEqual({ records: [], address_book: {} });
    expect(await v3(`dns/activeAuctions?bidder=0:${'1'.repeat(64)}`)).toMatchObject({ auctions: [] });
  });

  it.each([
    ['jetton/wallets?limit=1001', 'limit is not allowed: 1001 > 1000'],
    ['jetton/masters?address=nobody', expect.stringContaining('address')],
    [
      `jetton/wallets?jetton_address=0:${'1'.repeat(64)},0:${'2'.repeat(64)}`,
      'exact one owner_address required for multiple jetton_address',
    ],
    ['nft/sales', 'address is required'],
    ['nft/sales?address=0:1', 'failed to decode: schema: error converting value for index 0 of "address"'],
    ['dns/records', 'either wallet address or domain is required'],
    [
      `dns/records?wallet=0:${'1'.repeat(64)}&domain=a.ton`,
      'provide either wallet address or domain, not both',
    ],
    ['dns/activeAuctions', 'bidder address is required'],
    [`dns/activeAuctions?bidder=0:${'1'.repeat(64)}&state=x`, 'state must be one of: all, won, bidding'],
    [`dns/activeAuctions?bidder=0:${'1'.repeat(64)}&after=x`, 'invalid after cursor'],
    ['nft/items?index=1', 'index parameter is not allowed without the collection_address'],
    [`nft/items?collection_address=0:${'1'.repeat(64)}&index=x`, 'index should contain digits only'],
    ['jetton/transfers?sort=up', 'wrong value for sort parameter'],
    ['metadata', 'at least 1 address required'],
  ])('refuse %s', async (path, error) => {
    const reply = await fetch(`${api.url}/api/v3/${path}`);
    expect([reply.status, await reply.json()]).toEqual([422, { code: 422, error }]);
  });
});
