import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Installs Python packages into a folder of the test. Resolves to its programs' folder; null if they cannot be installed. */
export async function installPython(directory: string, packages: readonly string[]): Promise<string | null> {
  const venv = join(directory, 'venv');
  try {
    await run('python3', ['-m', 'venv', venv]);
    await run(join(venv, 'bin', 'python'), ['-m', 'pip', 'install', '-q', ...packages]);
    return join(venv, 'bin');
  } catch {
    return null;
  }
}
