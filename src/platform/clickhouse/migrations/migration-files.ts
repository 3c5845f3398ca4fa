import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MigrationError } from './migration-errors.ts';
import { splitStatements } from './sql-statements.ts';

/** A migration file of this release. */
export interface MigrationFile {
  /** `base/0001_landing.sql` */
  readonly name: string;
  readonly number: number;
  readonly text: string;
  /** SHA-256 of the text without comments of columns and tables, hex; line ends count as `\n`. */
  readonly checksum: string;
}

const NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;
const CREATES = /^CREATE (TABLE|VIEW|MATERIALIZED VIEW) IF NOT EXISTS \{(db|secrets)\}\.\w+\{cluster\}/;

/** Tables are made once and never altered: another schema is another version of the projection. */
function requireCreates(name: string, text: string): void {
  const other = splitStatements(text).find((statement) => !CREATES.test(statement));
  if (other === undefined) return;
  throw new MigrationError(name, `migrations only create (${CREATES.source}), not: ${other.slice(0, 80)}`);
}

function readFile(directory: string, projection: string, file: string): MigrationFile {
  const number = NAME.exec(file)?.[1];
  const name = `${projection}/${file}`;
  if (!number) throw new MigrationError(name, `the name does not match ${NAME}`);
  const text = readFileSync(join(directory, projection, file), 'utf8').replaceAll('\r\n', '\n');
  requireCreates(name, text);
  return { name, number: Number(number), text, checksum: toChecksum(withoutComments(text)) };
}

/** Comments of columns and tables change nothing about rows: a release may change them in applied files. */
function withoutComments(text: string): string {
  return text.replaceAll(/\s+COMMENT '(?:[^'\\]|\\.)*'/g, '');
}

function toChecksum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The files of a projection in their order; numbers run from 1 without a gap, and every statement creates a table or a
 * view. Throws `MigrationError`.
 */
export function readMigrationFiles(directory: string, projection: string): MigrationFile[] {
  // Subfolders contain other statements, such as repairs.
  const files = readdirSync(join(directory, projection), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
    .map((file) => readFile(directory, projection, file));
  files.forEach((file, i) => {
    if (file.number !== i + 1) {
      throw new MigrationError(
        file.name,
        `expected number ${i + 1}: numbers run without gaps and duplicates`,
      );
    }
  });
  return files;
}

/** SHA-256 (hex) of what the files create, in their order: comments, line breaks and names of files do not count. */
export function schemaFingerprint(files: readonly MigrationFile[]): string {
  const statements = files.flatMap(({ text }) => splitStatements(withoutComments(text)));
  const flat = statements.map((statement) => statement.replaceAll(/\s+/g, ' '));
  return toChecksum(flat.join(';\n'));
}
