import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXCHANGE_CONTRACTS, TONS } from '../../src/api/lake/exchange-contracts.ts';
import { LakeKeeper } from '../../src/api/lake/lake-keeper.ts';
import type { VersionVector } from '../../src/api/version-vector.ts';
import { readLakeViews } from '../../src/cli/compose/lake.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { migrate } from '../../src/platform/clickhouse/migrations/migrate.ts';
import { TRADE_HOURS } from '../../src/tables/sums/lake-sums.ts';
import { sumDifferences } from '../../src/tables/sums/sum-differences.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { baseVector, viewOf } from '../helpers/version-vector.ts';

const NETWORK = 'mainnet';
const VISIBLE = { first: 1, last: 1_000_000 };
const LAKE = 'ton_test';
const base = versionDatabase(NETWORK, 'base', 1);
const contracts = versionDatabase(NETWORK, 'contracts', 1);
const rows = versionDatabase(NETWORK, 'lake', 1);
const [TON = ''] = TONS;
const USDT = '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE';
const { routers, vaults, factories, walletCodes } = EXCHANGE_CONTRACTS.mainnet!;
const address = (digit: string) => `0:${digit.repeat(64)}`;

/** A trade with the columns that a test needs. */
interface Row {
  readonly project?: string;
  readonly version?: number;
  readonly pool: string;
  readonly payer?: string;
  readonly router?: string;
  readonly sold: string;
  readonly bought: string;
  readonly in: number;
  readonly out: number;
  readonly time?: number;
}

describe('trades of published exchanges', () => {
  let server: TestServer;
  let lt = 0;

  const add = async (...list: readonly Row[]) => {
    for (const row of list) {
      lt += 1;
      const { project = 'dedust', version = 2, payer = '', router = '', time = 1_764_000_000 } = row;
      await server.client.command(
        `INSERT INTO ${rows}.land_trades (mc_seqno, lt, time, tx_hash, trace_id, project, version, trader, pool, payer, router, sold, bought, amount_sold, amount_bought)
         VALUES (1, ${lt}, ${time}, '${lt}', '', '${project}', ${version}, '${address('7')}', '${row.pool}', '${payer}', '${router}', '${row.sold}', '${row.bought}', ${row.in}, ${row.out})`,
        { route: 'test' },
      );
    }
  };
  const ask = async (sql: string) =>
    (await server.client.queryRows(sql.replaceAll('ton.', `${LAKE}.`), { route: 'test' })).rows;
  /** Rows that the store reads for a statement. */
  const rowsRead = async (sql: string) => {
    const text = await server.client.queryText(`${sql.replaceAll('ton.', `${LAKE}.`)} FORMAT JSON`, {
      route: 'test',
    });
    return (JSON.parse(text) as { statistics: { rows_read: number } }).statistics.rows_read;
  };

  /** Creates the views over served versions. */
  const keep = async (served: Pick<VersionVector, 'lake'>) => {
    const vector: VersionVector = {
      ...baseVector(base, VISIBLE),
      contracts: viewOf(contracts, VISIBLE),
      ...served,
    };
    const { user = 'default', password = '' } = server.connection;
    const keeper = new LakeKeeper({
      client: server.client,
      network: NETWORK,
      lake: LAKE,
      views: readLakeViews(),
      vector: () => vector,
      access: { user, password },
      confirming: () => ({ partitions: null, isIsolated: false, epochSize: 1_000 }),
    });
    await keeper.refresh();
  };

  beforeAll(async () => {
    server = await startTestServer();
    const parts = { network: NETWORK, directory: 'clickhouse', epochSize: 1_000, version: 1 };
    for (const projection of ['base', 'contracts', 'lake'])
      await migrate(server.client, { ...parts, projection });
    await keep({ lake: viewOf(rows, VISIBLE) });
  });
  afterAll(() => server?.stop());

  it('count only if the pool is known: by its router, by a vault of the project, or by a vault that paid for a known pool', async () => {
    const [nativeVault = ''] = vaults.dedust!;
    const [jettonVault, forgedVault] = [address('A'), address('B')];
    const jetton = address('5');
    await add(
      // The vault of TON paid for it, so its jetton vault is known, too.
      { pool: address('1'), sold: jetton, bought: TON, in: 10, out: 20, payer: nativeVault },
      { pool: address('1'), sold: TON, bought: jetton, in: 20, out: 10, payer: jettonVault },
      // A pool without TON.
      { pool: address('2'), sold: address('6'), bought: jetton, in: 10, out: 20, payer: jettonVault },
      { pool: address('3'), sold: TON, bought: jetton, in: 10, out: 20, payer: forgedVault },
      {
        project: 'ston.fi',
        pool: address('4'),
        sold: TON,
        bought: jetton,
        in: 10,
        out: 20,
        router: routers['ston.fi 2']![0]!,
      },
      {
        project: 'ston.fi',
        pool: address('C'),
        sold: TON,
        bought: jetton,
        in: 10,
        out: 20,
        router: address('D'),
      },
      // A router of version 2 proves nothing for version 1, nor a vault of dedust for coffee.
      {
        project: 'ston.fi',
        version: 1,
        pool: address('E'),
        sold: TON,
        bought: jetton,
        in: 10,
        out: 20,
        router: routers['ston.fi 2']![0]!,
      },
      {
        project: 'coffee',
        version: 1,
        pool: address('F'),
        sold: jetton,
        bought: TON,
        in: 10,
        out: 20,
        payer: nativeVault,
      },
    );
    const known = await ask('SELECT pool_address FROM ton.dex_trades ORDER BY pool_address');
    expect(known.flat()).toEqual([address('1'), address('1'), address('2'), address('4')]);
    expect((await ask('SELECT DISTINCT pool FROM ton.dex_pools ORDER BY pool')).length).toBe(3);
  });

  it('have values by the side in TON, by a dollar token, and by the price of the day', async () => {
    await server.client.command(`TRUNCATE TABLE ${rows}.trades`, { route: 'test' });
    const stonfi = { project: 'ston.fi', router: routers['ston.fi 2']![0]!, pool: address('4') };
    const [jetton, other] = [address('5'), address('6')];
    await add(
      { ...stonfi, sold: TON, bought: USDT, in: 2_000_000_000, out: 6_000_000 },
      { ...stonfi, sold: jetton, bought: TON, in: 1_000, out: 4_000_000_000 },
      { ...stonfi, sold: jetton, bought: other, in: 500, out: 9 },
      { ...stonfi, sold: other, bought: address('8'), in: 9, out: 9 },
      // Another day has other prices.
      { ...stonfi, sold: jetton, bought: TON, in: 1_000, out: 8_000_000_000, time: 1_764_100_000 },
    );
    expect(
      await ask(
        'SELECT toString(volume_ton), toString(volume_usd) FROM ton.dex_trades ORDER BY event_time, amount_bought_raw DESC, amount_sold_raw DESC',
      ),
    ).toEqual([
      ['4', null],
      ['2', '6'],
      ['2', null],
      [null, null],
      ['8', null],
    ]);
    const prices = await ask(
      `SELECT token_address, round(price_ton, 12), round(price_usd, 15) FROM ton.prices_daily WHERE block_date = '2025-11-24' AND token_address IN ('${TON}', '${USDT}', '${jetton}') ORDER BY token_address`,
    );
    expect(prices).toEqual([
      [TON, 1e-9, 3e-9],
      [jetton, 0.004, 0.012],
      [USDT, expect.closeTo(2 / 6_000_000, 9), 1e-6],
    ]);
  });

  it('of launchpads count if the master is known: by its wallets, by its deployer, or by its code', async () => {
    for (const table of ['trades', 'trade_hours'])
      await server.client.command(`TRUNCATE TABLE ${rows}.${table}`, { route: 'test' });
    const [blum, other, deployed, coded] = ['1', '2', '3', '4'].map(address) as [
      string,
      string,
      string,
      string,
    ];
    const [code] = walletCodes.blum!;
    const [deployer = ''] = factories['ton.fun']!;
    const id = (raw: string) => `unhex('${raw.slice(2)}')`;
    await server.client.command(
      `INSERT INTO ${contracts}.land_token_states (mc_seqno, account, kind, is_first, child_code) VALUES (1, ${id(blum)}, 'jetton_master', true, unhex('${code}'))`,
      { route: 'test' },
    );
    await server.client.command(
      `INSERT INTO ${base}.land_messages (mc_seqno, side, listed, created_lt, hash, source_kind, source, destination_kind, destination) VALUES (1, 'out', true, 5, ${id(deployed)}, 'std', ${id(deployer)}, 'std', ${id(deployed)})`,
      { route: 'test' },
    );
    const buy = { version: 1, sold: TON, in: 3_000_000_000, out: 50 };
    await add(
      { ...buy, project: 'blum', pool: blum, bought: blum },
      { project: 'blum', version: 1, pool: blum, sold: '', bought: '', in: 0, out: 0 },
      { ...buy, project: 'blum', pool: other, bought: other },
      { ...buy, project: 'memeslab', pool: blum, bought: blum },
      { ...buy, project: 'ton.fun', pool: deployed, bought: deployed },
      { ...buy, project: 'ton.fun', pool: other, bought: other },
      { ...buy, project: 'gaspump', pool: coded, bought: coded },
    );
    const trade = ['trade', TON, '3000000000', '50', '3'];
    expect(
      await ask(
        `SELECT project, project_type, pool_address, event_type, token_sold_address, toString(amount_sold_raw), toString(amount_bought_raw), toString(volume_ton)
         FROM ton.dex_trades ORDER BY project, event_type DESC`,
      ),
    ).toEqual([
      ['blum', 'launchpad', blum, ...trade],
      ['blum', 'launchpad', blum, 'launch', null, null, null, null],
      ['gaspump', 'launchpad', coded, ...trade],
      ['ton.fun', 'launchpad', deployed, ...trade],
    ]);
    expect(
      await ask(
        "SELECT project, trades FROM ton.dex_volume_hourly WHERE project IN ('blum', 'gaspump') ORDER BY project",
      ),
    ).toEqual([
      ['blum', '1'],
      ['gaspump', '1'],
    ]);
    expect(await ask('SELECT count() FROM ton.dex_pools')).toEqual([['0']]);
    const verified = await server.client.queryRows(sumDifferences(TRADE_HOURS), {
      route: 'test',
      params: { db: rows, first: 0, last: 99 },
    });
    expect(verified.rows).toEqual([]);
    expect(
      await ask(`SELECT round(price_ton, 3) FROM ton.prices_daily WHERE token_address = '${blum}'`),
    ).toEqual([[0.06]]);
  });

  it('are read by date, address and hash without the others', async () => {
    const count = 400_000;
    await server.client.command(
      `INSERT INTO ${rows}.land_trades (mc_seqno, lt, time, tx_hash, trace_id, project, version, trader, pool, router, sold, bought, amount_sold, amount_bought)
       SELECT 1, 1000 + number, 1700000000 + 100 * number, unhex(hex(cityHash64(number))), unhex(hex(cityHash64(number, 1))), 'ston.fi', 2, concat('0:', hex(cityHash64(number, 2))),
         concat('0:', hex(cityHash64(intDiv(number, 1000)))), '${routers['ston.fi 2']![0]}', '${TON}', concat('0:', hex(cityHash64(intDiv(number, 2000), 3))), 1, 1
       FROM numbers(${count})`,
      { route: 'test' },
    );
    await server.client.command(`OPTIMIZE TABLE ${rows}.trades FINAL`, { route: 'test' });
    const [[hash, trader, pool, date, bought, trace] = []] = await ask(
      'SELECT tx_hash, trader_address, pool_address, block_date, token_bought_address, trace_id FROM ton.dex_trades ORDER BY event_time LIMIT 1 OFFSET 200000',
    );
    expect(await rowsRead('SELECT count() FROM ton.dex_trades')).toBeGreaterThan(count);
    for (const condition of [
      `block_date = '${date}'`,
      `tx_hash = '${hash}'`,
      `trader_address = '${trader}'`,
      `pool_address = '${pool}'`,
      `token_bought_address = '${bought}'`,
      `trace_id = '${trace}'`,
    ]) {
      const statement = `SELECT count(), any(volume_ton) FROM ton.dex_trades WHERE ${condition}`;
      expect((await ask(statement)).flat()[0]).not.toBe('0');
      expect([condition, (await rowsRead(statement)) < count / 10]).toEqual([condition, true]);
    }
    expect(await rowsRead(`SELECT * FROM ton.dex_pools WHERE pool = '${pool}'`)).toBeLessThan(count / 10);
    expect(await rowsRead(`SELECT * FROM ton.prices_daily WHERE block_date = '${date}'`)).toBeLessThan(
      count / 10,
    );
  });

  it('of a version without platform tags have none, and no launches', async () => {
    const older = versionDatabase(NETWORK, 'lake', 2);
    const parts = { network: NETWORK, directory: 'clickhouse', epochSize: 1_000, version: 2 };
    await migrate(server.client, { ...parts, projection: 'lake' });
    await server.client.command(`ALTER TABLE ${older}.trades DROP COLUMN platform_tag`, { route: 'test' });
    await server.client.command(
      `INSERT INTO ${older}.trades (mc_seqno, lt, time, project, version, pool, sold, bought, amount_sold) VALUES
       (1, 1, 1764000000, 'gaspump', 1, '${address('1')}', '${TON}', '${address('1')}', 5), (1, 2, 1764000000, 'gaspump', 1, '${address('1')}', '', '', 0)`,
      { route: 'test' },
    );
    await keep({ lake: viewOf(older, VISIBLE) });
    expect(
      await ask('SELECT event_type, toString(amount_sold_raw), platform_tag FROM ton.dex_trades'),
    ).toEqual([['trade', '5', null]]);
  });
});
