import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LakeKeeper } from '../../src/api/lake/lake-keeper.ts';
import type { VersionVector } from '../../src/api/version-vector.ts';
import { readLakeViews } from '../../src/cli/compose/lake.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { migrate } from '../../src/platform/clickhouse/migrations/migrate.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { baseVector, viewOf } from '../helpers/version-vector.ts';

/* Rows of the lake of contracts that get methods identify, from hand-made rows of the projections. */

const NETWORK = 'lake_detected_test';
const LAKE = 'lake_detected_views';
const VISIBLE = { first: 1, last: 100 };
const TIME = 1_700_000_000;
const database = (name: string) => versionDatabase(NETWORK, name, 1);

describe('contracts that get methods identify', () => {
  let server: TestServer;

  const ask = async (sql: string) =>
    (await server.client.queryRows(sql.replaceAll('ton.', `${LAKE}.`), { route: 'test' })).rows;
  const insert = (projection: string, table: string, columns: string, ...rows: readonly string[]) =>
    server.client.command(
      `INSERT INTO ${database(projection)}.land_${table} (mc_seqno, ${columns}) VALUES ${rows.map((row) => `(${row})`).join(', ')}`,
      { route: 'test' },
    );
  /** The short text that an account has as its id. */
  const name = (column: string) => `replaceAll(unhex(substring(assumeNotNull(${column}), 3)), '\\0', '')`;

  beforeAll(async () => {
    server = await startTestServer();
    const parts = { network: NETWORK, directory: 'clickhouse', epochSize: 1_000, version: 1 };
    for (const projection of ['base', 'contracts', 'lake', 'detections'])
      await migrate(server.client, { ...parts, projection });
    const accounts = ['known', 'detected', 'both', 'changed', 'linked', 'sale', 'auction', 'refused'];
    await insert(
      'base',
      'transactions',
      'account, lt, now',
      ...accounts.map((account, place) => `${place + 1}, '${account}', ${place + 1}, ${TIME + place}`),
    );
    await insert(
      'contracts',
      'token_states',
      'kind, account, lt, is_gone, flag, has_parent, parent, content, link',
      "1, 'nft_item', 'known', 1, false, true, false, '', '{}', ''",
      "3, 'nft_item', 'both', 3, false, true, true, 'collection', '{}', ''",
      "4, 'nft_item', 'changed', 4, true, true, false, '', '', ''",
      `5, 'nft_item', 'linked', 5, false, true, true, 'prefixed', '{"uri":"7.json"}', '7.json'`,
      "1, 'nft_collection', 'prefixed', 1, false, true, false, '', '{}', 'https://example.org/'",
    );
    // Outcomes are recorded in a later step than that of the state.
    await insert(
      'detections',
      'token_states',
      'kind, account, lt, is_gone, flag, has_parent, parent, content',
      `9, 'nft_item', 'detected', 2, false, true, true, 'collection', '{"name":"Two"}'`,
      "9, 'nft_item', 'both', 3, false, true, true, 'collection', '{}'",
      "9, 'nft_item', 'changed', 4, false, true, false, '', '{}'",
      "9, 'nft_item', 'before', 90, false, true, false, '', '{}'",
    );
    const sale = '{"full_price":"7","is_complete":true,"marketplace_address":"0:AA","created_at":5}';
    const auction = '{"last_bid":"8","last_member":"0:BB","end_flag":false,"is_canceled":false}';
    const order =
      '{"order_seqno":"1","signers":[],"order_boc":"","threshold":2,"approvals_num":1,"approvals_mask":"1","expiration_date":9,"sent_for_execution":false}';
    await insert(
      'detections',
      'contract_outcomes',
      'state_seqno, kind, account, lt, reason, has_parent, parent, details',
      `9, 6, 'nft_sale', 'sale', 6, '', true, 'known', '${sale}'`,
      `10, 6, 'nft_sale', 'sale', 6, '', true, 'known', '${sale}'`,
      `9, 7, 'nft_auction', 'auction', 7, '', true, 'both', '${auction}'`,
      `9, 8, 'nft_sale', 'refused', 8, 'another sale', false, '', '{}'`,
      `9, 8, 'multisig_order', 'found', 8, '', true, 'multisig', '${order}'`,
      `9, 8, 'multisig_order', 'other', 8, 'another code', false, '', '{}'`,
      `9, 8, 'dns_item', 'name', 8, '', true, 'names', '{"domain":"found.ton","dns_wallet":"0:CC"}'`,
    );
    await insert(
      'contracts',
      'contract_states',
      'kind, account, lt, has_parent, parent, child_code, domain, details',
      "1, 'multisig', 'multisig', 1, false, '', 'code', '', '{}'",
      `2, 'multisig_order', 'own', 2, true, 'multisig', 'code', '', '${order}'`,
      `2, 'multisig_order', 'forged', 2, true, 'multisig', 'another code', '', '${order}'`,
      "2, 'dns_item', 'known', 2, true, 'names', '', 'known.ton', '{}'",
    );
    await server.client.command(
      `INSERT INTO ${NETWORK}.token_contents (link_hash, link, content, failures, next_at) VALUES (SHA256('https://example.org/7.json'), 'https://example.org/7.json', '{"name":"Seven"}', 0, 1)`,
      { route: 'test' },
    );
    const vector: VersionVector = {
      ...baseVector(database('base'), VISIBLE),
      contracts: viewOf(database('contracts'), VISIBLE),
      detections: viewOf(database('detections'), VISIBLE),
    };
    const { user = 'default', password = '' } = server.connection;
    const keeper = new LakeKeeper({
      ...{ client: server.client, network: NETWORK, lake: LAKE, views: readLakeViews() },
      vector: () => vector,
      access: { user, password },
      confirming: () => ({ partitions: null, isIsolated: false, epochSize: 1_000 }),
    });
    await keeper.refresh();
  });
  afterAll(() => server?.stop());

  it('are items, each state once, with the time of its transaction', async () => {
    const rows = await ask(
      `SELECT ${name('address')}, toUInt32(lt), toUInt32(timestamp - ${TIME}), ifNull(${name("ifNull(collection_address, '0:')")}, '') FROM ton.nft_items ORDER BY lt`,
    );
    expect(rows).toEqual([
      ['known', 1, 0, ''],
      ['detected', 2, 1, 'collection'],
      ['both', 3, 2, 'collection'],
      ['changed', 4, 3, ''],
      ['linked', 5, 4, 'prefixed'],
    ]);
  });

  it('have metadata, also from the document that a link of a collection and its item names', async () => {
    const rows = await ask(
      `SELECT ${name('address')} AS one, name, metadata_status FROM ton.nft_metadata WHERE name IS NOT NULL ORDER BY one`,
    );
    expect(rows).toEqual([
      ['detected', 'Two', 0],
      ['linked', 'Seven', 1],
    ]);
  });

  it('are sales and auctions, each state once', async () => {
    const rows = await ask(
      `SELECT ${name('address')}, type, ${name('nft_address')}, toString(price), is_complete, is_canceled, last_member, toUInt32(timestamp - ${TIME}) FROM ton.nft_sales ORDER BY lt`,
    );
    expect(rows).toEqual([
      ['sale', 'sale', 'known', '7', true, null, null, 5],
      ['auction', 'auction', 'both', '8', false, false, '0:BB', 6],
    ]);
  });

  it('are orders of multisigs, which a multisig confirms, and names', async () => {
    const orders = await ask(
      `SELECT ${name('address')} AS one, ${name('multisig_address')} FROM ton.multisig_orders ORDER BY one`,
    );
    expect(orders).toEqual([
      ['found', 'multisig'],
      ['own', 'multisig'],
    ]);
    expect(await ask('SELECT domain, dns_wallet FROM ton.dns_records ORDER BY domain')).toEqual([
      ['found.ton', '0:CC'],
      ['known.ton', null],
    ]);
  });
});
