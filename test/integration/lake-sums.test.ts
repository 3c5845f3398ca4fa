import { afterAll, beforeAll, expect, it } from 'vitest';
import { LakeKeeper } from '../../src/api/lake/lake-keeper.ts';
import type { VersionVector, VisibleRange } from '../../src/api/version-vector.ts';
import { readLakeViews } from '../../src/cli/compose/lake.ts';
import { confirmSteps } from '../helpers/activity-by-sql.ts';
import { type IndexedStore, openIndexedStore } from '../helpers/indexed-store.ts';
import { describeWithData } from '../helpers/shared-data.ts';

const NETWORK = 'serve_test';
const LAKE = 'lake_sums_test';
const off = { state: 'off' } as const;
/** Copies of the blocks, so that hundreds of steps are visible: steps and days move. */
const COPIES = 3;
const STEPS = 100;
const DAY = 86_400;

describeWithData('sums and pruning in views of the lake', (data) => {
  let store: IndexedStore;
  let visible: VisibleRange = { first: 1, last: 99 };

  const ask = async (sql: string) => (await store.client.queryRows(sql, { route: 'test' })).rows;
  const createKeeper = () => {
    const { user = 'default', password = '' } = store.connection;
    const served = () => ({ state: 'served', version: 1, database: store.database, visible }) as const;
    const vector = (): VersionVector => ({
      ...{ activity: off, contracts: off, detections: off, traces: off, actions: off, lake: off },
      base: served(),
    });
    return new LakeKeeper({
      ...{ client: store.client, network: NETWORK, lake: LAKE, views: readLakeViews(), vector },
      access: { user, password },
      confirming: () => ({ partitions: null, isIsolated: false, epochSize: 40 }),
    });
  };
  const show = async (range: VisibleRange) => {
    visible = range;
    await createKeeper().refresh();
  };
  /** Rows that a statement reads, as the server estimates after its indexes. */
  const estimate = async (sql: string) => {
    const text = await store.client.queryText(`EXPLAIN ESTIMATE ${sql}`, { route: 'test' });
    const lines = text
      .trim()
      .split('\n')
      .filter((line) => !line.includes('\tconfirmed\t'));
    return lines.reduce((sum, line) => sum + Number(line.split('\t')[3] ?? 0), 0);
  };

  beforeAll(async () => {
    store = await openIndexedStore({ folders: [`${data}/blocks/mainnet-genesis-0001`] });
    const copies = `arrayJoin(range(1, ${COPIES + 1}))`;
    for (const [table, time, lts] of [
      ['transactions', 'now', ['lt']],
      ['messages', 'tx_now', ['created_lt', 'tx_lt']],
      ['account_states', 'now', ['lt']],
      ['blocks', 'gen_utime', ['start_lt', 'end_lt']],
    ] as const) {
      const later = lts.map((lt) => `if(${lt} = 0, 0, ${lt} + k * 1000000000000) AS ${lt}`).join(', ');
      const failing =
        table === 'transactions'
          ? "k = 2 OR aborted AS aborted, if(k = 2, 'vm', compute_type) AS compute_type, if(k = 2, 33, compute_exit_code) AS compute_exit_code, "
          : '';
      const moved = `* REPLACE (${failing}mc_seqno + k * ${STEPS} AS mc_seqno, ${time} + k * ${DAY} AS ${time}, ${later})`;
      const { rows } = await store.client.queryRows<[string]>(
        `SELECT name FROM system.columns WHERE database = '${store.database}' AND table = 'land_${table}' AND name IN
         (SELECT name FROM system.columns WHERE database = '${store.database}' AND table = '${table}')`,
        { route: 'test' },
      );
      const names = rows.map(([name]) => name).join(', ');
      await store.client.command(
        `INSERT INTO ${store.database}.land_${table} (${names}) SELECT ${names} FROM
         (SELECT ${moved} FROM (SELECT ${names}, ${copies} AS k FROM ${store.database}.${table} WHERE mc_seqno < ${STEPS}))`,
        { route: 'test' },
      );
    }
    await confirmSteps(store.client, store.database, { first: 1, last: STEPS * (COPIES + 1) - 1, lane: 0 });
  });
  afterAll(() => store?.close());

  const SUMS: readonly (readonly [name: string, fromSums: string, plain: string])[] = [
    [
      'transactions by hour',
      'SELECT hour, workchain, transactions, aborted, activations, gas_used, total_fees, gas_fees, storage_fees, forward_fees FROM transactions_hourly',
      `SELECT toStartOfHour(block_time), block_workchain, count(), countIf(aborted), countIf(end_status = 'active' AND orig_status != 'active'),
         sum(ifNull(compute_gas_used, 0)), sum(total_fees), sum(ifNull(compute_gas_fees, 0)), sum(ifNull(storage_fees_collected, 0)), sum(ifNull(action_total_fwd_fees, 0))
       FROM transactions GROUP BY 1, 2`,
    ],
    [
      'transactions by day',
      'SELECT day, workchain, transactions, total_fees FROM transactions_daily',
      'SELECT block_date, block_workchain, count(), sum(total_fees) FROM transactions GROUP BY 1, 2',
    ],
    [
      'failures by hour',
      "SELECT hour, exit_code, failures FROM failures_hourly WHERE phase = 'compute'",
      'SELECT toStartOfHour(block_time), compute_exit_code, count() FROM transactions WHERE aborted AND compute_exit_code NOT IN (0, 1) GROUP BY 1, 2',
    ],
    [
      'all failures by day',
      'SELECT day, sum(failures) FROM failures_daily GROUP BY 1',
      'SELECT block_date, count() FROM transactions WHERE aborted GROUP BY 1',
    ],
    [
      'messages by hour',
      'SELECT hour, direction, sum(messages), sum(value), sum(forward_fees) FROM messages_hourly GROUP BY 1, 2',
      'SELECT toStartOfHour(block_time), direction, count(), sum(ifNull(value, 0)), sum(ifNull(fwd_fee, 0)) FROM messages GROUP BY 1, 2',
    ],
    [
      'messages by day',
      "SELECT day, bounced, sum(messages) FROM messages_daily WHERE kind = 'internal' GROUP BY 1, 2",
      'SELECT block_date, bounced, count() FROM messages WHERE bounced IS NOT NULL GROUP BY 1, 2',
    ],
  ];
  const inLake = (sql: string) => sql.replaceAll(/FROM (\w+)/g, `FROM ${LAKE}.$1`);
  const text = (sql: string) => `SELECT arraySort(groupArray(toString(tuple(*)))) FROM (${inLake(sql)})`;

  it.each([
    { first: 1, last: 399 },
    { first: 1, last: 42 },
    { first: 77, last: 311 },
    { first: 100, last: 299 },
  ])('equal the plain statements over the steps $first to $last', async (range) => {
    await show(range);
    for (const [name, fromSums, plain] of SUMS) {
      const [sums, rows] = [await ask(text(fromSums)), await ask(text(plain))];
      expect([name, sums]).toEqual([name, rows]);
      if (range.last === 399) expect([name, JSON.stringify(rows).length > 10]).toEqual([name, true]);
    }
  });

  it('read the stored sums of hundreds of steps, not their rows', async () => {
    await show({ first: 0, last: 399 });
    const [plain, sums] = await Promise.all([
      estimate(`SELECT sum(total_fees) FROM ${LAKE}.transactions`),
      estimate(`SELECT sum(total_fees) FROM ${LAKE}.transactions_hourly`),
    ]);
    expect(plain).toBeGreaterThan(4_000);
    expect(sums).toBeLessThan(plain / 4);
  });

  it('have the balance of each account on each day, filled forward', async () => {
    await show({ first: 1, last: 299 });
    const [[address = ''] = []] = await ask(
      `SELECT address FROM ${LAKE}.balances_daily GROUP BY 1 ORDER BY count() DESC, 1 LIMIT 1`,
    );
    const days = await ask(
      `SELECT day, amount FROM ${LAKE}.balances_daily WHERE address = '${address}' ORDER BY 1`,
    );
    const [bounds] = await ask(
      `SELECT toString((SELECT min(toDate(toDateTime(now, 'UTC'))) FROM ${store.database}.balances_by_time WHERE concat(toString(workchain), ':', hex(account)) = '${address}')), max(block_date) FROM ${LAKE}.blocks`,
    );
    expect([days[0]?.[0], days.at(-1)?.[0]]).toEqual(bounds);
    const wrong = await ask(
      `SELECT count() FROM ${LAKE}.balances_daily AS d ASOF LEFT JOIN
         (SELECT toDate(toDateTime(now, 'UTC')) AS day, concat(toString(workchain), ':', hex(account)) AS address, argMax(balance, lt) AS amount
          FROM ${store.database}.account_states WHERE origin = 'block' AND mc_seqno <= 299 GROUP BY 1, 2) AS s ON s.address = d.address AND d.day >= s.day
       WHERE d.amount != s.amount OR d.is_changed != (d.day = s.day)`,
    );
    expect(wrong).toEqual([['0']]);
    const missing = await ask(
      `SELECT count() FROM (SELECT day - lagInFrame(day, 1, day - 1) OVER (ORDER BY day) AS step FROM ${LAKE}.balances_daily WHERE address = '${address}') WHERE step != 1`,
    );
    expect(missing).toEqual([['0']]);
  });

  it('read few rows of a day, an account or a hash, and no payload for ends and hashes', async () => {
    await show({ first: 1, last: 399 });
    const [[day, source, destination, msg, tx, account, root] = []] = await ask(
      `SELECT min(m.block_date), any(m.source), any(m.destination), any(m.msg_hash), any(m.tx_hash), any(t.account), (SELECT any(root_hash) FROM ${LAKE}.blocks)
       FROM ${LAKE}.messages AS m INNER JOIN ${LAKE}.transactions AS t ON t.hash = m.tx_hash WHERE m.source IS NOT NULL`,
    );
    for (const [table, where] of [
      ['messages', `block_date = '${day}'`],
      ['messages', `source = '${source}' AND block_date = '${day}'`],
      ['messages', `destination = '${destination}' AND block_date = '${day}'`],
      ['messages', `msg_hash = '${msg}'`],
      ['messages', `tx_hash = '${tx}'`],
      ['transactions', `block_date = '${day}'`],
    ] as const) {
      const [all, some] = [
        await estimate(`SELECT count() FROM ${LAKE}.${table} WHERE NOT ignore(block_time)`),
        await estimate(`SELECT count() FROM ${LAKE}.${table} WHERE ${where}`),
      ];
      expect([table, where, some < all]).toEqual([table, where, true]);
    }
    for (const [table, where, index] of [
      ['transactions', `account = '${account}'`, 'by_account'],
      ['transactions', `hash = '${tx}'`, 'by_hash'],
      ['messages', `source = '${source}'`, 'by_source'],
      ['messages', `destination IN ('${destination}')`, 'by_destination'],
      ['account_states', `account = '${account}'`, 'by_account'],
      ['blocks', `root_hash = '${root}'`, 'by_root_hash'],
    ] as const) {
      const plan = await store.client.queryText(
        `EXPLAIN indexes = 1 SELECT count() FROM ${LAKE}.${table} WHERE ${where}`,
        { route: 'test' },
      );
      expect([where, plan.includes(`Name: ${index}`)]).toEqual([where, true]);
    }
    const header = await store.client.queryText(
      `EXPLAIN header = 1, actions = 1 SELECT source, destination, msg_hash, count() FROM ${LAKE}.messages GROUP BY 1, 2, 3`,
      { route: 'test' },
    );
    expect(header).not.toContain('payload');
  });
});
