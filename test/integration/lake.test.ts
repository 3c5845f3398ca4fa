import { afterAll, beforeAll, expect, it } from 'vitest';
import { LakeKeeper } from '../../src/api/lake/lake-keeper.ts';
import type { VersionVector, VisibleRange } from '../../src/api/version-vector.ts';
import { readLakeViews } from '../../src/cli/compose/lake.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { migrate, migrateMeta } from '../../src/platform/clickhouse/migrations/migrate.ts';
import { confirmSteps } from '../helpers/activity-by-sql.ts';
import { type IndexedStore, openIndexedStore } from '../helpers/indexed-store.ts';
import { describeWithData } from '../helpers/shared-data.ts';

const NETWORK = 'serve_test';
const LAKE = 'lake_test';
const EPOCH_SIZE = 40;
const off = { state: 'off' } as const;
const OFF: VersionVector = {
  base: off,
  activity: off,
  contracts: off,
  detections: off,
  traces: off,
  actions: off,
  lake: off,
};

describeWithData('views of the lake', (data) => {
  let store: IndexedStore;
  let keeper: LakeKeeper;
  let served: Partial<VersionVector> = {};

  const base = (version: number, visible: VisibleRange) => ({
    base: { state: 'served', version, database: versionDatabase(NETWORK, 'base', version), visible } as const,
  });
  const ask = async (sql: string) => (await store.client.queryRows(sql, { route: 'test' })).rows;
  const lastSeqno = async () => (await ask(`SELECT max(mc_block_seqno) FROM ${LAKE}.blocks`))[0]?.[0];

  beforeAll(async () => {
    store = await openIndexedStore({ folders: [`${data}/blocks/mainnet-genesis-0001`] });
    const parts = { network: NETWORK, projection: 'base', directory: 'clickhouse', epochSize: EPOCH_SIZE };
    await migrateMeta(store.client, parts);
    await migrate(store.client, { ...parts, version: 2 });
    keeper = createKeeper();
  });
  afterAll(() => store?.close());

  /** As a new process has it. */
  function createKeeper(): LakeKeeper {
    const { user = 'default', password = '' } = store.connection;
    return new LakeKeeper({
      client: store.client,
      network: NETWORK,
      lake: LAKE,
      views: readLakeViews(),
      vector: () => ({ ...OFF, ...served }),
      access: { user, password },
      confirming: () => ({ partitions: null, isIsolated: false, epochSize: EPOCH_SIZE }),
    });
  }

  it('show the visible steps, and the steps that follow them without a gap', async () => {
    served = base(1, { first: 1, last: 30 });
    await keeper.refresh();
    expect(await lastSeqno()).toBe(30);
    await confirmSteps(store.client, store.database, { first: 31, last: 40, lane: 0 });
    await confirmSteps(store.client, store.database, { first: 50, last: 55, lane: 0 });
    expect(await lastSeqno()).toBe(40);
  });

  it('are made again by a new process only if one is not as it was made', async () => {
    const views = () =>
      ask(
        `SELECT name, toString(uuid), create_table_query FROM system.tables WHERE database = '${LAKE}' ORDER BY name`,
      );
    const made = await views();
    await createKeeper().refresh();
    expect(await views()).toEqual(made);
    const texts = made.map(([name, , text]) => [name, String(text)]);
    for (const damage of [
      `DROP VIEW ${LAKE}.messages`,
      `CREATE OR REPLACE VIEW ${LAKE}.messages AS SELECT 1 AS other`,
      `DROP VIEW ${NETWORK}.lake_made`,
    ]) {
      const before = await views();
      await store.client.command(damage, { route: 'test' });
      await createKeeper().refresh();
      const after = await views();
      expect(after.map(([name, , text]) => [name, String(text)])).toEqual(texts);
      expect(after.map(([, uuid]) => uuid)).not.toEqual(before.map(([, uuid]) => uuid));
    }
  });

  it('have no view over a projection that is not served, and null for its facts', async () => {
    const names = await ask(`SELECT name FROM system.tables WHERE database = '${LAKE}' ORDER BY name`);
    expect(names.flat()).toContain('transactions');
    expect(names.flat()).not.toContain('jetton_events');
    expect(await ask(`SELECT count(trace_id) FROM ${LAKE}.transactions`)).toEqual([['0']]);
  });

  it('have the same rows whatever a client sets', async () => {
    const sum = (table: string, settings: Record<string, number>) =>
      store.client.queryRows(`SELECT count(), sum(cityHash64(tuple(*))) FROM ${LAKE}.${table}`, {
        route: 'test',
        settings,
      });
    for (const table of ['blocks', 'transactions', 'messages', 'account_states']) {
      const plain = await sum(table, { join_use_nulls: 0, prefer_column_name_to_alias: 0 });
      const usual = await sum(table, { join_use_nulls: 1, prefer_column_name_to_alias: 1 });
      expect([table, ...usual.rows]).toEqual([table, ...plain.rows]);
      expect(plain.rows[0]?.[0]).not.toBe('0');
    }
  });

  it('agree with the tables of the version', async () => {
    const visible = 'mc_seqno BETWEEN 1 AND 40';
    const [inDatabase] = await ask(
      `SELECT (SELECT count() FROM ${store.database}.transactions WHERE ${visible}), (SELECT count() FROM ${store.database}.messages WHERE ${visible})`,
    );
    const [inViews] = await ask(
      `SELECT (SELECT count() FROM ${LAKE}.transactions), (SELECT count() FROM ${LAKE}.messages)`,
    );
    expect(inViews).toEqual(inDatabase);
    const wrong = await ask(
      `SELECT count() FROM ${LAKE}.transactions AS v INNER JOIN ${store.database}.transaction_payloads AS p ON v.hash = base64Encode(p.hash)
       WHERE v.prev_trans_hash != base64Encode(p.prev_trans_hash) OR v.account_state_hash_after != base64Encode(p.state_hash_after)`,
    );
    expect(wrong).toEqual([['0']]);
  });

  it('have the code and the balance before and after a transaction, as the states of accounts do', async () => {
    const code = (hash: string) => `if(${hash} = toFixedString('', 32), '', base64Encode(${hash}))`;
    const states = `(SELECT concat(toString(workchain), ':', hex(account)) AS account, toInt64(lt) AS lt, balance, ${code('code_hash')} AS code FROM ${store.database}.account_states WHERE origin = 'block')`;
    for (const [side, lt] of [
      ['before', 'prev_trans_lt'],
      ['after', 'lt'],
    ] as const) {
      const [[compared, wrong] = []] = await ask(
        `SELECT count(), countIf(ifNull(v.account_state_code_hash_${side}, '') != s.code OR ifNull(v.account_state_balance_${side}, -1) != s.balance)
         FROM ${LAKE}.transactions AS v INNER JOIN ${states} AS s ON s.account = v.account AND s.lt = v.${lt}`,
      );
      expect([side, Number(compared) > 50, wrong]).toEqual([side, true, '0']);
    }
    const unknown = await ask(
      `SELECT countIf(end_status = 'nonexist' AND account_state_balance_after IS NULL) FROM ${LAKE}.transactions`,
    );
    expect(unknown).toEqual([['0']]);
  });

  it('have each name of an opcode once, with all digits', async () => {
    expect(
      await ask(
        `SELECT count() - uniqExact(opcode, name), countIf(length(opcode_hex) != 10) FROM ${LAKE}.opcodes`,
      ),
    ).toEqual([['0', '0']]);
  });

  it('read few rows for a date', async () => {
    const read = async (sql: string) => {
      const text = await store.client.queryText(`EXPLAIN ESTIMATE ${sql}`, { route: 'test' });
      return text
        .trim()
        .split('\n')
        .reduce((sum, line) => sum + Number(line.split('\t')[3] ?? 0), 0);
    };
    expect(await read(`SELECT count() FROM ${LAKE}.transactions`)).toBeGreaterThan(0);
    expect(await read(`SELECT count() FROM ${LAKE}.transactions WHERE block_date = '2001-01-01'`)).toBe(0);
  });

  it('follow the served version, and go back', async () => {
    const newer = versionDatabase(NETWORK, 'base', 2);
    await store.client.command(
      `INSERT INTO ${newer}.blocks SELECT * FROM ${store.database}.blocks WHERE mc_seqno <= 20`,
      { route: 'test' },
    );
    served = base(2, { first: 1, last: 20 });
    await keeper.refresh();
    expect(await lastSeqno()).toBe(20);
    expect(await ask(`SELECT count() FROM ${LAKE}.transactions`)).toEqual([['0']]);
    served = base(1, { first: 1, last: 40 });
    await keeper.refresh();
    expect(await lastSeqno()).toBe(40);
  });

  it('keep the range of their own version, also while views are replaced, and leave nothing that keeps a version from being pruned', async () => {
    const [[text = ''] = []] = await ask(
      `SELECT as_select FROM system.tables WHERE database = '${LAKE}' AND name = 'blocks'`,
    );
    const count = async () =>
      (await ask(`SELECT count(), min(mc_block_seqno), max(mc_block_seqno) FROM (${text})`))[0];
    const before = await count();
    expect(before?.[0]).not.toBe('0');
    served = base(2, { first: 1, last: 20 });
    await keeper.refresh();
    // A statement that began with the view of version 1 goes on with its range.
    expect(await count()).toEqual(before);
    served = base(1, { first: 1, last: 40 });
    await keeper.refresh();
    const helpers = `SELECT name FROM system.tables WHERE database = '${NETWORK}' AND startsWith(name, 'lake_') ORDER BY name`;
    expect((await ask(helpers)).flat()).toEqual(
      expect.arrayContaining(['lake_base_v1', 'lake_base_v2', 'lake_states_v1']),
    );
    await store.client.command(`DROP DATABASE ${versionDatabase(NETWORK, 'base', 2)} SYNC`, {
      route: 'test',
    });
    // The next switch drops what a pruned version left.
    await migrate(store.client, {
      network: NETWORK,
      projection: 'base',
      directory: 'clickhouse',
      epochSize: EPOCH_SIZE,
      version: 3,
    });
    served = base(3, { first: 1, last: 20 });
    await keeper.refresh();
    const left = (await ask(helpers)).flat();
    expect(left).toEqual(expect.arrayContaining(['lake_base_v1', 'lake_base_v3']));
    expect(left.filter((name) => String(name).endsWith('_v2'))).toEqual([]);
  });

  it('show what a version of an older release has, without what it lacks', async () => {
    const older = versionDatabase(NETWORK, 'base', 3);
    const run = (sql: string) => store.client.command(sql, { route: 'test' });
    for (const table of [
      'external_messages',
      'balances_by_time',
      'balance_days',
      'transaction_hours',
      'message_hours',
    ])
      for (const name of [`${table}_mv`, table]) await run(`DROP TABLE ${older}.${name} SYNC`);
    const names = async () => (await ask(`SELECT name FROM system.tables WHERE database = '${LAKE}'`)).flat();
    served = base(1, { first: 1, last: 40 });
    await keeper.refresh();
    expect(await names()).toContain('transactions_hourly');
    expect(await ask(`SELECT count() > 0 FROM ${LAKE}.balances_daily`)).toEqual([[1]]);
    served = base(3, { first: 1, last: 20 });
    await keeper.refresh();
    expect(await ask(`SELECT count() FROM ${LAKE}.messages`)).toEqual([['0']]);
    const left = await names();
    expect(left).toEqual(expect.arrayContaining(['messages', 'transactions', 'account_states']));
    expect(left.filter((name) => /ly$/.test(String(name)))).toEqual([]);
  });

  it('leave a database of others alone', async () => {
    await store.client.command("CREATE DATABASE taken_test COMMENT 'of others'", { route: 'test' });
    const other = new LakeKeeper({
      client: store.client,
      network: NETWORK,
      lake: 'taken_test',
      views: [],
      vector: () => OFF,
      access: { user: '', password: '' },
      confirming: () => ({ partitions: null, isIsolated: false, epochSize: 1 }),
    });
    await expect(other.refresh()).rejects.toThrow(/taken_test.*--lake-database/);
  });
});
