/**
 * Writes the times of all test files into docs/testing.md: `npm run measure:tests -- FILE...`, with files that a run of vitest
 * has written because of TEST_TIMES. `--print` prints the table instead.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const START = '<!-- times: written by npm run measure:tests -->';
const END = '<!-- /times -->';
const PAGE = join(import.meta.dirname, '../docs/testing.md');
/** Seconds above which a file has a row of its own. */
const LISTED_SECONDS = 2;

/** What one test file took, in seconds: an item of the report of `test/setup/file-times-reporter.ts`. */
export interface MeasuredFile {
  /** Path from the root of the repository. */
  readonly file: string;
  readonly tests: number;
  readonly imports: number;
  readonly cpu?: number | undefined;
}

/** The table of folders, and the table of files that took more than two seconds. Every file counts in its folder. */
export function timesTable(files: readonly MeasuredFile[]): string {
  const folders = [...Map.groupBy(files, getGroup)].sort(([a], [b]) => (a < b ? -1 : 1));
  const listed = files
    .filter((one) => getSeconds(one) > LISTED_SECONDS)
    .sort((a, b) => getSeconds(b) - getSeconds(a));
  return [
    '| folder | files | seconds | of which imports | processor |',
    '|---|---|---|---|---|',
    ...folders.map(([folder, group]) => `| ${folder} | ${group.length} | ${totals(group)} |`),
    `| all | ${files.length} | ${totals(files)} |`,
    '',
    `Files above ${LISTED_SECONDS} s:`,
    '',
    '| file | seconds | of which imports | processor |',
    '|---|---|---|---|',
    ...listed.map((one) => `| \`${one.file}\` | ${totals([one])} |`),
  ].join('\n');
}

/** The page with this table between its two markers. @throws Error if the page has no markers */
export function withTimes(page: string, table: string): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`expected ${START} and ${END} in the page`);
  return `${page.slice(0, start + START.length)}\n\n${table}\n\n${page.slice(end)}`;
}

function getGroup({ file }: MeasuredFile): string {
  const folder = file.split('/').slice(0, 2).join('/');
  return file.endsWith('.slow.test.ts') ? `${folder} (slow)` : folder;
}

function getSeconds({ tests, imports }: MeasuredFile): number {
  return tests + imports;
}

function totals(files: readonly MeasuredFile[]): string {
  const sum = (of: (one: MeasuredFile) => number) =>
    files.reduce((total, one) => total + of(one), 0).toFixed(1);
  return [sum(getSeconds), sum((one) => one.imports), sum((one) => one.cpu ?? 0)].join(' | ');
}

const USAGE = 'usage: npm run measure:tests -- [--print] [--help] FILE...\n';

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      print: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help || positionals.length === 0) {
    (values.help ? process.stdout : process.stderr).write(USAGE);
    process.exit(values.help ? 0 : 2);
  }
  const files = positionals.flatMap((path) => JSON.parse(readFileSync(path, 'utf8')) as MeasuredFile[]);
  const table = timesTable(files);
  if (values.print) process.stdout.write(`${table}\n`);
  else writeFileSync(PAGE, withTimes(readFileSync(PAGE, 'utf8'), table));
}

if (import.meta.main) main();
