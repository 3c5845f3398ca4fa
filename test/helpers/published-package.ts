import { type ExecFileOptions, execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const OPTIONS: ExecFileOptions = { timeout: 180_000, maxBuffer: 64 * 1024 ** 2 };

/**
 * Folder of a PyPI package with its dependencies, for `PYTHONPATH`; created once a machine. Null, with a notice, if it
 * cannot be installed.
 */
export function packageOfPyPi(name: string, version: string): Promise<string | null> {
  return installed(`${name}-${version}`, 'pip', async (folder) => {
    const pip = ['-m', 'pip', 'install', '-q', '--no-input', '--target', folder];
    await run('python3', [...pip, `${name}==${version}`], OPTIONS);
  });
}

/**
 * Folder of a published npm package without its declared dependencies: for bundled packages. Null, with a notice, if it
 * cannot be fetched.
 * @throws Error if its bytes have another SHA-512 (`integrity` of package locks)
 */
export function packageOfNpm(name: string, version: string, integrity: string): Promise<string | null> {
  return installed(`${name}-${version}`, 'npm', async (folder) => {
    await run('npm', ['pack', '--silent', '--pack-destination', folder, `${name}@${version}`], OPTIONS);
    const archive = join(folder, `${name}-${version}.tgz`);
    const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (found !== integrity) throw new WrongPackageError(`${name}: expected ${integrity}, found ${found}`);
    await run('tar', ['-xzf', archive, '-C', folder], OPTIONS);
  });
}

class WrongPackageError extends Error {
  override readonly name = 'WrongPackageError';
}

/** An existing folder is complete: it is created elsewhere and moved. */
async function installed(
  name: string,
  by: string,
  make: (folder: string) => Promise<void>,
): Promise<string | null> {
  const place = join(tmpdir(), `tonhouse-published-${by}-${name}`);
  if (existsSync(place)) return place;
  const made = `${place}.${randomBytes(6).toString('hex')}`;
  mkdirSync(made);
  try {
    await make(made);
    if (!existsSync(place)) renameSync(made, place);
    return place;
  } catch (error) {
    if (error instanceof WrongPackageError) throw error;
    console.log(`skipped: ${name} could not be installed by ${by}: ${String(error).slice(0, 300)}`);
    return null;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
