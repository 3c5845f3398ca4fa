import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Batch, BatchJournal } from '../../../src/engine/sink/batch.ts';
import { gateLandings } from '../../../src/engine/sink/gate.ts';
import { type Repair, readRepairs } from '../../../src/engine/sink/repairs.ts';
import type { SinkDefinition } from '../../../src/engine/sink/sink-definition.ts';
import type { JournalEntry } from '../../../src/log/port.ts';
import type { StoreClient } from '../../../src/platform/clickhouse/client.ts';
import { expandMacros } from '../../../src/platform/clickhouse/migrations/macros.ts';
import { splitStatements } from '../../../src/platform/clickhouse/migrations/sql-statements.ts';
import { testDatabaseGuard } from '../../helpers/clickhouse-server.ts';
import { nativeColumn, nativeTable } from '../../helpers/native-values.ts';

const route = 'test/sink';

/** Two landing tables; the first fans out to three counted targets and one that merges rows. */
export const DEFINITION: SinkDefinition = {
  landings: [
    {
      landing: 'items',
      counted: [
        { table: 'items', shard: '0' },
        { table: 'items_marked', shard: '0', where: { column: 'marked', equals: 1 } },
        { table: 'items_noted', shard: '0', where: { column: 'note', notNull: true } },
        { table: 'item_ends', shard: '0', rowsPerRow: 2 },
      ],
    },
    { landing: 'steps', counted: [{ table: 'steps', shard: '0' }] },
  ],
  derived: [
    { table: 'latest', shard: '0', repair: 'latest.sql' },
    { table: 'sums', shard: '0', corrections: 'sums.sql' },
  ],
};

const REPAIRS = {
  'latest.sql':
    'INSERT INTO {db:Identifier}.latest SELECT key, mc_seqno, value FROM {db:Identifier}.items WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32};',
  'sums.sql': `-- What the sums of the touched keys should be, less what they are; and a ; in a comment
    SELECT key, sum(v) AS value FROM
    (
      SELECT key, toInt64(value) AS v FROM {db:Identifier}.items
      UNION ALL SELECT key, -value FROM {db:Identifier}.sums
    )
    WHERE key IN (SELECT key FROM {db:Identifier}.items WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32})
    GROUP BY key HAVING value != 0;`,
};

export function fixtureRepairs(): Repair[] {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-repairs-'));
  try {
    for (const [file, text] of Object.entries(REPAIRS)) writeFileSync(join(folder, file), text);
    return readRepairs(DEFINITION, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const COLUMNS = 'mc_seqno UInt32, key UInt32, value UInt32, marked Bool, note Nullable(UInt32), text String';

const view = (db: string, target: string, select: string) =>
  `CREATE MATERIALIZED VIEW ${db}.${target}_mv TO ${db}.${target} AS ${select}`;

/** The statements that make the fixture in a database, on one server. */
export function schema(db: string): string[] {
  const table = (name: string, columns: string, engine: string) =>
    `CREATE TABLE ${db}.${name} (${columns}) ENGINE = ${engine}`;
  return [
    `DROP DATABASE IF EXISTS ${db}`,
    `CREATE DATABASE ${db}`,
    table('land_items', COLUMNS, 'Null'),
    table('land_steps', 'mc_seqno UInt32, name String', 'Null'),
    table('items', COLUMNS, 'MergeTree ORDER BY (key, mc_seqno)'),
    table('items_marked', 'mc_seqno UInt32, key UInt32', 'MergeTree ORDER BY key'),
    table('items_noted', 'mc_seqno UInt32, note UInt32', 'MergeTree ORDER BY note'),
    table(
      'item_ends',
      'mc_seqno UInt32, key UInt32, end UInt8',
      'MergeTree PARTITION BY intDiv(mc_seqno, 40) ORDER BY key',
    ),
    table('steps', 'mc_seqno UInt32, name String', 'MergeTree ORDER BY mc_seqno'),
    table('latest', 'key UInt32, mc_seqno UInt32, value UInt32', 'ReplacingMergeTree(mc_seqno) ORDER BY key'),
    table('sums', 'key UInt32, value Int64', 'SummingMergeTree(value) ORDER BY key'),
    table(
      'confirmed',
      'first UInt32, last UInt32, epoch UInt32, lane UInt16, at DateTime64(3) DEFAULT now64(3)',
      'ReplacingMergeTree(at) ORDER BY (first, last)',
    ),
    table('fences', 'range String, attempt UInt32', 'MergeTree ORDER BY (range, attempt)'),
    view(db, 'items', `SELECT * FROM ${db}.land_items`),
    view(db, 'items_marked', `SELECT mc_seqno, key FROM ${db}.land_items WHERE marked`),
    view(
      db,
      'items_noted',
      `SELECT mc_seqno, assumeNotNull(land.note) AS note FROM ${db}.land_items AS land WHERE land.note IS NOT NULL`,
    ),
    view(db, 'item_ends', `SELECT mc_seqno, key, arrayJoin([1, 2]) AS end FROM ${db}.land_items`),
    view(db, 'latest', `SELECT key, mc_seqno, value FROM ${db}.land_items`),
    view(db, 'sums', `SELECT key, toInt64(value) AS value FROM ${db}.land_items`),
    view(db, 'steps', `SELECT * FROM ${db}.land_steps`),
  ];
}

export async function createFixture(client: StoreClient, db: string): Promise<void> {
  for (const statement of schema(testDatabaseGuard(db))) await client.command(statement, { route });
}

const CLOSED_ATTEMPTS = new URL('../../../clickhouse/meta/0018_closed_attempts.sql', import.meta.url);

/** Gives the landing tables of the fixture their gates; answers whether they have them, as `SinkOptions.isGated`. */
export async function gateFixture(client: StoreClient, db: string): Promise<boolean> {
  for (const statement of splitStatements(readFileSync(CLOSED_ATTEMPTS, 'utf8'))) {
    const values = { database: db, meta: db, epochSize: 0, cluster: null };
    await client.command(expandMacros(statement, values), { route });
  }
  return gateLandings(client, { ...DEFINITION, database: db, meta: db });
}

/** Small deterministic pseudo-random numbers (mulberry32): a seed names a run. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const STEPS_PER_BATCH = 10;

/** Batch number `index` of a chain; the same numbers give the same batch. */
export function makeBatch(index: number, rows: number): Batch {
  const next = random(1000 + index);
  const below = (limit: number) => Math.floor(next() * limit);
  const firstPosition = index * STEPS_PER_BATCH;
  const all = <T>(make: (i: number) => T) => Array.from({ length: rows }, (_, i) => make(i));
  const positions = all((i) => firstPosition + Math.floor((i * STEPS_PER_BATCH) / rows));
  const items = nativeTable(
    'items',
    [
      nativeColumn('mc_seqno', 'UInt32', positions),
      // One value a key and step, so that the newest row of a key is one row.
      nativeColumn(
        'key',
        'UInt32',
        all((i) => i * 7),
      ),
      nativeColumn(
        'value',
        'UInt32',
        all(() => below(1000)),
      ),
      nativeColumn(
        'marked',
        'Bool',
        all(() => below(3) === 0),
      ),
      nativeColumn(
        'note',
        'Nullable(UInt32)',
        all(() => (below(2) === 0 ? null : below(5000))),
      ),
      nativeColumn(
        'text',
        'String',
        all(() => 'x'.repeat(below(60))),
      ),
    ],
    rows,
  );
  const steps = Array.from({ length: STEPS_PER_BATCH }, (_, i) => firstPosition + i);
  const stepTable = nativeTable(
    'steps',
    [
      nativeColumn('mc_seqno', 'UInt32', steps),
      nativeColumn(
        'name',
        'String',
        steps.map((step) => `step ${step}`),
      ),
    ],
    steps.length,
  );
  return {
    lane: 0,
    epoch: 0,
    from: index * 100,
    next: index * 100 + 100,
    firstPosition,
    lastPosition: firstPosition + STEPS_PER_BATCH - 1,
    tables: [items, stepTable],
  };
}

/** A journal in memory, instead of the bus's disk. */
export class TestJournal implements BatchJournal {
  pending: JournalEntry | null = null;
  readonly confirmed: JournalEntry[] = [];
  readonly begun: JournalEntry[] = [];
  onBegin: () => void = () => {};
  /** Time left of the lease. */
  leftMs = Number.POSITIVE_INFINITY;

  async begin(entry: JournalEntry): Promise<void> {
    this.pending = entry;
    this.begun.push(entry);
    this.onBegin();
  }

  left(): number {
    return this.leftMs;
  }

  async confirm(entry: JournalEntry): Promise<void> {
    this.pending = null;
    this.confirmed.push(entry);
  }
}

const CONTENTS: Readonly<Record<string, string>> = {
  items: '*',
  items_marked: '*',
  items_noted: '*',
  item_ends: '*',
  steps: '*',
  latest: '* FINAL',
  sums: '* FINAL',
  confirmed: 'first, last, epoch, lane FINAL',
};

/** Count and order-independent checksum of every target: equal contents, equal answers. */
export async function contents(client: StoreClient, db: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [table, what] of Object.entries(CONTENTS)) {
    const columns = what.replace(' FINAL', '');
    const { rows } = await client.queryRows(
      `SELECT count(), sum(cityHash64(${columns})) FROM ${db}.${table}${what.endsWith('FINAL') ? ' FINAL' : ''}`,
      { route },
    );
    found[table] = String(rows[0]);
  }
  return found;
}
