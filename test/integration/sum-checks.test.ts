import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACTIVITY } from '../../pipelines/activity.ts';
import { CONTRACTS } from '../../pipelines/contracts.ts';
import { LAKE } from '../../pipelines/projections.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { migrate } from '../../src/platform/clickhouse/migrations/migrate.ts';
import { ACTIVITY_SUMS } from '../../src/tables/sums/activity-sums.ts';
import { LAKE_SUMS } from '../../src/tables/sums/lake-sums.ts';
import { CONTRACT_SUMS } from '../../src/tables/sums/token-sums.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';

const NETWORK = 'sums_test';
const route = 'test';
const database = (name: string) => versionDatabase(NETWORK, name, 1);
/** The first step of the range is within a hundred, its last one ends a hundred in the second slice. */
const RANGE = { first: 19_950, last: 20_199 };
const STEPS = '[19940, 19960, 20001, 20050, 20150, 20250]';

/** Rows of each landing table that has sums: one a step. */
const ROWS: readonly (readonly [projection: string, table: string, columns: string, values: string])[] = [
  [
    'activity',
    'activity',
    'account, new_hours, new_days',
    'char(k), char(bitAnd(k, 255), intDiv(k, 256), 0, 0), char(bitAnd(k, 255), intDiv(k, 256), 0, 0)',
  ],
  ['contracts', 'token_transfers', 'kind, account, lt, now, amount', "'jetton_transfer', char(k), k, k, 5"],
  [
    'contracts',
    'token_states',
    'kind, account, lt, now, has_owner, has_parent, amount',
    "'jetton_wallet', char(k), k, k, 1, 1, 5",
  ],
  ['lake', 'trades', 'lt, time, pool, amount_sold, amount_bought', "k, k, 'P', 5, 6"],
  ['lake', 'nft_events', 'lt, time, type, item, price', "k, k, 'sale', 'I', 7"],
];

const PROJECTIONS = [
  [ACTIVITY, ACTIVITY_SUMS],
  [CONTRACTS, CONTRACT_SUMS],
  [LAKE, LAKE_SUMS],
] as const;

describe('verify of sums', () => {
  let server: TestServer;

  const problems = async (projection: (typeof PROJECTIONS)[number][0]) => {
    const checks = await projection.checks!({
      client: server.client,
      database: database(projection.name),
      input: database('base'),
      ranges: [RANGE],
      beginning: RANGE,
    });
    return new Map(checks.filter((one) => one.problems > 0).map(({ name, samples }) => [name, samples]));
  };
  const run = (sql: string) => server.client.command(sql, { route });

  beforeAll(async () => {
    server = await startTestServer();
    const parts = { network: NETWORK, directory: 'clickhouse', epochSize: 100_000, version: 1 };
    for (const projection of ['base', 'activity', 'contracts', 'lake'])
      await migrate(server.client, { ...parts, projection });
    for (const [projection, table, columns, values] of ROWS)
      await run(
        `INSERT INTO ${database(projection)}.land_${table} (mc_seqno, ${columns}) SELECT k, ${values} FROM (SELECT arrayJoin(${STEPS}) AS k)`,
      );
  });
  afterAll(() => server?.stop());

  const tables = PROJECTIONS.flatMap(([projection, sums]) =>
    sums.map((one) => [one.name, projection, one] as const),
  );

  it.each(tables)(
    'of %s names a damaged sum within the range, and none that may be in flight',
    async (table, projection, sums) => {
      const name = table.replaceAll('_', '-');
      const stored = `${database(projection.name)}.${table}`;
      expect((await problems(projection)).has(name)).toBe(false);
      const column = sums.sums[0]!.name;
      const damage = (steps: number, value: number) =>
        run(`INSERT INTO ${stored} (steps, ${column}) VALUES (${steps}, ${value})`);
      // Its steps are partly outside the range.
      await damage(199, 1);
      expect((await problems(projection)).has(name)).toBe(false);
      await damage(200, 3);
      await run(`DELETE FROM ${stored} WHERE steps = 201`);
      const found = (await problems(projection)).get(name)?.toSorted();
      expect(found).toHaveLength(2);
      expect(found![0]).toContain('steps at 20000, ');
      expect(found![1]).toContain('steps at 20100, ');
    },
  );

  it('of wallet_days names a wallet without the last balance of a day', async () => {
    expect((await problems(CONTRACTS)).has('contracts-days')).toBe(false);
    await run(`DELETE FROM ${database('contracts')}.wallet_days WHERE mc_seqno > 20000`);
    expect((await problems(CONTRACTS)).get('contracts-days')?.[0]).toContain('is not in wallet_days');
  });
});
