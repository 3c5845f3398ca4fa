import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { COLUMN_SQL_FILES } from '../generate-column-sql.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * Places of product facts. Tests and benches use tables and projections as examples; a topic's field is released with
 * its schema's version, independent of columns.
 */
const FOLDERS = ['src', 'pipelines', 'clickhouse', 'docker-compose.yml'];

/** Files that scripts write; tests and `npm run -s check` compare them with what the scripts yield. */
const GENERATED: ReadonlySet<string> = new Set([
  'clickhouse/schema.sql',
  'src/client/operations.ts',
  'src/platform/avro/generated.ts',
  'src/ton/kernel/kernel-wasm.ts',
  ...COLUMN_SQL_FILES,
]);

/** A file that people write. */
export interface HandWritten {
  /** From the root of the project. */
  readonly path: string;
  /** Without comments, which may quote the TL-B. */
  readonly text: string;
}

/** The files of the product that people write: those that git knows or would add, without generated ones. */
export function handWrittenFiles(): HandWritten[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...FOLDERS],
    { cwd: root, encoding: 'utf8' },
  );
  const paths = [...new Set(listed.split('\n'))].filter(
    (path) => isHandWritten(path) && existsSync(join(root, path)),
  );
  return paths.map((path) => ({ path, text: withoutComments(readFileSync(join(root, path), 'utf8')) }));
}

/** True for a file of these folders that people write, by its path. */
export function isHandWritten(path: string): boolean {
  return (
    FOLDERS.some((folder) => path === folder || path.startsWith(`${folder}/`)) &&
    /\.(ts|sql|avsc|json|ya?ml)$/.test(path) &&
    !GENERATED.has(path)
  );
}

export function withoutComments(text: string): string {
  return text.replace(/^\s*(\/\*[\s\S]*?\*\/|(\/\/|--|#).*$)/gm, '');
}
