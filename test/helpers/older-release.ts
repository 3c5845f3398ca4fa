import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** The checkout of an earlier commit. */
export interface OlderRelease {
  readonly commit: string;
  /** File to run `tonhouse` from. */
  readonly main: string;
  remove(): void;
}

function git(...args: string[]): string {
  return execFileSync('git', ['-C', PROJECT, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

/** The last commit before one that `git log` finds first; null without a history that holds both. */
export function commitBefore(...found: string[]): string | null {
  try {
    const commit = git('log', '-1', '--format=%H', ...found);
    return commit === '' ? null : git('rev-parse', '--verify', `${commit}^`);
  } catch {
    return null;
  }
}

/** Checks out a commit in a temporary folder, ready to run. */
export function checkOut(commit: string): OlderRelease {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-older-release-'));
  const directory = join(folder, 'checkout');
  git('worktree', 'add', '--force', '--detach', directory, commit);
  symlinkSync(join(PROJECT, 'node_modules'), join(directory, 'node_modules'));
  installRemoved(directory, folder);
  execFileSync(process.execPath, ['scripts/build-kernel.ts'], { cwd: directory, stdio: 'ignore' });
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
    git('worktree', 'prune');
  };
  return { commit, main: join(directory, 'src', 'main.ts'), remove };
}

/** Installs the packages that only the earlier release needs, where Node finds them after its own `node_modules`. */
function installRemoved(directory: string, folder: string): void {
  const { dependencies } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  const removed = Object.entries(dependencies).filter(
    ([name]) => !existsSync(join(PROJECT, 'node_modules', name)),
  );
  if (removed.length === 0) return;
  const packages = removed.map(([name, version]) => `${name}@${version}`);
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, ...packages], {
    stdio: 'ignore',
  });
}
