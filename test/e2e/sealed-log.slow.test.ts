import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMain } from '../helpers/run-main.ts';
import { describeWithChain } from '../helpers/shared-data.ts';

const SLOW_MS = 600_000;
const QUIET = { TONHOUSE_LOG_LEVEL: 'error' };

describeWithChain('a data directory with sealed epochs', ({ source }) => {
  let folder: string;
  let directory: string;

  async function run(...args: readonly string[]) {
    const running = startMain([...args, '--data', directory], QUIET);
    const code = await running.ended;
    return { code, ...running.text };
  }
  async function answer(...args: readonly string[]) {
    const { code, stdout, stderr } = await run(...args, '--json');
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  }
  const sealedFiles = () =>
    readdirSync(join(directory, 'log/sealed'))
      .filter((name) => name.endsWith('.sealed'))
      .map((name) => join(directory, 'log/sealed', name));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tonhouse-sealed-'));
    directory = join(folder, 'data');
    const indexed = await run('index', source, '--epoch-size', '20', '--keep-log');
    expect(indexed.code, indexed.stderr).toBe(0);
  }, SLOW_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(
    'seals by one command, shows it, verifies every block of it, and continues',
    async () => {
      const before = await answer('verify', '--log');
      const sealed = await answer('log', 'seal');
      expect(sealed.sealed.length).toBeGreaterThan(2);
      expect(sealed.bytes_after).toBeLessThan(sealed.bytes_before);
      const { log } = await answer('status');
      expect(log.sealed).toEqual(sealed.sealed);
      expect((await run('status')).stdout).toMatch(/log sealed +\d+ of these records in \d+ files/);
      const after = await answer('verify', '--log');
      expect(after.log).toEqual(before.log);
      expect(after).toMatchObject({ problems: 0, log: { problems: 0 } });
      expect((await run('index', source, '--seal-log')).code).toBe(0);
      expect((await answer('status')).log.sealed).toEqual(sealed.sealed);
    },
    SLOW_MS,
  );

  it(
    'names a sealed file that is cut, does not use it, and makes the log again from the store',
    async () => {
      const [path = ''] = sealedFiles();
      const whole = readFileSync(path);
      truncateSync(path, whole.length - 1);
      const found = await run('verify', '--log');
      expect(found.code).toBe(1);
      expect(found.stderr).toContain(`${path} cannot be used`);
      writeFileSync(path, whole);
      expect((await run('verify', '--log')).code).toBe(0);
      truncateSync(path, whole.length - 1);
      const repaired = await run('verify', '--repair', '--log');
      expect(repaired.stdout).toContain('0 problems');
      expect(repaired.code).toBe(0);
    },
    SLOW_MS,
  );
});
