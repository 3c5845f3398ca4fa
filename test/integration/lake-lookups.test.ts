import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LakeKeeper } from '../../src/api/lake/lake-keeper.ts';
import type { VersionVector } from '../../src/api/version-vector.ts';
import { readLakeViews } from '../../src/cli/compose/lake.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { migrate } from '../../src/platform/clickhouse/migrations/migrate.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { baseVector, viewOf } from '../helpers/version-vector.ts';

const NETWORK = 'lookups_test';
const LAKE = 'lake_lookups_test';
const VISIBLE = { first: 1, last: 1_000_000 };
const ROWS = 60_000;
/** Rows of one master, collection and minute. */
const GROUP = 200;
const database = (name: string) => versionDatabase(NETWORK, name, 1);
const id = (text: string) => `toFixedString(unhex(hex(SHA256(concat('${text}', toString(k))))), 32)`;
const ids = (text: string, value: string) => id(text).replace('toString(k)', `toString(${value})`);
const rows = `(SELECT number + 1 AS k FROM numbers(${ROWS}))`;
const time = `1700000000 + k * 30`;

describe('look-ups through views of tokens', () => {
  let server: TestServer;

  const ask = async (sql: string) =>
    (await server.client.queryRows(sql.replaceAll('ton.', `${LAKE}.`), { route: 'test' })).rows;
  /** Rows that the store reads for a statement, and its answer. */
  const read = async (sql: string) => {
    const text = await server.client.queryText(`${sql.replaceAll('ton.', `${LAKE}.`)} FORMAT JSONCompact`, {
      route: 'test',
    });
    const { data, statistics } = JSON.parse(text) as {
      data: [[string]];
      statistics: { rows_read: number };
    };
    return { count: Number(data[0][0]), rows: statistics.rows_read };
  };

  beforeAll(async () => {
    server = await startTestServer();
    const parts = { network: NETWORK, directory: 'clickhouse', epochSize: 1_000_000, version: 1 };
    for (const projection of ['base', 'contracts', 'lake', 'detections'])
      await migrate(server.client, { ...parts, projection });
    const insert = (projection: string, table: string, columns: string, values: string) =>
      server.client.command(
        `INSERT INTO ${database(projection)}.land_${table} (mc_seqno, ${columns}) SELECT k, ${values} FROM ${rows}`,
        { route: 'test' },
      );
    const group = `intDiv(k, ${GROUP})`;
    await insert(
      'contracts',
      'token_transfers',
      'kind, workchain, account, lt, hash, now, has_parent, parent, amount, has_source, source, has_destination, destination',
      `'jetton_transfer', 0, ${ids('wallet', 'intDiv(k, 3)')}, k, ${id('hash')}, ${time}, 1, ${ids('master', group)}, 5, 1, ${id('source')}, 1, ${id('destination')}`,
    );
    await insert(
      'contracts',
      'token_states',
      'kind, is_first, account, lt, now',
      `'jetton_master', k = 1 OR k % ${GROUP} = 0, ${ids('master', group)}, k, ${time}`,
    );
    const text = (value: string) => `concat('0:', hex(${value}))`;
    await insert(
      'lake',
      'nft_events',
      'lt, time, tx_hash, trace_id, type, item, collection, owner, prev_owner',
      `k, ${time}, ${id('hash')}, ${id('trace')}, 'transfer', ${text(id('item'))}, ${text(ids('collection', group))}, ${text(id('owner'))}, ${text(id('previous'))}`,
    );
    const vector: VersionVector = {
      ...baseVector(database('base'), VISIBLE),
      contracts: viewOf(database('contracts'), VISIBLE),
      lake: viewOf(database('lake'), VISIBLE),
      detections: viewOf(database('detections'), VISIBLE),
    };
    const { user = 'default', password = '' } = server.connection;
    const keeper = new LakeKeeper({
      ...{ client: server.client, network: NETWORK, lake: LAKE, views: readLakeViews() },
      vector: () => vector,
      access: { user, password },
      confirming: () => ({ partitions: null, isIsolated: false, epochSize: 1_000_000 }),
    });
    await keeper.refresh();
  });
  afterAll(() => server?.stop());

  it.each([
    ['jetton_events', ['source', 'destination', 'jetton_wallet', 'jetton_master', 'tx_hash', 'block_date']],
    [
      'nft_events',
      ['nft_item_address', 'collection_address', 'owner_address', 'prev_owner', 'tx_hash', 'block_date'],
    ],
  ])('of %s read a small part of the rows for an address, a hash or a date', async (table, columns) => {
    const all = await read(`SELECT count() FROM ton.${table} WHERE NOT ignore(block_time)`);
    expect([table, all.count, all.rows >= ROWS]).toEqual([table, ROWS, true]);
    for (const column of columns) {
      const [[value] = []] = await ask(`SELECT any(${column}) FROM ton.${table}`);
      const some = await read(`SELECT count() FROM ton.${table} WHERE ${column} = '${value}'`);
      const [[count] = []] = await ask(
        `SELECT countIf(toString(${column}) = '${value}') FROM ton.${table} WHERE NOT ignore(block_time)`,
      );
      expect([column, some.count]).toEqual([column, Number(count)]);
      expect([column, some.count > 0 && some.rows < all.rows / 5]).toEqual([column, true]);
    }
  });

  it('of nft_transfers show items that their collection or get methods confirm, and single ones', async () => {
    const insert = (projection: string, table: string, columns: string, ...rows: readonly string[]) =>
      server.client.command(
        `INSERT INTO ${database(projection)}.land_${table} (mc_seqno, kind, ${columns}) VALUES ${rows.map((row) => `(1, ${row})`).join(', ')}`,
        { route: 'test' },
      );
    await insert(
      'contracts',
      'token_transfers',
      'account, lt, has_parent, parent, child_code, amount',
      "'nft_transfer', 'named', 1, true, 'collection', 'code', 3",
      "'nft_transfer', 'forged', 2, true, 'collection', 'another code', 4",
      "'nft_transfer', 'unknown', 3, false, '', 'code', 0",
      "'nft_transfer', 'single', 4, false, '', 'code', 0",
      "'nft_transfer', 'detected', 5, false, '', 'code', 0",
    );
    await insert(
      'contracts',
      'token_states',
      'account, lt, is_first, child_code',
      "'nft_collection', 'collection', 1, true, 'code'",
      "'nft_item', 'single', 1, true, 'code'",
    );
    await insert(
      'detections',
      'token_states',
      'account, lt, is_first, has_parent, parent, amount',
      "'nft_item', 'detected', 1, true, true, 'collection', 7",
    );
    const name = (column: string) => `replaceAll(unhex(substring(${column}, 3)), '\\0', '')`;
    expect(
      await ask(
        `SELECT ${name('nft_item_address')}, ifNull(${name('nft_collection_address')}, ''), nft_item_index FROM ton.nft_transfers ORDER BY tx_lt`,
      ),
    ).toEqual([
      ['named', 'collection', '3'],
      ['single', '', '0'],
      ['detected', 'collection', '7'],
    ]);
  });
});
