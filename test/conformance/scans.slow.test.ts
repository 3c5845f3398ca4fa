import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BlockAnswer } from '../../src/api/v3/schemas/block.ts';
import type { TransactionAnswer } from '../../src/api/v3/schemas/transaction.ts';
import { type ApiOfStore, type ApiParameters, openApi } from '../helpers/api-of-store.ts';
import { expectScan } from '../helpers/scan-pages.ts';
import { SeededRandom } from '../helpers/seeded-random.ts';
import { describeWithData } from '../helpers/shared-data.ts';

/*
 * Scans by `cursor`: page after page, while the chain grows between the pages, they give what the list with `offset`
 * gives when nothing moves.
 */

const LAST = 99;
/** Beginnings of the chain that are visible, one after the other. */
const GROWTH = [{ last: 40 }, { last: 41 }, { last: 70 }, { last: LAST }] as const;

interface Page {
  readonly next_cursor?: string;
}

/** A list: its path, its rows in an answer, and the name of a row. */
interface List {
  readonly path: string;
  rows(answer: unknown): readonly string[];
}

const TRANSACTIONS: List = {
  path: '/api/v3/transactions',
  rows: (answer) => (answer as { transactions: TransactionAnswer[] }).transactions.map(({ hash }) => hash),
};
const BLOCKS: List = {
  path: '/api/v3/blocks',
  rows: (answer) => (answer as { blocks: BlockAnswer[] }).blocks.map(({ root_hash }) => root_hash),
};

describeWithData('scans of a list', (data) => {
  let api: ApiOfStore;
  let all: TransactionAnswer[];
  beforeAll(async () => {
    api = await openApi({
      folders: [`${data}/blocks/mainnet-genesis-0001`],
      settings: { maxLimit: 10_000 },
    });
    const { json } = await api.get(TRANSACTIONS.path, { limit: 10_000, sort: 'asc' });
    all = (json as { transactions: TransactionAnswer[] }).transactions;
    expect(all.length).toBeGreaterThan(500);
  });
  afterAll(async () => {
    expect(api?.store.logged).toEqual([]);
    await api?.close();
  });

  const answer = async ({ path }: List, parameters: ApiParameters): Promise<Page> => {
    const { status, json } = await api.get(path, parameters);
    expect(status, JSON.stringify(json)).toBe(200);
    return json as Page;
  };
  const whole = async (list: List, last: number, parameters: ApiParameters) => {
    api.store.show({ first: 1, last });
    return list.rows(await answer(list, { ...parameters, limit: 10_000 }));
  };

  /** All pages of a scan; the chain grows by a stage of GROWTH after some of them. */
  const scan = async (list: List, random: SeededRandom, parameters: ApiParameters) => {
    const found: string[] = [];
    const stages = [...GROWTH];
    const grow = () => {
      const stage = stages.shift();
      if (stage) api.store.show({ first: 1, ...stage });
      return stage !== undefined;
    };
    grow();
    let cursor = '';
    let pages = 0;
    for (; ; pages++) {
      const page = await answer(list, { ...parameters, limit: 1 + random.below(150), cursor });
      const rows = list.rows(page);
      found.push(...rows);
      if (page.next_cursor === undefined) break;
      const isIdle = rows.length === 0 && page.next_cursor === cursor;
      cursor = page.next_cursor;
      if ((isIdle || random.oneIn(3)) && !grow() && isIdle) break;
    }
    return { found, pages };
  };

  const chosen = (random: SeededRandom): ApiParameters => {
    const some = all[random.below(all.length)]!;
    const other = all[random.below(all.length)]!;
    const time = [some.now, other.now].sort((a, b) => a - b);
    return {
      ...(random.oneIn(3) && { account: some.account }),
      ...(random.oneIn(5) && { account: [...new Set([some.account, other.account])] }),
      ...(random.oneIn(4) && { workchain: some.block_ref.workchain }),
      ...(random.oneIn(4) && { start_utime: time[0], end_utime: time[1] }),
      ...(random.oneIn(6) && { exclude_account: other.account }),
      ...(random.oneIn(6) && { start_lt: some.lt }),
    };
  };

  it('of transactions return every row once, newest first, while the chain grows', async () => {
    const random = new SeededRandom(20261122);
    for (let round = 0; round < 24; round++) {
      const parameters = { ...chosen(random), sort: 'desc' };
      const expected = await whole(TRANSACTIONS, GROWTH[0].last, parameters);
      const { found } = await scan(TRANSACTIONS, random, parameters);
      expect({ round, parameters, found }).toEqual({ round, parameters, found: expected });
    }
  });

  it('of transactions give every row once, oldest first, and go on with what comes', async () => {
    const random = new SeededRandom(20261123);
    let most = 0;
    for (let round = 0; round < 16; round++) {
      const parameters = { ...chosen(random), sort: 'asc' };
      const expected = await whole(TRANSACTIONS, LAST, parameters);
      const { found, pages } = await scan(TRANSACTIONS, random, parameters);
      expect({ round, parameters, found: found.toSorted() }).toEqual({
        round,
        parameters,
        found: expected.toSorted(),
      });
      most = Math.max(most, pages);
    }
    expect(most).toBeGreaterThan(3);
  });

  it('of blocks give every row once, in both orders', async () => {
    const random = new SeededRandom(20261124);
    for (let round = 0; round < 10; round++) {
      const parameters = random.oneIn(2) ? {} : { workchain: random.oneIn(2) ? 0 : -1 };
      const newest = await whole(BLOCKS, GROWTH[0].last, parameters);
      expect((await scan(BLOCKS, random, parameters)).found).toEqual(newest);
      const ascending = { ...parameters, sort: 'asc' };
      const everything = await whole(BLOCKS, LAST, ascending);
      const { found } = await scan(BLOCKS, random, ascending);
      expect(found.toSorted()).toEqual(everything.toSorted());
    }
  });

  it('wait at a lagging server for the steps from which they continue', async () => {
    api.store.show({ first: 1, last: 70 });
    const { next_cursor: from } = await answer(TRANSACTIONS, { sort: 'asc', cursor: '', limit: 10_000 });
    api.store.show({ first: 1, last: 40 });
    const behind = await answer(TRANSACTIONS, { sort: 'asc', cursor: from! });
    expect([TRANSACTIONS.rows(behind), behind.next_cursor]).toEqual([[], from]);
    api.store.show({ first: 1, last: LAST });
    const later = await answer(TRANSACTIONS, { sort: 'asc', cursor: from!, limit: 10_000 });
    const steps = new Set(all.filter((tx) => tx.mc_block_seqno >= 71).map(({ hash }) => hash));
    expect(new Set(TRANSACTIONS.rows(later))).toEqual(steps);
  });

  it('are distinguished from lists by offset, and refuse a foreign cursor', async () => {
    api.store.show({ first: 1, last: LAST });
    expect(await answer(TRANSACTIONS, { limit: 2 })).not.toHaveProperty('next_cursor');
    const { next_cursor: blocks } = await answer(BLOCKS, { limit: 2, cursor: '' });
    const { next_cursor: own } = await answer(TRANSACTIONS, { limit: 2, cursor: '' });
    const [list, of] = JSON.parse(Buffer.from(own!, 'base64url').toString()) as [string, string];
    const later = Buffer.from(JSON.stringify([list, of, 1, LAST + 1, null])).toString('base64url');
    const other = 'cursor was given for other parameters: only limit may change from page to page';
    for (const [parameters, status, error] of [
      [{ cursor: blocks }, 422, 'cursor is not one that this list gave'],
      [{ cursor: `${own}x` }, 422, 'cursor is not one that this list gave'],
      [{ cursor: 'a'.repeat(5_000) }, 422, 'cursor is not one that this list gave'],
      [{ cursor: own, sort: 'asc' }, 422, other],
      [{ cursor: own, workchain: 0 }, 422, other],
      [{ cursor: own, offset: 1 }, 422, 'cursor and offset exclude each other'],
      [{ cursor: later }, 503, `cursor goes to masterchain block ${LAST + 1}, the index to ${LAST}`],
    ] as const) {
      const reply = await api.get(TRANSACTIONS.path, parameters);
      expect([reply.status, reply.json]).toEqual([status, { code: status, error }]);
    }
    api.store.show({ first: 5, last: LAST });
    const reply = await api.get(TRANSACTIONS.path, { cursor: own });
    expect([reply.status, reply.json]).toEqual([
      422,
      { code: 422, error: 'cursor begins at masterchain block 1, the index at 5' },
    ]);
  });

  it('of what messages led to, of single steps and of what is named are the pages of a long one', async () => {
    api.store.show({ first: 1, last: LAST });
    const get = (path: string) => api.get(`/api/v3/${path}`);
    const hash = ({ hash: name }: Readonly<Record<string, unknown>>) => String(name);
    const named = all.slice(0, 30).map((one) => `hash=${encodeURIComponent(one.hash)}`);
    const sent = all.filter(({ out_msgs: messages }) => messages.length > 0);
    const counts = Map.groupBy(sent, ({ account }) => account);
    const [account] = [...counts]
      .sort(([, a], [, b]) => b.length - a.length)
      .find(([, rows]) => rows.length < 200)!;
    const someone = String(account);
    const body = encodeURIComponent(String(sent[0]!.out_msgs[0]!.message_content!.hash));
    const step = all.at(-1)!.mc_block_seqno;
    for (const sort of ['asc', 'desc'])
      for (const [path, key, other, isResumable = false] of [
        [`transactions?source=${someone}`, 'transactions', 'opcode=1'],
        [`transactions?destination=${someone}`, 'transactions', 'opcode=1'],
        [`transactions?destination=${someone}&start_utime=1`, 'transactions', 'opcode=1'],
        [`transactions?body_hash=${body}&account=${someone}`, 'transactions', 'opcode=1'],
        [`transactionsByMessage?body_hash=${body}`, 'transactions', 'opcode=1'],
        [`transactions?${named.join('&')}`, 'transactions', 'workchain=0', true],
        [`transactions?mc_seqno=${step}&start_utime=1`, 'transactions', 'workchain=0', true],
        [`transactionsByMasterchainBlock?seqno=${step}`, 'transactions', `seqno=${step - 1}`],
      ] as const)
        await expectScan(get, {
          path: `${path}&sort=${sort}`,
          key,
          of: hash,
          least: 1,
          others: path.includes('ByMasterchain')
            ? [`${path.replace(`${step}`, `${step - 1}`)}&sort=${sort}`]
            : [`${path}&${other}&sort=${sort}`],
          isResumable: isResumable && sort === 'asc',
        });
  });
});
