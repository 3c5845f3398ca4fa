/**
 * Writes the statements of migrations that follow from tables: landing tables, and the targets and views of tables that
 * are values (src/tables). `node scripts/generate-column-sql.ts --write` writes them, each new one to a migration of its
 * own; `npm run -s check` compares.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_TABLES, type FolderTables } from '../src/tables/all-tables.ts';
import { columnTypes } from '../src/tables/table.ts';
import { landingSql, targetSql, viewSql } from '../src/tables/target.ts';
import { createdNames, type Statements, toKey, withStatements } from './columns/statement-files.ts';

/** Statements of a folder of migrations, by the name of what they create. */
const FOLDERS: Readonly<Record<string, Statements>> = Object.fromEntries(
  Object.entries(ALL_TABLES).map(([folder, tables]) => [folder, folderStatements(tables)]),
);

const ROOT = join(import.meta.dirname, '..');

/** Paths, from the root, of migrations whose columns are not written by hand. */
export const COLUMN_SQL_FILES: readonly string[] = Object.entries(FOLDERS).flatMap(
  ([projection, statements]) =>
    migrations(ROOT, projection).filter((file) =>
      createdNames(readFileSync(join(ROOT, file), 'utf8')).some((name) => name in statements),
    ),
);

function folderStatements({ landed, targets }: FolderTables): Statements {
  const views = targets.filter(({ source }) => source !== undefined);
  return Object.fromEntries([
    ...landed.map((table) => [`land_${table.name}`, landingSql(table)]),
    ...targets.map((target) => [toKey(target), targetSql(target)]),
    ...views.map((target) => {
      const from = landed.find(({ name }) => `land_${name}` === target.source);
      return [`${target.name}_mv`, viewSql(target, from ? columnTypes(from) : {})];
    }),
  ]);
}

/** The migrations of a folder, from the root, in order. */
function migrations(root: string, projection: string): string[] {
  const files = readdirSync(join(root, 'clickhouse', projection)).filter((name) => name.endsWith('.sql'));
  return files.sort().map((name) => `clickhouse/${projection}/${name}`);
}

/** The generated migrations that differ from what the code yields, or are missing; `write` puts them right. */
export function staleColumnSql(root: string, write: boolean): string[] {
  return Object.entries(FOLDERS).flatMap(([projection, statements]) => [
    ...migrations(root, projection).filter((file) => isStale(root, file, statements, write)),
    ...missingFiles(root, projection, statements, write),
  ]);
}

function isStale(root: string, file: string, statements: Statements, write: boolean): boolean {
  const text = readFileSync(join(root, file), 'utf8');
  const wanted = withStatements(text, statements);
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
