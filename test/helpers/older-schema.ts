import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASE } from '../../pipelines/base.ts';
import { MIGRATIONS } from '../../src/engine/project-files.ts';
import type { TableProjection } from '../../src/engine/projection/projection.ts';
import type { Landing } from '../../src/engine/sink/sink-definition.ts';
import { STEP_ROWS } from '../../src/engine/sink/step-rows.ts';
import { BASE_TABLES } from '../../src/tables/base-tables.ts';

/** Column of `transactions` that the older release did not decode yet. */
export const ADDED_COLUMN = 'compute_vm_steps';
/** Table that only the older release has. */
export const REMOVED_TABLE = 'transaction_times';
const REMOVED_FILE = `0019_${REMOVED_TABLE}.sql`;

/** Column of `messages` that the older release did not decode yet. */
const ADDED_TIME = 'tx_now';
/** Tables that only this release has, by the file that creates each. */
const ADDED_FILES = /^00(?:19|2[0-3])_(\w+)\.sql$/;

/** A line of SQL that is about one of the columns, with its line end. */
const COLUMN_LINES = new RegExp(`^ *(INDEX by_)?(${ADDED_COLUMN}|${ADDED_TIME})\\b.*\\n`, 'gm');

const REMOVED_SQL = `CREATE TABLE IF NOT EXISTS {db}.${REMOVED_TABLE}{cluster}
(
    now UInt32,
    lt UInt64,
    account FixedString(32),
    mc_seqno UInt32
)
ENGINE = {engine:MergeTree}
ORDER BY (now, lt, account);

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.${REMOVED_TABLE}_mv{cluster} TO {db}.${REMOVED_TABLE} AS
SELECT now, lt, account, mc_seqno FROM {db}.land_transactions;
`;

/**
 * The projection `base` of a release before this one, with other tables: `transactions` and `messages` lack a column each,
 * some tables are missing, and there is a table that this release has not. Its migrations are written to a temporary folder.
 */
export function olderSchema(): TableProjection {
  const migrations = mkdtempSync(join(tmpdir(), 'tonhouse-older-schema-'));
  cpSync(MIGRATIONS, migrations, { recursive: true });
  for (const file of ['0001_landing.sql', '0007_transactions.sql', '0010_messages.sql'].map((name) =>
    join(migrations, 'base', name),
  ))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(COLUMN_LINES, ''));
  writeFileSync(join(migrations, 'base', REMOVED_FILE), REMOVED_SQL);
  const files = readdirSync(join(migrations, 'base')).filter(
    (name) => ADDED_FILES.test(name) && name !== REMOVED_FILE,
  );
  for (const file of files) rmSync(join(migrations, 'base', file));
  const added = files.map((file) => ADDED_FILES.exec(file)?.[1]);
  const isOlder = ({ table }: { readonly table: string }) => !added.includes(table);
  const landings = BASE.sink.landings
    .map((landing) => ({ ...landing, counted: landing.counted.filter(isOlder) }))
    .map(withRemovedTable);
  const derived = BASE.sink.derived.filter(isOlder);
  return {
    ...BASE,
    version: BASE.version - 1,
    migrations,
    sink: { ...BASE.sink, landings, derived, columns: landedColumns() },
  };
}

/** The release after this one, which packs transactions in a way that this one does not know. */
export function laterLayout(): TableProjection {
  const migrations = mkdtempSync(join(tmpdir(), 'tonhouse-later-layout-'));
  cpSync(MIGRATIONS, migrations, { recursive: true });
  const file = join(migrations, 'base', '0007_transactions.sql');
  writeFileSync(file, readFileSync(file, 'utf8').replace('concat(char(3), ', 'concat(char(4), '));
  return { ...BASE, version: BASE.version + 1, migrations };
}

function withRemovedTable(landing: Landing): Landing {
  if (landing.landing !== 'transactions') return landing;
  const removed = { table: REMOVED_TABLE, shard: 'mc_seqno' };
  return { ...landing, counted: [...landing.counted, removed] };
}

/** Columns of the older decoder: this one's, except one. */
function landedColumns(): Record<string, Record<string, string>> {
  const columns: Record<string, Record<string, string>> = {
    [STEP_ROWS]: { mc_seqno: 'UInt32', rows: 'Map(String, UInt64)' },
  };
  for (const [table, types] of Object.entries<Record<string, string>>(BASE_TABLES))
    columns[table] = { ...types };
  delete columns.transactions?.[ADDED_COLUMN];
  delete columns.messages?.[ADDED_TIME];
  return columns;
}
