import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { startMain } from '../helpers/run-main.ts';

const WITHOUT_OPTIONAL = new URL('../helpers/without-optional-packages.ts', import.meta.url).href;

it('needs no embedded store, and no package that loads it, with the address of a ClickHouse server', async () => {
  const data = mkdtempSync(join(tmpdir(), 'tonhouse-server-install-'));
  const store = ['--clickhouse-url', `http://127.0.0.1:${await freePort()}`];
  const words = ['up', '--source', 'localnet', '--data', data, '--port', '0', ...store];
  const { child, text, ended } = startMain(words, { NODE_OPTIONS: `--import ${WITHOUT_OPTIONAL}` });
  try {
    // Nothing listens there: the program has come as far as its store.
    await expect
      .poll(() => child.exitCode ?? text.stderr.includes('the store does not answer'), { timeout: 240_000 })
      .toBe(true);
    child.kill('SIGTERM');
    await ended;
    expect(text.stderr).not.toContain('optional package');
  } finally {
    child.kill('SIGKILL');
    rmSync(data, { recursive: true, force: true });
  }
});
