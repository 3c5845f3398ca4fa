import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const KEPT_CODE = new URL('../../../../src/platform/config/compile-cache.ts', import.meta.url).href;

it('stores compiled code in a private directory, also of threads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-compile-cache-test-'));
  try {
    const [script, loaded, directory] = ['main.mjs', 'loaded.mjs', 'code'].map((name) => join(folder, name));
    writeFileSync(loaded!, 'export const answer = 42;');
    writeFileSync(
      script!,
      `import { enablePrivateCompileCache } from '${KEPT_CODE}';
       import { Worker } from 'node:worker_threads';
       process.umask(0);
       enablePrivateCompileCache(${JSON.stringify(directory)});
       new Worker(${JSON.stringify(loaded)});`,
    );
    const { NODE_COMPILE_CACHE: _, ...env } = process.env;
    execFileSync(process.execPath, [script!], { env });
    expect(statSync(directory!).mode & 0o777).toBe(0o700);
    const kept = readdirSync(directory!, { recursive: true, withFileTypes: true });
    for (const entry of kept.filter((one) => one.isDirectory()))
      expect(statSync(join(entry.parentPath, entry.name)).mode & 0o077, entry.name).toBe(0);
    expect(kept.filter((entry) => entry.isFile()).length).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
