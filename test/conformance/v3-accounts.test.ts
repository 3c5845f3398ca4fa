import { afterAll, beforeAll, expect, it } from 'vitest';
import type {
  AccountStatesAnswer,
  TopAccountsAnswer,
  WalletStatesAnswer,
} from '../../src/api/v3/schemas/account.ts';
import type { AddressBook } from '../../src/api/v3/schemas/address-book.ts';
import { parseAddress } from '../../src/ton/address/address.ts';
import { type ApiOfStore, openApi } from '../helpers/api-of-store.ts';
import { describeWithChain } from '../helpers/shared-data.ts';

interface Truth {
  readonly account: string;
  readonly balance: bigint;
  readonly hash: string;
  readonly lt: string;
  readonly status: string;
}

describeWithChain('accounts of a chain from its first block', (chain) => {
  let api: ApiOfStore;
  beforeAll(async () => {
    api = await openApi({
      folders: [`${chain.data}/blocks/${chain.set}`],
      states: chain.states,
    });
  });
  afterAll(async () => {
    expect(api.store.logged).toEqual([]);
    await api.close();
  });

  /** The newest state of every account as of a masterchain block, from the whole history. */
  async function truth(last: number): Promise<Truth[]> {
    const { rows } = await api.store.client.queryRows<[number, string, string, string, string, string]>(
      `SELECT workchain, hex(account), balance, base64Encode(hash), lt, status FROM ${api.store.database}.account_states
       WHERE mc_seqno <= {last:UInt32} ORDER BY lt DESC LIMIT 1 BY account, workchain`,
      { params: { last }, route: 'test' },
    );
    return rows.map(([workchain, account, balance, hash, lt, status]) => ({
      account: `${workchain}:${account}`,
      balance: BigInt(balance),
      hash,
      lt,
      status,
    }));
  }

  it.each([1, 3, 50, chain.last])('ranks the balances as of masterchain block %i', async (last) => {
    api.store.show({ first: 1, last });
    const all = (await truth(last)).filter(({ balance }) => balance > 0n);
    // Ties are ordered as in the ranking: the larger account first, the basechain before the masterchain.
    const key = (account: string) => account.split(':').toReversed().join(':');
    const ranked = all.sort((a, b) =>
      a.balance === b.balance ? (key(a.account) < key(b.account) ? 1 : -1) : a.balance > b.balance ? -1 : 1,
    );
    for (const [limit, offset] of [
      [1000, 0],
      [3, 0],
      [3, 2],
    ] as const) {
      const { json } = await api.get('/api/v3/topAccountsByBalance', { limit, offset });
      expect(json as TopAccountsAnswer).toEqual(
        ranked
          .slice(offset, offset + limit)
          .map(({ account, balance }) => ({ account, balance: `${balance}` })),
      );
    }
    expect(ranked.length).toBeGreaterThan(3);
    api.store.show({ first: 1, last: chain.last });
  });

  it('ranks the same after merges', async () => {
    const before = (await api.get('/api/v3/topAccountsByBalance', { limit: 1024 })).json;
    for (const table of ['balances_ranked', 'accounts_latest']) {
      await api.store.client.command(`OPTIMIZE TABLE ${api.store.database}.${table} FINAL`, {
        route: 'test',
      });
    }
    expect((await api.get('/api/v3/topAccountsByBalance', { limit: 1024 })).json).toEqual(before);
    api.store.show({ first: 1, last: 60 });
    const all = (await truth(60)).filter(({ balance }) => balance > 0n);
    const { json } = await api.get('/api/v3/topAccountsByBalance', { limit: 1024 });
    expect(new Map((json as TopAccountsAnswer).map((one) => [one.account, BigInt(one.balance)]))).toEqual(
      new Map(all.map((one) => [one.account, one.balance])),
    );
    api.store.show({ first: 1, last: chain.last });
  });

  it.each([1, 40, chain.last])('gives the newest states as of masterchain block %i', async (last) => {
    api.store.show({ first: 1, last });
    const all = await truth(last);
    const addresses = all.map(({ account }) => account);
    const unseen = `0:${'12'.repeat(32)}`;
    const { json } = await api.get('/api/v3/accountStates', { address: [addresses.join(','), unseen] });
    const { accounts, address_book, metadata } = json as AccountStatesAnswer;
    expect(
      new Map(
        accounts.map((one) => [
          one.address,
          [one.balance, one.account_state_hash, one.last_transaction_lt, one.status],
        ]),
      ),
    ).toEqual(new Map(all.map((one) => [one.account, [`${one.balance}`, one.hash, one.lt, one.status]])));
    expect(Object.keys(address_book).sort()).toEqual([...addresses].sort());
    expect(metadata).toEqual({});
    api.store.show({ first: 1, last: chain.last });
  });

  it('sends code and data of accounts that a given state contains completely, unless the request excludes them', async () => {
    const elector = `-1:${'3'.repeat(64)}`;
    const config = `-1:${'5'.repeat(64)}`;
    const address = [elector, config];
    const full = (await api.get('/api/v3/accountStates', { address })).json as AccountStatesAnswer;
    expect(full.accounts.length).toBe(2);
    for (const account of full.accounts) {
      expect(account.code_boc).toMatch(/^te6cc/);
      expect(account).toHaveProperty('data_boc');
      expect(account).not.toHaveProperty('frozen_hash');
    }
    const bare = (await api.get('/api/v3/accountStates', { address, include_boc: 'false' }))
      .json as AccountStatesAnswer;
    for (const account of bare.accounts) {
      expect(account).not.toHaveProperty('code_boc');
      expect(account).not.toHaveProperty('data_boc');
      expect(account.code_hash).toMatch(/=$/);
    }
    const code = bare.accounts[0]?.code_hash as string;
    const filtered = await api.get('/api/v3/accountStates', { address, code_hash: code });
    expect((filtered.json as AccountStatesAnswer).accounts).toMatchObject(
      bare.accounts
        .filter(({ code_hash }) => code_hash === code)
        .map(({ address: one }) => ({ address: one })),
    );
  });

  it('takes a code, and to read no data, for wallets too', async () => {
    const address = [`-1:${'3'.repeat(64)}`, `-1:${'5'.repeat(64)}`];
    const walletsOf = async (more: object = {}) =>
      ((await api.get('/api/v3/walletStates', { address, ...more })).json as WalletStatesAnswer).wallets;
    const all = await walletsOf();
    expect(all).toHaveLength(2);
    expect(await walletsOf({ code_hash: all[1]!.code_hash })).toEqual(
      all.filter(({ code_hash }) => code_hash === all[1]!.code_hash),
    );
    expect(await walletsOf({ code_hash: 'f'.repeat(64) })).toEqual([]);
    expect(await walletsOf({ include_boc: 'false' })).toEqual(all);
  });

  it('keeps the texts of the address book as they were sent', async () => {
    const elector = `-1:${'3'.repeat(64)}`;
    const friendly = 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF';
    const unseen = `0:${'ab'.repeat(32)}`;
    const { json } = await api.get('/api/v3/addressBook', {
      address: [elector, friendly, unseen, 'foundation.ton'],
    });
    const book = json as AddressBook;
    expect(Object.keys(book)).toEqual([elector, friendly, unseen, 'foundation.ton']);
    expect(book[elector]).toEqual({ user_friendly: friendly, domain: null, interfaces: null });
    expect(book[friendly]).toEqual(book[elector]);
    expect(parseAddress(book[unseen]?.user_friendly ?? '')?.bounceable).toBe(false);
    expect(book[unseen]?.interfaces).toEqual([]);
    expect(book['foundation.ton']).toEqual({ user_friendly: null, domain: null, interfaces: [] });
  });

  it('takes a thousand addresses in one request', async () => {
    const address = Array.from({ length: 1000 }, (_, i) => `0:${i.toString(16).padStart(64, '0')}`);
    const book = await api.get('/api/v3/addressBook', { address });
    expect(Object.keys(book.json as AddressBook).length).toBe(1000);
    const states = await api.get('/api/v3/accountStates', { address });
    expect([states.status, (states.json as AccountStatesAnswer).accounts]).toEqual([200, []]);
    const more = await api.get('/api/v3/accountStates', { address: [...address, `-1:${'3'.repeat(64)}`] });
    expect(more.status).toBe(422);
  });

  it('wants an address', async () => {
    expect((await api.get('/api/v3/addressBook')).json).toEqual({
      code: 422,
      error: 'at least 1 address required',
    });
    expect((await api.get('/api/v3/accountStates')).json).toEqual({
      code: 422,
      error: 'address of account is required',
    });
  });
});
