import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { NotInstalledError } from './verdict.ts';

const run = promisify(execFile);
const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/tonhouse-judges');

/** An environment of Python with pinned packages. */
export interface PythonPackages {
  readonly python: string;
  /** Folder of the installed packages. */
  readonly packages: string;
}

/**
 * Installs packages into an environment in the cache, once. `versions`: such as `pytoniq==0.1.43`.
 * @throws NotInstalledError without Python or the packages
 */
export async function installPython(name: string, versions: readonly string[]): Promise<PythonPackages> {
  const folder = join(CACHE, `${name}-${versions.join('-').replaceAll('=', '')}`);
  const python = join(folder, 'bin/python');
  const done = join(folder, 'installed');
  try {
    mkdirSync(CACHE, { recursive: true });
    if (!existsSync(done)) {
      await run('python3', ['-m', 'venv', folder]);
      await run(python, ['-m', 'pip', 'install', '--quiet', ...versions]);
      writeFileSync(done, '');
    }
    const { stdout } = await run(python, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))']);
    return { python, packages: stdout.trim() };
  } catch (cause) {
    throw new NotInstalledError(`${versions.join(', ')}: ${(cause as Error).message.split('\n')[0]}`, {
      cause,
    });
  }
}
