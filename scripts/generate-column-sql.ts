/**
 * Writes the statements of migrations that follow from tables: landing tables, and the targets and views of tables that
 * are values (src/tables). `node scripts/generate-column-sql.ts --write` writes them, each new one to a migration of its
 * own; `npm run -s check` compares.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACTIVITY_COLUMNS } from '../src/projections/activity/activity-columns.ts';
import { CONTRACT_TABLES } from '../src/projections/contracts/contract-columns.ts';
import { DETECTION_TABLES } from '../src/projections/detections/detection-columns.ts';
import { LAKE_TABLES } from '../src/projections/lake/lake-columns.ts';
import { TRACE_TABLES } from '../src/projections/traces/trace-columns.ts';
import { BASE_TABLES } from '../src/tables/base-tables.ts';
import { MESSAGE_TARGETS } from '../src/tables/messages.ts';
import { packedSql } from '../src/tables/packed.ts';
import { landingSql, type Target, targetSql, viewSql } from '../src/tables/target.ts';
import { TOKEN_PAYLOAD, TOKEN_TARGETS, TOKENS_LATEST } from '../src/tables/token-states.ts';
import { TRANSFER_TARGET } from '../src/tables/token-transfers.ts';
import { TRANSACTION_TARGETS } from '../src/tables/transaction-targets.ts';
import { createdNames, type Statements, withPayload, withStatements } from './columns/statement-files.ts';

type Columns = Readonly<Record<string, string>>;

/** Statements of a projection, by the name of what they create. */
const PROJECTIONS: Readonly<Record<string, Statements>> = {
  base: {
    ...landings(BASE_TABLES),
    ...targets(TRANSACTION_TARGETS, BASE_TABLES.transactions),
    ...targets(MESSAGE_TARGETS, BASE_TABLES.messages),
  },
  activity: landings({ activity: ACTIVITY_COLUMNS }),
  contracts: {
    ...landings(CONTRACT_TABLES),
    ...targets([...TOKEN_TARGETS, TOKENS_LATEST], CONTRACT_TABLES.token_states),
    ...targets([TRANSFER_TARGET], CONTRACT_TABLES.token_transfers),
  },
  detections: landings(DETECTION_TABLES),
  lake: landings(LAKE_TABLES),
  traces: landings(TRACE_TABLES),
};

/** Repairs with a payload. */
const REPAIRS: Readonly<Record<string, (text: string) => string>> = {
  'clickhouse/contracts/repairs/tokens_latest.sql': (text) => withPayload(text, packedSql(TOKEN_PAYLOAD)),
};

const ROOT = join(import.meta.dirname, '..');

/** Paths, from the root, of migrations whose columns are not written by hand. */
export const COLUMN_SQL_FILES: readonly string[] = [
  ...Object.entries(PROJECTIONS).flatMap(([projection, statements]) =>
    migrations(ROOT, projection).filter((file) =>
      createdNames(readFileSync(join(ROOT, file), 'utf8')).some((name) => name in statements),
    ),
  ),
  ...Object.keys(REPAIRS),
];

function landings(tables: Readonly<Record<string, Columns>>): Statements {
  const statements = Object.entries(tables).map(([name, types]) => [`land_${name}`, landingSql(name, types)]);
  return Object.fromEntries(statements);
}

function targets(list: readonly Target[], types: Columns): Statements {
  const statements = list.flatMap((target) => [
    [target.name, targetSql(target)],
    [`${target.name}_mv`, viewSql(target, types)],
  ]);
  return Object.fromEntries(statements);
}

/** The migrations of a projection, from the root, in order. */
function migrations(root: string, projection: string): string[] {
  const files = readdirSync(join(root, 'clickhouse', projection)).filter((name) => name.endsWith('.sql'));
  return files.sort().map((name) => `clickhouse/${projection}/${name}`);
}

/** The generated migrations that differ from what the code yields, or are missing; `write` puts them right. */
export function staleColumnSql(root: string, write: boolean): string[] {
  const projections = Object.entries(PROJECTIONS).flatMap(([projection, statements]) => [
    ...migrations(root, projection).filter((file) =>
      isStale(root, file, (text) => withStatements(text, statements), write),
    ),
    ...missingFiles(root, projection, statements, write),
  ]);
  const repairs = Object.entries(REPAIRS).filter(([file, generate]) => isStale(root, file, generate, write));
  return [...projections, ...repairs.map(([file]) => file)];
}

function isStale(root: string, file: string, generate: (text: string) => string, write: boolean): boolean {
  const text = readFileSync(join(root, file), 'utf8');
  const wanted = generate(text);
  if (text !== wanted && write) writeFileSync(join(root, file), wanted);
  return text !== wanted;
}

/** Migrations of statements that no file has yet: a table and its view share one. */
function missingFiles(root: string, projection: string, statements: Statements, write: boolean): string[] {
  const files = migrations(root, projection);
  const created = new Set(files.flatMap((file) => createdNames(readFileSync(join(root, file), 'utf8'))));
  const missing = Object.keys(statements).filter((name) => !created.has(name) && !name.endsWith('_mv'));
  return missing.map((name, index) => {
    const number = String(files.length + index + 1).padStart(4, '0');
    const file = `clickhouse/${projection}/${number}_${name}.sql`;
    const texts = [statements[name], statements[`${name}_mv`]].filter((text) => text !== undefined);
    if (write) writeFileSync(join(root, file), texts.map((text) => `${text};\n`).join('\n'));
    return file;
  });
}

if (import.meta.main) {
  const write = process.argv.includes('--write');
  const stale = staleColumnSql(ROOT, write);
  for (const file of stale)
    console.log(write ? `written: ${file}` : `stale: ${file} (node scripts/generate-column-sql.ts --write)`);
  process.exitCode = stale.length > 0 && !write ? 1 : 0;
}
