import { dirname } from 'node:path';
import { columnFiles } from './column-files.ts';
import { handWrittenOf } from './commit-files.ts';
import type { HandWritten } from './hand-written.ts';

/** Figures of a commit, by what they count. The text names the case. */
export type TreeSize = ReadonlyMap<string, { readonly count: number; readonly text: string }>;

/** A name, and the files in which people write it. */
interface Naming {
  readonly name: string;
  readonly files: readonly string[];
}

/** Tables that only find rows of others: by a key, by a hash, by a rank. */
const INDEX_TABLE =
  /CREATE TABLE IF NOT EXISTS \{db\}\.(\w+_(?:by_\w+|hashes|ranked|keys|in_flight))\{cluster\}/g;
/** A setting whose key has more than one word; it may be in a group. */
const SETTING = /^ {2}(?: {2})?([a-z]+[A-Z]\w*): \w+\(/gm;

/** Measures the files of a commit (`readCommit`). */
export function measureTree(tree: ReadonlyMap<string, string>): TreeSize {
  const files = handWrittenOf(tree);
  const textsIn = (folder: RegExp) => [...tree].flatMap(([path, text]) => (folder.test(path) ? [text] : []));
  const statements = textsIn(/^clickhouse\/(?!meta\/).*\d\w*\.sql$/);
  const settings = textsIn(/^src\/platform\/config\//);
  const code = [...tree].filter(([path]) => path.startsWith('src/') && path.endsWith('.ts'));
  const lines = code.reduce((sum, [, text]) => sum + countLines(text), 0);
  const [folder, content] = [...Map.groupBy(code, ([path]) => dirname(path))]
    .map(([name, list]) => [name, list.length] as const)
    .reduce((most, one) => (one[1] > most[1] ? one : most), ['', 0] as const);
  const columns = columnFiles(files).map(({ column, files: naming }) => ({ name: column, files: naming }));
  return new Map([
    ['lines of TypeScript in src, not blank', { count: lines, text: `${code.length} files` }],
    ['files in the fullest folder of src', { count: content, text: folder }],
    ['files for a column', most(columns)],
    ['files for an index table', most(namesOf(files, INDEX_TABLE, statements))],
    // Some keys are words of their own elsewhere, so the worst one says nothing.
    ['files for a setting, median', median(namesOf(files, SETTING, settings))],
  ]);
}

function countLines(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '').length;
}

/** Names that the first group of a pattern finds in some texts, with all files that have them as words. */
function namesOf(files: readonly HandWritten[], pattern: RegExp, declaring: readonly string[]): Naming[] {
  const names = new Set(declaring.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name!)));
  return [...names].map((name) => {
    const word = new RegExp(`(?<![A-Za-z0-9_])${name}(?![A-Za-z0-9_])`);
    return { name, files: files.filter(({ text }) => word.test(text)).map(({ path }) => path) };
  });
}

/** The name with the most files. */
function most(names: readonly Naming[]) {
  return pick(names, 0);
}

function median(names: readonly Naming[]) {
  return pick(names, names.length >> 1);
}

/** The name at a place of the order by files, those with most first. */
function pick(names: readonly Naming[], at: number) {
  const found = names.toSorted((a, b) => b.files.length - a.files.length)[at];
  return { count: found?.files.length ?? 0, text: `${found?.name ?? 'none'}, one of ${names.length}` };
}
