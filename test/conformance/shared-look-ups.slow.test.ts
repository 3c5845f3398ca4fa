import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountStatesAnswer, TopAccountsAnswer } from '../../src/api/v3/schemas/account.ts';
import type { MessagesAnswer } from '../../src/api/v3/schemas/message.ts';
import type { TransactionsAnswer } from '../../src/api/v3/schemas/transaction.ts';
import { type ApiOfStore, type ApiParameters, openApi } from '../helpers/api-of-store.ts';
import { describeWithData } from '../helpers/shared-data.ts';

const answersOf = async (
  api: ApiOfStore,
  requests: readonly (readonly [string, ApiParameters])[],
): Promise<{ together: unknown[]; alone: unknown[] }> => {
  const get = async ([path, parameters]: (typeof requests)[number]) => {
    const { status, json } = await api.get(path, parameters);
    expect(status).toBe(200);
    return json;
  };
  const together = await Promise.all(requests.map(get));
  const alone: unknown[] = [];
  for (const request of requests) alone.push(await get(request));
  return { together, alone };
};

/** The response cache would answer the second time. */
const UNCACHED = { responseCacheMb: 0 };

/** Concurrent requests share statements: each answer equals the one of a single request. */
describeWithData('look-ups at the same time', (data) => {
  let api: ApiOfStore;
  let transactions: TransactionsAnswer['transactions'];
  beforeAll(async () => {
    const folders = [`${data}/blocks/mainnet-single`];
    api = await openApi({ folders, isolated: true, settings: UNCACHED });
    const pages = [0, 1000].map((offset) => api.get('/api/v3/transactions', { limit: 1000, offset }));
    transactions = (await Promise.all(pages)).flatMap(
      ({ json }) => (json as TransactionsAnswer).transactions,
    );
  });
  afterAll(() => api?.close());

  it('finds transactions and messages by hash', async () => {
    const some = transactions.filter((_, i) => i % 23 === 0);
    const { together, alone } = await answersOf(
      api,
      some.flatMap(({ hash, in_msg, out_msgs }) => [
        ['/api/v3/transactions', { hash }],
        ['/api/v3/transactions', { hash: [hash, transactions[5]?.hash ?? ''], sort: 'asc' }],
        ...[in_msg, ...out_msgs].flatMap((message) =>
          message ? [['/api/v3/messages', { msg_hash: message.hash }] as const] : [],
        ),
      ]),
    );
    expect(together).toEqual(alone);
    expect((together[0] as TransactionsAnswer).transactions.map(({ hash }) => hash)).toEqual([some[0]?.hash]);
    expect((together[1] as TransactionsAnswer).transactions.map(({ hash }) => hash)).toContain(
      transactions[5]?.hash,
    );
  });

  it('finds by hash nothing above the visible range', async () => {
    const senders = transactions.filter(({ out_msgs }) => out_msgs.length > 0);
    const steps = transactions.map(({ mc_block_seqno: step }) => step);
    const [first, last] = [Math.min(...steps), Math.max(...steps)];
    const end = Math.max(...senders.map(({ mc_block_seqno: step }) => step));
    expect(end).toBeGreaterThan(first);
    const newest = senders.filter((one) => one.mc_block_seqno === end);
    const found = async () => {
      const { together } = await answersOf(
        api,
        newest.flatMap(({ hash, out_msgs }) => [
          ['/api/v3/transactions', { hash }],
          ['/api/v3/messages', { msg_hash: out_msgs[0]?.hash ?? '' }],
        ]),
      );
      return together.flatMap((answer): readonly unknown[] => {
        const { transactions: rows, messages } = answer as Partial<TransactionsAnswer & MessagesAnswer>;
        return rows ?? messages ?? [];
      });
    };
    expect(await found()).toHaveLength(newest.length * 2);
    try {
      api.store.show({ first, last: end - 1 });
      expect(await found()).toEqual([]);
    } finally {
      api.store.show({ first, last });
    }
  });

  it.each(['asc', 'desc'])('gives pages of accounts within the visible range, %s', async (sort) => {
    const steps = transactions.map(({ mc_block_seqno: step }) => step);
    const [first, last] = [Math.min(...steps), Math.max(...steps)];
    const above = new Set(
      transactions.filter(({ mc_block_seqno: step }) => step === last).map((one) => one.account),
    );
    const accounts = [...above].slice(0, 16);
    expect(first).toBeLessThan(last);
    expect(accounts.length).toBeGreaterThan(1);
    try {
      api.store.show({ first, last: last - 1 });
      const { together, alone } = await answersOf(
        api,
        accounts.map((account) => ['/api/v3/transactions', { account, limit: 5, sort }]),
      );
      expect(together).toEqual(alone);
      const seen = (together as TransactionsAnswer[]).flatMap((answer) => answer.transactions);
      expect(seen.filter(({ mc_block_seqno: step }) => step === last)).toEqual([]);
    } finally {
      api.store.show({ first, last });
    }
  });

  it.each(['asc', 'desc'])('gives pages and states of accounts, %s', async (sort) => {
    const accounts = [...new Set(transactions.map(({ account }) => account))].slice(0, 40);
    expect(accounts.length).toBe(40);
    const { together, alone } = await answersOf(
      api,
      accounts.flatMap((account) => [
        ['/api/v3/transactions', { account, limit: 3, sort }],
        ['/api/v3/transactions', { account, limit: 100, sort }],
        ['/api/v3/accountStates', { address: account }],
      ]),
    );
    expect(together).toEqual(alone);
    for (const [i, account] of accounts.entries()) {
      const page = (together[i * 3 + 1] as TransactionsAnswer).transactions;
      const own = transactions.filter((one) => one.account === account);
      expect(new Set(page.map(({ hash }) => hash))).toEqual(new Set(own.map(({ hash }) => hash)));
      const first = (together[i * 3] as TransactionsAnswer).transactions;
      expect(first).toEqual(page.slice(0, 3));
      const { accounts: states } = together[i * 3 + 2] as AccountStatesAnswer;
      expect(states.map(({ address }) => address)).toEqual([account]);
    }
  });
});

describeWithData('balances of a chain', (data) => {
  let api: ApiOfStore;
  beforeAll(async () => {
    const states = [-1, 0].map((id) => `${data}/accounts/states/mainnet_zerostate_${id}.boc`);
    api = await openApi({ folders: [`${data}/blocks/mainnet-genesis-0001`], states, settings: UNCACHED });
  });
  afterAll(() => api?.close());

  it('ranks balances from memory as from the store, after any earlier request', async () => {
    const pages = [
      ['/api/v3/topAccountsByBalance', { limit: 5 }],
      ['/api/v3/topAccountsByBalance', { limit: 3, offset: 4 }],
      ['/api/v3/topAccountsByBalance', { limit: 1000 }],
    ] as const;
    for (const last of [20, 21, 60, 40, 99]) {
      api.store.show({ first: 1, last });
      const { together, alone } = await answersOf(api, pages);
      expect(together).toEqual(alone);
      const all = together[2] as TopAccountsAnswer;
      expect(together.slice(0, 2)).toEqual([all.slice(0, 5), all.slice(4, 7)]);
    }
  });
});
