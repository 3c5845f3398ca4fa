import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECTIONS } from '../../../pipelines/projections.ts';
import type { TableProjection } from '../../../src/engine/projection/projection.ts';
import { readRepairs } from '../../../src/engine/sink/repairs.ts';
import { landingTable } from '../../../src/engine/sink/sink-definition.ts';
import { STEP_ROWS } from '../../../src/engine/sink/step-rows.ts';
import { migrate } from '../../../src/platform/clickhouse/migrations/migrate.ts';
import { startTestServer, type TestServer } from '../../helpers/clickhouse-server.ts';

const root = join(import.meta.dirname, '../../..');
const route = 'test/derived-repairs';

let store: TestServer;
beforeAll(async () => {
  store = await startTestServer();
});
afterAll(() => store?.stop());

/** Columns whose views read the value, and some values that they understand. */
const VALUES: Readonly<Record<string, string>> = {
  mc_seqno: 'toUInt32(rowNumberInAllBlocks() % 200)',
  reason: "['', 'no such method', 'not known: a cell'][1 + rowNumberInAllBlocks() % 3]",
  keys: `'[["signer",0,"${'a5'.repeat(32)}"]]'`,
};

/** Puts random rows into a landing table. */
async function fill(database: string, landing: string): Promise<void> {
  const { rows } = await store.client.queryRows<[string, string]>(
    'SELECT name, type FROM system.columns WHERE database = {database:String} AND table = {table:String} ORDER BY position',
    { route, params: { database, table: landingTable(landing) } },
  );
  const structure = rows.map(([name, type]) => `${name} ${type}`).join(', ');
  const columns = rows.map(([name]) => (VALUES[name] ? `${VALUES[name]} AS ${name}` : name)).join(', ');
  await store.client.command(
    `INSERT INTO ${database}.${landingTable(landing)} SELECT ${columns} FROM generateRandom({structure:String}, 7, 20) LIMIT 300`,
    { route, params: { structure } },
  );
}

async function contents(database: string, table: string): Promise<readonly unknown[]> {
  const { rows } = await store.client.queryRows(`SELECT * FROM ${database}.${table} FINAL ORDER BY ALL`, {
    route,
  });
  return rows;
}

/** Repairs that derive rows again; a table without statements is not repaired. */
const listRepairs = ({ sink }: TableProjection) =>
  readRepairs(sink, root).filter((one) => 'statements' in one && one.statements.length > 0);

describe.each(PROJECTIONS.filter((projection) => listRepairs(projection).length > 0))(
  'merged tables of $name',
  (projection) => {
    const { name, sink, version } = projection;
    const database = `test_derived_${name}_v${version}`;
    beforeAll(async () => {
      const options = { network: 'test_derived', projection: name, version, epochSize: 100 };
      await migrate(store.client, { ...options, directory: join(root, 'clickhouse') });
      for (const { landing } of sink.landings) if (landing !== STEP_ROWS) await fill(database, landing);
    });

    it.each(listRepairs(projection))(
      '$table has the rows of its view after a repair',
      async ({ table, ...repair }) => {
        const statements = 'statements' in repair ? repair.statements : [];
        const undisturbed = await contents(database, table);
        expect(undisturbed.length).toBeGreaterThan(0);
        await store.client.command(`TRUNCATE TABLE ${database}.${table}`, { route });
        const params = { db: database, first: 0, last: 2 ** 32 - 1 };
        // A repair may run twice.
        for (const statement of [...statements, ...statements])
          await store.client.command(statement, { route, params });
        expect(await contents(database, table)).toEqual(undisturbed);
      },
    );
  },
);
