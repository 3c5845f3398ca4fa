/**
 * Actions of a local chain under traffic: v3's jetton transfers and plain ones compared with `/jetton/transfers` and
 * messages.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import type { TraceAnswer } from '../../src/api/v3/schemas/trace.ts';
import { everyActionRequest, randomActionRequest } from '../helpers/action-requests.ts';
import { booked } from '../helpers/address-books.ts';
import { type ClampedApi, clampedApi } from '../helpers/clamped-api.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';
import { IS_LONG, sampled } from '../helpers/long-run.ts';
import { SeededRandom } from '../helpers/seeded-random.ts';

type Fields = Record<string, unknown>;

/** Lists that cursors page through, in addition to scans.test.ts; rows of finite scans are as of one step. */
const SCANNED: readonly {
  readonly path: string;
  readonly key: string;
  of(row: Fields): string;
  readonly isResumable: boolean;
}[] = [
  ...['jetton/transfers', 'jetton/burns', 'nft/transfers'].map((path) => ({
    path,
    key: path.replace('/', '_'),
    of: ({ transaction_hash }: Fields) => String(transaction_hash),
    isResumable: true,
  })),
  { path: 'actions', key: 'actions', of: ({ action_id }) => String(action_id), isResumable: true },
  { path: 'messages', key: 'messages', of: ({ hash }) => String(hash), isResumable: false },
  {
    path: 'messages?only_externals=true',
    key: 'messages',
    of: ({ hash }) => String(hash),
    isResumable: false,
  },
  { path: 'messages?direction=in', key: 'messages', of: ({ hash }) => String(hash), isResumable: false },
  { path: 'traces', key: 'traces', of: ({ trace_id }) => String(trace_id), isResumable: false },
  ...['jetton/wallets', 'jetton/masters', 'nft/items', 'nft/collections'].map((path) => ({
    path,
    key: path.replace('/', '_'),
    of: ({ address }: Fields) => String(address),
    isResumable: false,
  })),
];
/** The same lists of one owner, master or collection. */
async function narrowed({ get }: ClampedApi): Promise<typeof SCANNED> {
  const lists: (typeof SCANNED)[number][] = [];
  const add = async (path: string, names: Readonly<Record<string, string>>) => {
    const list = SCANNED.find((one) => one.path === path)!;
    const [row] = (await get(`${path}?limit=1`)).json[list.key] as Fields[];
    for (const [name, field] of Object.entries(names))
      if (typeof row?.[field] === 'string')
        lists.push({ ...list, path: `${path}?${name}=${encodeURIComponent(row[field])}` });
  };
  await add('jetton/transfers', {
    owner_address: 'source',
    jetton_wallet: 'source_wallet',
    jetton_master: 'jetton_master',
  });
  await add('jetton/wallets', { owner_address: 'owner', jetton_address: 'jetton' });
  await add('nft/items', { owner_address: 'owner_address', collection_address: 'collection_address' });
  await add('messages', { source: 'source', opcode: 'opcode' });
  return lists;
}

/** Random requests for actions. TEST_REQUESTS: another number. */
const RANDOM_REQUESTS = Number(process.env.TEST_REQUESTS ?? (IS_LONG ? 40 : 20));
/** Steps whose rows are scanned. */
const SCANNED_STEPS = 10;

/** Lists without `sort`. */
const UNORDERED = new Set(['jetton_masters', 'nft_items', 'nft_collections']);

describe('actions of a local chain', { timeout: 600_000 }, () => {
  let api: LocalApi;
  beforeAll(async () => {
    api = await openLocalApi({ traffic: 60, blockMs: 1_500, fast: false });
  }, 600_000);
  afterAll(async () => {
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  /** The newest step of all projections that lists are made of. */
  const servedSteps = () => {
    const { actions, contracts, traces } = api.context.vector();
    const views = [actions, contracts, traces];
    return Math.min(...views.map((view) => (view.state === 'served' ? view.visible.last : 0)));
  };
  const v3 = async <T>(path: string) => (await (await fetch(`${api.url}/api/v3/${path}`)).json()) as T;
  const until = <T>(find: () => Promise<T>, timeout = 120_000) =>
    vi.waitFor(find, { timeout, interval: 500 });
  const actionsOf = async (filter: string) =>
    (await v3<{ actions: ActionAnswer[] }>(`actions?${filter}&limit=1000`)).actions;

  it('show a jetton transfer with its amount and owners', async () => {
    const { transfer, action } = await until(async () => {
      const { jetton_transfers: all } = await v3<{ jetton_transfers: Fields[] }>(
        'jetton/transfers?limit=50&sort=asc',
      );
      for (const transfer of all.filter((one) => one.transaction_aborted === false)) {
        const hash = encodeURIComponent(transfer.transaction_hash as string);
        const action = (await actionsOf(`tx_hash=${hash}`)).find(({ type }) => type === 'jetton_transfer');
        if (action) return { transfer, action };
      }
      throw new Error('no jetton transfer yet');
    });
    expect(action).toMatchObject({ success: true, finality: 'finalized' });
    expect(action.details).toMatchObject({
      asset: transfer.jetton_master,
      sender: transfer.source,
      receiver: transfer.destination,
      sender_jetton_wallet: transfer.source_wallet,
      amount: transfer.amount,
      query_id: transfer.query_id,
    });
    const id = encodeURIComponent(action.trace_id as string);
    expect(await actionsOf(`trace_id=${id}`)).toContainEqual(action);
    const { traces } = await v3<{ traces: TraceAnswer[] }>(`traces?trace_id=${id}&include_actions=true`);
    expect(traces[0]!.trace_info.classification_state).toBe('ok');
    expect(traces[0]!.actions).toContainEqual(action);
    const { events } = await v3<{ events: TraceAnswer[] }>(`events?trace_id=${id}`);
    expect(events).toEqual(traces);
    const { traces: plain } = await v3<{ traces: TraceAnswer[] }>(`traces?trace_id=${id}`);
    expect(plain[0]!.actions).toBeUndefined();
    expect(plain[0]!.trace_info.classification_state).toBe('unclassified');
  });

  it('list exactly their accounts in the address book, and their tokens in metadata', async () => {
    const every = await until(async () => {
      const found = await actionsOf('limit=1000');
      expect(new Set(found.map(({ type }) => type)).size).toBeGreaterThan(2);
      return [...new Map(found.map((one) => [one.type, one])).values()];
    });
    for (const { action_id, type } of every)
      for (const more of ['', '&include_accounts=true']) {
        const answer = await v3<
          Fields & { address_book: object; metadata: Record<string, { token_info: Fields[] }> }
        >(`actions?action_id=${encodeURIComponent(action_id)}${more}`);
        const wanted = booked('actions', answer);
        expect([type, more, Object.keys(answer.address_book).sort()]).toEqual([type, more, wanted]);
        // Beyond its own tokens, metadata has the masters of its jetton wallets.
        const masters = Object.values(answer.metadata).flatMap(({ token_info: infos }) =>
          infos.flatMap(({ extra }) => (extra as Fields | undefined)?.jetton ?? []),
        );
        for (const token of Object.keys(answer.metadata))
          expect([type, [...wanted, ...masters]]).toEqual([type, expect.arrayContaining([token])]);
      }
    const transfer = await until(async () => {
      const answer = await v3<{ actions: ActionAnswer[]; metadata: object }>(
        'actions?action_type=jetton_transfer&limit=1',
      );
      expect(answer.actions).toHaveLength(1);
      return answer;
    });
    const { asset } = transfer.actions[0]!.details as Fields;
    const described = { [asset as string]: { token_info: [{ type: 'jetton_masters', symbol: 'LOCAL' }] } };
    expect(transfer.metadata).toMatchObject(described);
    const id = encodeURIComponent(transfer.actions[0]!.trace_id as string);
    const trace = await v3<Fields & { address_book: object; metadata: object }>(`events?trace_id=${id}`);
    expect(Object.keys(trace.address_book).sort()).toEqual(booked('traces', { traces: trace.events }));
    expect(trace.metadata).toMatchObject(described);
  });

  it('show a plain transfer with the values of the message', async () => {
    const { trace, action } = await until(async () => {
      const { events } = await v3<{ events: TraceAnswer[] }>('events?limit=200');
      for (const trace of events) {
        const action = trace.actions!.find(({ type }) => type === 'ton_transfer');
        if (action) return { trace, action };
      }
      throw new Error('no transfer yet');
    });
    const incoming = Object.values(trace.transactions!).map(({ in_msg: message }) => message);
    const { source, destination, value } = action.details as Fields;
    expect(incoming).toContainEqual(expect.objectContaining({ source, destination, value }));
  });

  it('of the table are those that are computed from traces', async () => {
    const { events } = await until(async () => {
      const found = await v3<{ events: TraceAnswer[] }>('events?limit=300');
      expect(
        new Set(found.events.flatMap(({ actions }) => actions!.map(({ type }) => type))).size,
      ).toBeGreaterThan(2);
      return found;
    });
    // A trace that ended in a step that `contracts` had not reached yet has no actions in this answer.
    const ended = events.filter(
      ({ trace_info: info }) =>
        info.trace_state === 'complete' && info.classification_state !== 'unclassified',
    );
    expect(ended.length).toBeGreaterThan(10);
    const byId = (list: readonly ActionAnswer[]) =>
      list.toSorted((a, b) => (a.action_id < b.action_id ? -1 : 1));
    await until(async () => {
      const ids = ended.map(({ trace_id: id }) => encodeURIComponent(id!));
      const stored = await actionsOf(ids.map((id) => `trace_id=${id}`).join('&'));
      expect(byId(stored)).toEqual(byId(ended.flatMap(({ actions }) => actions!)));
    });
  });

  it('are found by every filter, and by several together', async () => {
    const all = await until(async () => {
      const found = await actionsOf('include_accounts=true&action_type=jetton_transfer');
      expect(found.length).toBeGreaterThan(1);
      return found;
    });
    // The newest: the chain goes on, and an older one may leave the first page of a filter meanwhile.
    const one = all[0]!;
    const [account] = one.accounts!;
    const [tx] = one.transactions;
    const of = (name: string, value: string | number) => `${name}=${encodeURIComponent(value)}`;
    const { transactions } = await v3<{ transactions: { in_msg: { hash: string } }[] }>(
      `transactions?${of('hash', one.transactions.at(-1)!)}`,
    );
    const filters = [
      of('account', account!),
      of('tx_hash', tx!),
      of('msg_hash', transactions[0]!.in_msg.hash),
      of('action_id', one.action_id),
      of('trace_id', one.trace_id!),
      of('mc_seqno', one.trace_mc_seqno_end),
      `${of('start_utime', one.trace_end_utime)}&${of('end_utime', one.trace_end_utime)}`,
      `${of('start_lt', one.trace_end_lt)}&${of('end_lt', one.trace_end_lt)}`,
      of('action_type', one.type),
      of('exclude_action_type', 'ton_transfer'),
    ];
    const shown = { include_accounts: 'true' };
    for (const filter of [...filters, filters.join('&')]) {
      const found = await actionsOf(`${filter}&${new URLSearchParams(shown)}`);
      expect(found, filter).toContainEqual(one);
      for (const action of found) {
        if (filter.startsWith('account')) expect(action.accounts, filter).toContain(account);
        if (filter.startsWith('tx_hash')) expect(action.transactions, filter).toContain(tx);
        if (filter.startsWith('mc_seqno')) expect(action.trace_mc_seqno_end).toBe(one.trace_mc_seqno_end);
      }
    }
    expect(await actionsOf(`${filters.join('&')}&exclude_action_type=${one.type}`)).toEqual([]);
    const [full] = await actionsOf(`${of('action_id', one.action_id)}&include_transactions=true`);
    const hashes = (full as unknown as { transactions_full: { hash: string }[] }).transactions_full;
    expect(hashes.map(({ hash }) => hash)).toEqual(one.transactions);
  });

  it('are found by each filter, by each together with an account, and by any combination, as by a scan of all', async () => {
    const newest = await until(async () => {
      const found = await actionsOf('');
      expect(found.length).toBeGreaterThan(150);
      expect(servedSteps()).toBeGreaterThanOrEqual(SCANNED_STEPS);
      return found;
    });
    // The next test shows the chain growing step by step.
    await api.control.setTraffic(0);
    // The chain continues: traces that ended a while ago are complete.
    const last = newest[Math.floor(newest.length / 3)]!.trace_end_lt;
    const listed = await actionsOf(`end_lt=${last}&include_accounts=true&include_transactions=true`);
    // The list may be cut off within a trace.
    const first = String(BigInt(listed.at(-1)!.trace_end_lt) + 1n);
    const all = listed.filter(({ trace_end_lt }) => BigInt(trace_end_lt) >= BigInt(first));
    const window = { start_lt: first, end_lt: last };
    const random = new SeededRandom(65);
    const requests = [
      ...sampled([0, 1, 2]).flatMap(() => everyActionRequest({ all, window }, random)),
      ...Array.from({ length: RANDOM_REQUESTS }, () => randomActionRequest({ all, window }, random)),
    ];
    let sum = 0;
    for (const { query, chosen } of requests) {
      const { actions } = await v3<{ actions: ActionAnswer[] }>(`actions?${query}`);
      expect(
        actions.map((action) => action.action_id),
        query,
      ).toEqual(chosen.map((action) => action.action_id));
      sum += chosen.length;
    }
    expect(sum).toBeGreaterThan(100);
  });

  it('of an account come in pages, in both orders', async () => {
    const [{ accounts } = { accounts: [] }] = await until(async () => {
      const found = await actionsOf('include_accounts=true&action_type=jetton_transfer');
      expect(found.length).toBeGreaterThan(0);
      return found;
    });
    const bound = `account=${encodeURIComponent(accounts![0]!)}&end_lt=${(await actionsOf(''))[0]!.trace_end_lt}`;
    const whole = await actionsOf(`${bound}&sort=asc`);
    const pages = await Promise.all(
      [0, 1, 2].map((page) =>
        v3<{ actions: ActionAnswer[] }>(`actions?${bound}&sort=asc&limit=2&offset=${page * 2}`),
      ),
    );
    expect(pages.flatMap(({ actions }) => actions)).toEqual(whole.slice(0, 6));
    expect(await actionsOf(bound)).toEqual(whole.toReversed());
    const byTime = await actionsOf(`${bound}&start_utime=1&sort=asc`);
    const times = byTime.map((one) => one.trace_end_utime);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Set(byTime.map((one) => one.action_id))).toEqual(new Set(whole.map((one) => one.action_id)));
  });

  it('follow the header X-Actions-Version', async () => {
    const ask = async (version: string, query = '') => {
      const reply = await fetch(`${api.url}/api/v3/actions?limit=1000${query}`, {
        headers: { 'x-actions-version': version },
      });
      return new Set(((await reply.json()) as { actions: ActionAnswer[] }).actions.map(({ type }) => type));
    };
    expect([...(await ask('v1', '&supported_action_types=latest'))]).not.toContain('unknown');
    expect((await ask('v5')).size).toBeGreaterThan(0);
  });

  it.each([
    ['action_type=a-b', 422, 'action_type contains invalid characters'],
    ['exclude_action_type=%20', 422, 'exclude_action_type contains invalid characters'],
    ['mc_seqno=99999999', 404, 'masterchain block 99999999 not found'],
    ['mc_seqno=-1', 404, 'masterchain block -1 not found'],
  ])('are refused for /actions?%s', async (query, status, error) => {
    const reply = await fetch(`${api.url}/api/v3/actions?${query}`);
    expect([reply.status, await reply.json()]).toEqual([status, expect.objectContaining({ error })]);
  });

  it('and every other list are scanned without a gap or a double while the chain grows', {
    timeout: 900_000,
  }, async () => {
    const { context } = api;
    const last = Math.min(servedSteps(), SCANNED_STEPS);
    expect(last).toBeGreaterThan(4);
    const clamped = await clampedApi(context);
    try {
      const growth = [Math.floor(last / 3), Math.floor(last / 2), last - 1, last];
      clamped.show(last);
      const lists = [...SCANNED, ...(await narrowed(clamped))];
      expect(lists.length).toBeGreaterThan(SCANNED.length + 4);
      for (const { path, key, of, isResumable } of lists)
        for (const sort of path.includes('_') || UNORDERED.has(key) ? ['asc'] : ['asc', 'desc']) {
          const rowsOf = (json: Fields) => (json[key] as Fields[]).map(of);
          const filter = `${path}${path.includes('?') ? '&' : '?'}sort=${sort}`;
          const whole = async (step: number) => {
            clamped.show(step);
            const found: string[] = [];
            for (let offset = 0; ; offset += 1_000) {
              const { json } = await clamped.get(`${filter}&limit=1000&offset=${offset}`);
              found.push(...rowsOf(json));
              if (rowsOf(json).length < 1_000) return found.sort();
            }
          };
          const follows = isResumable && sort === 'asc';
          const expected = await whole(follows ? last : growth[0]!);
          const stages = [...growth];
          clamped.show(stages.shift()!);
          const found: string[] = [];
          for (let cursor: unknown = '', limit = 40; cursor !== undefined; limit = (limit * 3) % 401) {
            const { status, json } = await clamped.get(`${filter}&limit=${limit}&cursor=${cursor}`);
            expect(status, JSON.stringify(json)).toBe(200);
            found.push(...rowsOf(json));
            const isIdle = json.next_cursor === cursor;
            cursor = json.next_cursor;
            const next = stages.shift();
            if (next !== undefined) clamped.show(next);
            else if (isIdle) break;
          }
          expect({ filter, found: found.sort() }).toEqual({ filter, found: expected });
          const first = await clamped.get(`${filter}&limit=1&cursor=`);
          const other = await clamped.get(
            `${path}${path.includes('?') ? '&' : '?'}sort=${sort === 'asc' ? 'desc' : 'asc'}&cursor=${first.json.next_cursor}`,
          );
          const isOrdered = !UNORDERED.has(key);
          // A list of one row has no next page.
          if (expected.length > 1 && isOrdered)
            expect([filter, other.status, other.json.error]).toEqual([
              filter,
              422,
              'cursor was given for other parameters: only limit may change from page to page',
            ]);
        }
    } finally {
      await clamped.close();
    }
  });
});
