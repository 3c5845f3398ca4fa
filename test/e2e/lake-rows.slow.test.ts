/** Tables of the lake with rows of their own, over the exchange and the marketplace of a local chain. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import type { Wallet } from '../../src/localnet/wallets/wallet.ts';
import { pollFor } from '../../src/platform/retry/poll.ts';
import { ApiLake, JETTON_SUMS } from '../helpers/lake-of-api.ts';
import { raw, TOKENS, TradingChain, WALLETS } from '../helpers/trading-chain.ts';

const [alice, bob] = [WALLETS.traffic[0]!, WALLETS.traffic[1]!];
const NATIVE = `0:${'0'.repeat(64)}`;
const minter = raw(TOKENS.jetton.minter.address);
const pool = raw(TOKENS.exchange.pool.address);
type Fields = Record<string, unknown>;
type Transfer = { readonly asset: string | null; readonly amount: string };

describe('rows of the lake', { timeout: 600_000 }, () => {
  let chain: TradingChain;
  let lake: ApiLake;
  const done: { readonly name: string; readonly stored: readonly ActionAnswer[] }[] = [];

  const ask = <T extends Fields>(sql: string): Promise<T[]> => lake.ask<T>(sql);
  async function act(name: string, from: Wallet, seed = name): Promise<readonly ActionAnswer[]> {
    const { stored } = await chain.traffic(name, from, seed);
    done.push({ name, stored });
    return stored;
  }
  const actions = (...types: readonly string[]) =>
    done.flatMap(({ stored }) => stored).filter(({ type, success }) => success && types.includes(type));

  beforeAll(async () => {
    chain = await TradingChain.open();
    const { context } = chain.api;
    lake = new ApiLake(chain.api, 'lake_rows_test');
    for (const [name, from] of [
      ['swap TON', alice],
      ['swap jettons', bob],
      ['swap TON', bob],
      ['swap TON too dear', alice],
      ['jetton mint', alice],
      ['jetton burn', bob],
      ['NFT mint', alice],
      ['NFT offer', alice],
    ] as const)
      await act(name, from, `${name} ${done.length}`);
    const offered = actions('nft_put_on_sale').at(-1)!.details as Fields;
    await act('NFT purchase', offered.owner === raw(alice.address) ? bob : alice);
    await act('NFT offer', bob, 'second offer');
    await act('NFT offer withdrawn', alice);
    await act('NFT auction', alice);
    const listed = actions('nft_put_on_auction').at(-1)!.details as Fields;
    const [bidder] = WALLETS.traffic.filter(({ address }) => raw(address) !== listed.owner);
    await act('auction bid', bidder!);
    await chain.warp(300);
    await act('auction end', alice);
    await act('username auction', alice);
    const named = actions('teleitem_start_auction').at(-1)!.details as Fields;
    const others = WALLETS.traffic.filter(({ address }) => raw(address) !== named.owner);
    for (
      let index = 0;
      index < 12 && !done.at(-1)!.stored.some(({ type }) => type === 'nft_transfer');
      index++
    )
      await act('username bid', others[index % 2]!, `bid ${index}`);
    // The projection follows the actions.
    const { last } = (context.vector().actions as { visible: { last: number } }).visible;
    const reached = () => (context.vector().lake as { visible?: { last: number } }).visible?.last ?? 0;
    if (!(await pollFor(async () => reached() >= last, 240_000, { everyMs: 100 })))
      throw new Error(`step ${last} of lake expected, ${reached()} found`);
  }, 600_000);
  afterAll(async () => {
    await chain?.api.close();
    expect(chain?.api.logged).toEqual([]);
  });

  const sums: readonly (readonly [what: string, sums: string, plain: string])[] = [
    ...JETTON_SUMS,
    [
      'times of the last transactions of accounts',
      'SELECT address, last_tx_at FROM ton.accounts WHERE last_tx_at IS NOT NULL',
      'SELECT account, max(block_time) FROM ton.transactions GROUP BY 1',
    ],
    [
      'trades by hour',
      'SELECT hour, pool_address, token_sold_address, trades, amount_sold_raw, amount_bought_raw, toString(volume_ton) FROM ton.dex_volume_hourly',
      'SELECT toStartOfHour(block_time), pool_address, token_sold_address, count(), sum(amount_sold_raw), sum(amount_bought_raw), toString(sum(volume_ton)) FROM ton.dex_trades GROUP BY 1, 2, 3',
    ],
    [
      'trades by day',
      'SELECT day, project, sum(trades), toString(sum(volume_ton)) FROM ton.dex_volume_daily GROUP BY 1, 2',
      'SELECT block_date, project, count(), toString(sum(volume_ton)) FROM ton.dex_trades GROUP BY 1, 2',
    ],
    [
      'sales by hour',
      'SELECT hour, collection_address, marketplace_address, sales, volume FROM ton.nft_volume_hourly',
      "SELECT toStartOfHour(block_time), collection_address, marketplace_address, count(), sum(sale_price) FROM ton.nft_events WHERE type = 'sale' GROUP BY 1, 2, 3",
    ],
    [
      'sales by day',
      'SELECT day, sum(sales), sum(volume) FROM ton.nft_volume_daily GROUP BY 1',
      "SELECT block_date, count(), sum(sale_price) FROM ton.nft_events WHERE type = 'sale' GROUP BY 1",
    ],
    [
      'accounts by hour',
      'SELECT hour, sum(active_accounts), sum(new_accounts) FROM ton.accounts_hourly GROUP BY 1',
      `SELECT toStartOfHour(block_time) AS hour, uniqExact(account), uniqExactIf(account, hour = toStartOfHour(first))
       FROM ton.transactions INNER JOIN (SELECT account, min(block_time) AS first FROM ton.transactions GROUP BY 1) AS f USING (account) GROUP BY 1`,
    ],
    [
      'accounts by day',
      'SELECT day, sum(active_accounts), sum(new_accounts) FROM ton.accounts_daily GROUP BY 1',
      `SELECT block_date, uniqExact(account), uniqExactIf(account, block_date = toDate(first))
       FROM ton.transactions INNER JOIN (SELECT account, min(block_time) AS first FROM ton.transactions GROUP BY 1) AS f USING (account) GROUP BY 1`,
    ],
  ];
  it.each(sums)('have %s as the plain statement counts them', async (_, sums, plain) => {
    const expected = await lake.texts(plain);
    expect(expected.length).toBeGreaterThan(0);
    expect(await lake.texts(sums)).toEqual(expected);
  });

  it('have a trade for each successful swap, with amounts, trader and pool', async () => {
    const trades = await ask(
      `SELECT tx_hash, trace_id, project, version, trader_address, pool_address, token_sold_address, token_bought_address,
         toString(amount_sold_raw) AS sold, toString(amount_bought_raw) AS bought, toString(volume_ton) AS ton, volume_usd
       FROM ton.dex_trades ORDER BY event_time, trace_id`,
    );
    const expected = actions('jetton_swap').map(({ trace_id, details }) => {
      const {
        dex_incoming_transfer: incoming,
        dex_outgoing_transfer: outgoing,
        sender,
      } = details as {
        dex_incoming_transfer: Transfer;
        dex_outgoing_transfer: Transfer;
        sender: string;
      };
      const ton = incoming.asset === null ? incoming.amount : outgoing.amount;
      return {
        tx_hash: expect.stringMatching(/=$/),
        trace_id,
        project: 'dedust',
        version: 2,
        trader_address: sender,
        pool_address: pool,
        token_sold_address: incoming.asset ?? NATIVE,
        token_bought_address: outgoing.asset ?? NATIVE,
        sold: incoming.amount,
        bought: outgoing.amount,
        ton: String(Number(BigInt(ton)) / 1e9),
        volume_usd: null,
      };
    });
    expect(expected.length).toBe(3);
    expect(trades.toSorted(byTrace)).toEqual(expected.toSorted(byTrace));
    const [transaction] = await ask(
      `SELECT count() AS n FROM ton.dex_trades AS d INNER JOIN ton.transactions AS t ON t.hash = d.tx_hash WHERE t.account = d.pool_address`,
    );
    expect(transaction?.n).toBe('3');
  });

  it('have mints and burns of jettons', async () => {
    const rows = await ask(
      `SELECT type, toString(amount) AS amount, destination, source FROM ton.jetton_events WHERE type != 'transfer' ORDER BY type`,
    );
    const [burn, mint] = actions('jetton_burn', 'jetton_mint')
      .toSorted((a, b) => (a.type < b.type ? -1 : 1))
      .map(({ details }) => details as Fields);
    expect(rows).toEqual([
      { type: 'burn', amount: burn?.amount, destination: null, source: burn?.owner },
      { type: 'mint', amount: mint?.amount, destination: mint?.receiver, source: null },
    ]);
  });

  it('have the reserves of the pool, as its get method returns them', async () => {
    const [newest] = await ask<{ left: string; right: string; tvl: string }>(
      `SELECT toString(argMax(reserves_left, last_updated)) AS left, toString(argMax(reserves_right, last_updated)) AS right,
         toString(argMax(tvl_ton, last_updated)) AS tvl FROM ton.dex_pools WHERE pool = '${pool}' AND is_liquid`,
    );
    const answer = await fetch(`${chain.api.url}/api/v2/runGetMethod`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address: pool, method: 'get_reserves', stack: [] }),
    });
    const { result } = (await answer.json()) as { result: { stack: [string, string][] } };
    const [ton, jettons] = result.stack.map(([, value]) => BigInt(value));
    expect([newest?.left, newest?.right]).toEqual([`${ton}`, `${jettons}`]);
    expect(Number(newest?.tvl)).toBeCloseTo((Number(ton) * 2) / 1e9, 3);
  });

  it('have the price of the day from the trades of the day', async () => {
    const rows = await ask<{ token_address: string; price: number }>(
      'SELECT token_address, any(price_ton) AS price FROM ton.prices_daily GROUP BY token_address',
    );
    const prices = new Map(rows.map(({ token_address, price }) => [token_address, price]));
    expect(prices.get(NATIVE)).toBe(1e-9);
    // The reserves of the genesis: 1 TON for 10 jettons of 9 decimals.
    expect(prices.get(minter)! * 1e10).toBeCloseTo(1, 1);
  });

  it('have events of all types, with seller, buyer, bidder and price', async () => {
    const rows = await ask<Fields & { type: string }>(
      `SELECT type, nft_item_address, collection_address, owner_address, prev_owner, toString(sale_price) AS price, sale_contract, sale_type,
         trace_id, payment_asset FROM ton.nft_events ORDER BY lt`,
    );
    const of = (type: string) => rows.filter((row) => row.type === type);
    for (const { trace_id, details } of actions('nft_purchase')) {
      const one = details as Fields;
      expect(of('sale')).toContainEqual(
        expect.objectContaining({
          trace_id,
          nft_item_address: one.nft_item,
          collection_address: one.nft_collection,
          owner_address: one.new_owner,
          prev_owner: one.real_old_owner,
          price: one.price,
          sale_contract: one.old_owner,
          payment_asset: 'TON',
        }),
      );
    }
    const traces = (...types: readonly string[]) =>
      actions(...types)
        .map(({ trace_id }) => trace_id)
        .sort();
    const named = (type: string) =>
      of(type)
        .map(({ trace_id }) => trace_id)
        .sort();
    const sales = actions('nft_transfer').filter(({ details }) => (details as Fields).is_purchase === true);
    expect(named('sale')).toEqual(
      [...traces('nft_purchase'), ...sales.map(({ trace_id }) => trace_id)].sort(),
    );
    expect(sales.length).toBe(1);
    expect(named('put_on_sale')).toEqual(
      traces('nft_put_on_sale', 'nft_put_on_auction', 'teleitem_start_auction'),
    );
    expect(named('cancel_sale')).toEqual(traces('nft_cancel_sale'));
    expect(named('bid')).toEqual(traces('auction_bid'));
    expect(named('mint')).toEqual(traces('nft_mint'));
    expect(of('mint').length).toBe(1);
    for (const { trace_id, details } of actions('auction_bid'))
      expect(of('bid')).toContainEqual(
        expect.objectContaining({
          trace_id,
          prev_owner: (details as Fields).bidder,
          price: (details as Fields).amount,
          sale_type: 'auction',
        }),
      );
  });
});

const byTrace = (a: Fields, b: Fields) => (String(a.trace_id) < String(b.trace_id) ? -1 : 1);
