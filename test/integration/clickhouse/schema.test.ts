import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE } from '../../../pipelines/base.ts';
import { SCHEMA_FILE, schemaSql } from '../../../scripts/generate-schema-sql.ts';
import { getFencesTable } from '../../../src/engine/sink/fence.ts';
import { readRepairs } from '../../../src/engine/sink/repairs.ts';
import { createSink } from '../../../src/engine/sink/sink.ts';
import { countedTargets, landingTable } from '../../../src/engine/sink/sink-definition.ts';
import { STEP_ROWS } from '../../../src/engine/sink/step-rows.ts';
import { migrate } from '../../../src/platform/clickhouse/migrations/migrate.ts';
import { readTableSizes } from '../../../src/platform/clickhouse/table-sizes.ts';
import { BASE_TABLES } from '../../../src/tables/base-tables.ts';
import { BASE_SUMS } from '../../../src/tables/sums/base-sums.ts';
import { type Sums, sumKeys } from '../../../src/tables/sums/sums.ts';
import { startTestServer, type TestServer } from '../../helpers/clickhouse-server.ts';
import { nativeColumn, nativeTable, type Value } from '../../helpers/native-values.ts';
import { random, TestJournal } from './sink-fixture.ts';

const root = join(import.meta.dirname, '../../..');
const database = 'test_schema_base_v1';
const route = 'test/schema';

let store: TestServer;
beforeAll(async () => {
  store = await startTestServer();
  const options = { network: 'test_schema', projection: 'base', version: 1, epochSize: 100 };
  await migrate(store.client, { ...options, directory: join(root, 'clickhouse') });
});
afterAll(() => store?.stop());

/** Columns of a table by name, with their types. */
async function columnsOf(table: string): Promise<Record<string, string>> {
  const { rows } = await store.client.queryRows<[string, string]>(
    'SELECT name, type FROM system.columns WHERE database = {database:String} AND table = {table:String} ORDER BY position',
    { route, params: { database, table } },
  );
  return Object.fromEntries(rows);
}

const next = random(7);
const below = (limit: number) => Math.floor(next() * limit);

function randomValue(type: string): Value {
  const inner = /^Nullable\((.+)\)$/.exec(type)?.[1];
  if (inner) return below(2) === 0 ? null : randomValue(inner);
  if (type === 'Bool') return below(2) === 1;
  if (type === 'String') return 'x'.repeat(below(50));
  if (type.startsWith('FixedString')) return Uint8Array.from({ length: 32 }, () => below(256));
  if (type.startsWith('Map')) return new Map(below(2) === 0 ? [] : [[below(9), BigInt(below(1000))]]);
  const members = [...type.matchAll(/= (-?\d+)/g)];
  if (type.startsWith('Enum8')) return Number(members[below(members.length)]?.[1]);
  return below(100);
}

/** A batch of random rows of every landing table. */
function randomBatch(rows: number) {
  const tables = Object.entries<Record<string, string>>(BASE_TABLES).map(([name, columns]) => {
    const made = Object.entries(columns).map(([column, type]) => {
      const make = (i: number) => (column === 'mc_seqno' ? 250 + (i % 10) : randomValue(type));
      return nativeColumn(
        column,
        type,
        Array.from({ length: rows }, (_, i) => make(i)),
      );
    });
    return nativeTable(name, made, rows);
  });
  return { lane: 2, epoch: 2, from: 0, next: 10, firstPosition: 250, lastPosition: 259, tables };
}

/** Count and checksum of a table of sums. */
function checksum(sums: Sums): string {
  const totals = sums.sums.map(({ name }) => `sum(${name}) AS sum_${name}`);
  const isLeft = sums.sums.map(({ name }) => `sum_${name} != 0`).join(' OR ');
  return `UNION ALL SELECT '${sums.name}', count(), sum(cityHash64(*)) FROM
    (SELECT ${sumKeys(sums).join(', ')}, steps, ${totals.join(', ')} FROM ${database}.${sums.name} GROUP BY ${sumKeys(sums).join(', ')}, steps HAVING ${isLeft})`;
}

/** Count and checksum of the derived targets, whatever has been merged. */
async function derivedContents(): Promise<unknown> {
  const { rows } = await store.client.queryRows(
    `SELECT 'latest', count(), sum(cityHash64(*)) FROM ${database}.accounts_latest FINAL
     UNION ALL
     SELECT 'ranked', count(), sum(cityHash64(*)) FROM
     (
         SELECT balance, account, workchain, lt, sum(net) AS total FROM ${database}.balances_ranked
         GROUP BY ALL HAVING total != 0
     )
     UNION ALL
     SELECT 'days', count(), sum(cityHash64(*)) FROM ${database}.balance_days FINAL
     ${BASE_SUMS.map(checksum).join('\n')}`,
    { route },
  );
  return [...rows].sort();
}

describe('the schema of base', () => {
  it('is what clickhouse/schema.sql shows, with comments on all tables and columns (else: node scripts/generate-schema-sql.ts)', async () => {
    expect(await schemaSql(store.client)).toBe(readFileSync(SCHEMA_FILE, 'utf8'));
    const { rows } = await store.client.queryRows<[string, string]>(
      `SELECT concat(c.database, '.', c.table), c.name FROM system.columns AS c
       INNER JOIN system.tables AS t ON t.database = c.database AND t.name = c.table
       WHERE c.database LIKE '%schemapicture%' AND t.engine != 'MaterializedView' AND (c.comment = '' OR t.comment = '')`,
      { route },
    );
    expect(rows).toEqual([]);
  });

  it.each(Object.entries<Record<string, string>>(BASE_TABLES))(
    'lands %s with the columns that decoding yields',
    async (table, columns) => {
      expect(await columnsOf(landingTable(table))).toEqual(columns);
    },
  );

  it('has every landing table in the definition of the sink, and a position in every counted target', async () => {
    expect(BASE.sink.landings.map(({ landing }) => landing).sort()).toEqual(
      [...Object.keys(BASE_TABLES), STEP_ROWS].sort(),
    );
    for (const { table } of countedTargets(BASE.sink)) {
      expect(await columnsOf(table), table).toHaveProperty('mc_seqno');
    }
  });

  it('has no target that the definition leaves out', async () => {
    const { rows } = await store.client.queryRows<[string]>(
      "SELECT name FROM system.tables WHERE database = {database:String} AND engine LIKE '%MergeTree' AND name != 'confirmed'",
      { route, params: { database } },
    );
    const known = [...countedTargets(BASE.sink), ...BASE.sink.derived].map(({ table }) => table);
    expect(rows.map(([name]) => name).sort()).toEqual(known.sort());
  });

  it('accepts batches by the definition, and recovers them', async () => {
    const repairs = readRepairs(BASE.sink, root);
    const sink = createSink({
      client: store.client,
      database,
      fences: getFencesTable('test_schema'),
      group: 'decode',
      definition: BASE.sink,
      repairs,
    });
    const journal = new TestJournal();
    const batch = randomBatch(500);
    const never = new AbortController().signal;
    await sink.write(batch, journal, never);
    expect(journal.confirmed.map((entry) => entry.attempt)).toEqual([1]);
    expect(await sink.verify(journal.confirmed[0]!, never)).toEqual([]);
    const sizes = await readTableSizes(store.client, database);
    expect(sizes.find(({ table }) => table === 'transactions')?.bytesOnDisk).toBeGreaterThan(0n);
    expect(sizes.find(({ table }) => table === 'raw_blocks')?.rows).toBe(500n);

    const undisturbed = await derivedContents();
    await store.client.command(`DELETE FROM ${database}.transactions WHERE mc_seqno = 255`, { route });
    await sink.recover(journal.confirmed[0]!, journal, async () => batch, never);
    expect(journal.confirmed.map((entry) => entry.attempt)).toEqual([1, 2]);
    expect(await derivedContents()).toEqual(undisturbed);

    await store.client.command(`TRUNCATE TABLE ${database}.accounts_latest`, { route });
    await store.client.command(`DELETE FROM ${database}.balances_ranked WHERE balance % 2 = 0`, { route });
    await store.client.command(`TRUNCATE TABLE ${database}.balance_days`, { route });
    for (const { name, by } of BASE_SUMS) {
      await store.client.command(
        `DELETE FROM ${database}.${name} WHERE cityHash64(${by.map((one) => one.name).join(', ')}) % 2 = 0`,
        { route },
      );
      await store.client.command(
        `INSERT INTO ${database}.${name} SELECT * FROM ${database}.${name} LIMIT 3`,
        {
          route,
        },
      );
    }
    const whole = journal.confirmed[1]!;
    await sink.recover(whole, journal, () => expect.fail('nothing is to be rebuilt'), never);
    expect(await derivedContents()).toEqual(undisturbed);
  });
});
