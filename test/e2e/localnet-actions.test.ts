/** Actions of a local chain under traffic: what v3 tells of jetton transfers and plain ones, against `/jetton/transfers` and messages. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import type { TraceAnswer } from '../../src/api/v3/schemas/trace.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';

type Fields = Record<string, unknown>;

describe('actions of a local chain', { timeout: 300_000 }, () => {
  let api: LocalApi;
  beforeAll(async () => {
    api = await openLocalApi({ traffic: 60, blockMs: 400, fast: false });
  }, 300_000);
  afterAll(async () => {
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  const v3 = async <T>(path: string) => (await (await fetch(`${api.url}/api/v3/${path}`)).json()) as T;
  const until = <T>(find: () => Promise<T>) => vi.waitFor(find, { timeout: 120_000, interval: 500 });
  const actionsOf = async (filter: string) =>
    (await v3<{ actions: ActionAnswer[] }>(`actions?${filter}&limit=1000`)).actions;

  it('tell a jetton transfer with its amount and owners', async () => {
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

  it('tell a plain transfer as the message says it', async () => {
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
    const ended = events.filter(({ trace_info: info }) => info.trace_state === 'complete');
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
    const one = all[all.length - 1]!;
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
});
