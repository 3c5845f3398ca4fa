import { execFileSync } from 'node:child_process';
import { type HandWritten, isHandWritten, withoutComments } from './hand-written.ts';

const MAX_BYTES = 2 ** 30;

/** A commit that git does not know. */
export class UnknownCommitError extends Error {
  override readonly name = 'UnknownCommitError';
}

/** Files at a commit, by path from the root of the project. @throws UnknownCommitError */
export function readCommit(commit: string): ReadonlyMap<string, string> {
  const paths = listPaths(commit);
  const input = paths.map((path) => `${commit}:${path}\n`).join('');
  const output = execFileSync('git', ['cat-file', '--batch'], { input, maxBuffer: MAX_BYTES });
  const files = new Map<string, string>();
  let at = 0;
  // Each file is `<id> blob <size>`, a line break, the bytes, a line break.
  for (const path of paths) {
    const head = output.indexOf(0x0a, at);
    const size = Number(output.toString('latin1', at, head).split(' ')[2]);
    files.set(path, output.toString('utf8', head + 1, head + 1 + size));
    at = head + 1 + size + 1;
  }
  return files;
}

function listPaths(commit: string): string[] {
  try {
    const args = ['ls-tree', '-r', '-z', '--name-only', commit];
    const listed = execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return listed.split('\0').filter((path) => isHandWritten(path) || /^(src|clickhouse)\//.test(path));
  } catch (error) {
    throw new UnknownCommitError(`git knows no commit ${commit}`, { cause: error });
  }
}

/** The files of a commit that people write, without comments. */
export function handWrittenOf(files: ReadonlyMap<string, string>): HandWritten[] {
  return [...files]
    .filter(([path]) => isHandWritten(path))
    .map(([path, text]) => ({ path, text: withoutComments(text) }));
}
