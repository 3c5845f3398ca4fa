/**
 * Checks the Markdown pages of the repository: every link leads to a file and a heading, and the README is short enough
 * for one minute. Comments of src and pipelines cite sections of docs/contract that exist. Prints each problem and exits
 * with 1 if there is one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { citationProblems } from './docs/citations.ts';
import { brokenLinks } from './docs/links.ts';

const MAX_README_BYTES = 10_240;
const MAX_README_LINES = 150;

const root = join(import.meta.dirname, '..');

/** Files that git knows or would take in, by patterns of paths. */
function listFiles(...patterns: readonly string[]): readonly string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n');
  return [...new Set(listed)].filter((name) => name !== '' && existsSync(join(root, name)));
}

function readmeProblems(): readonly string[] {
  const text = readFileSync(join(root, 'README.md'));
  const lines = text.toString().split('\n').length - 1;
  return [
    ...(text.length > MAX_README_BYTES
      ? [`README.md: ${text.length} bytes, at most ${MAX_README_BYTES}`]
      : []),
    ...(lines > MAX_README_LINES ? [`README.md: ${lines} lines, at most ${MAX_README_LINES}`] : []),
  ];
}

const checked = listFiles('*.md');
const problems = [
  ...checked.flatMap((page) => brokenLinks(root, page)),
  ...readmeProblems(),
  ...citationProblems(root, checked, listFiles('src/*.ts', 'pipelines/*.ts')),
];
for (const problem of problems) console.error(problem);
console.log(`docs: ${checked.length} pages, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
