import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMain } from '../helpers/run-main.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { type DataPicture, dataPicture } from '../simulation/crash/data-picture.ts';

const SLOW_MS = 600_000;
/** A command that takes longer hangs: it is ended, and its arguments and output are named. */
const COMMAND_MS = 240_000;
const QUIET = { TONHOUSE_LOG_LEVEL: 'error' };

/** Files of ClickHouse and SQLite that were cut, detected and repaired only by the commands. */
describeWithData('a data directory whose files are cut', (data) => {
  let folder: string;
  let directory: string;
  let whole: DataPicture;

  async function run(...args: readonly string[]) {
    const running = startMain([...args, '--data', directory], QUIET);
    const limit = setTimeout(() => running.child.kill('SIGKILL'), COMMAND_MS);
    const code = await running.ended;
    clearTimeout(limit);
    expect(running.child.signalCode, `${args.join(' ')}: ${running.text.stderr}`).toBe(null);
    return { code, ...running.text };
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tonhouse-cut-'));
    directory = join(folder, 'data');
    const source = `archive:${data}/blocks/packs`;
    const indexed = await run('index', source, '--batch-rows', '200', '--keep-log');
    expect(indexed.code, indexed.stderr).toBe(0);
    whole = await dataPicture(directory);
  }, SLOW_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Files of the store by name, below the folders of its parts. */
  function partFiles(name: RegExp): string[] {
    const store = join(directory, 'clickhouse/data/store');
    return readdirSync(store, { recursive: true, encoding: 'utf8' })
      .filter((path) => name.test(path) && !path.includes('detached'))
      .map((path) => join(store, path))
      .filter((path) => statSync(path).isFile());
  }

  it(
    'reports it in /healthz, and rebuilds everything with one command',
    async () => {
      const cut = partFiles(/\/(data|lt|mc_seqno|first)\.bin$/);
      expect(cut.length).toBeGreaterThan(20);
      for (const file of cut) truncateSync(file, Math.floor(statSync(file).size / 2));
      const served = startMain(['serve', '--port', '0', '--data', directory], {
        TONHOUSE_LOG_FORMAT: 'json',
      });
      try {
        const address = /http:\/\/127\.0\.0\.1:\d+/;
        while (!address.test(served.text.stderr) && served.child.exitCode === null) await sleep(50);
        const url = address.exec(served.text.stderr)?.[0];
        let status = '';
        for (let look = 0; look < 100 && !status.startsWith('degraded'); look++) {
          status = ((await (await fetch(`${url}/healthz`)).json()) as { status: string }).status;
          await sleep(200);
        }
        expect(status).toMatch(/^degraded/);
      } finally {
        served.child.kill('SIGTERM');
        await served.ended;
      }
      expect((await run('verify')).code).toBe(1);
      const repaired = await run('verify', '--repair');
      expect(repaired.stdout).toContain('0 problems');
      expect(repaired.code).toBe(0);
      expect(repaired.stderr).not.toContain('the log is damaged');
      // The next indexing run fills counters of accounts from the stored blocks.
      expect((await run('index', `archive:${data}/blocks/packs`, '--keep-log')).code).toBe(0);
      expect(await dataPicture(directory)).toEqual(whole);
      expect(JSON.parse((await run('status', '--json')).stdout).detached_parts).toEqual([]);
    },
    SLOW_MS,
  );

  it.each([
    ['cut', (file: string) => truncateSync(file, Math.floor(statSync(file).size / 3))],
    ['emptied', (file: string) => truncateSync(file, 0)],
  ])(
    'makes the log again from the store where its main file is %s',
    async (_, damage) => {
      const log = join(directory, 'log/log.sqlite');
      for (const name of ['-wal', '-shm']) rmSync(log + name, { force: true });
      damage(log);
      expect((await run('verify')).code).not.toBe(0);
      const repaired = await run('verify', '--repair', '--log');
      expect(repaired.stdout).toContain('0 problems');
      expect(repaired.code).toBe(0);
      const indexed = await run('index', `archive:${data}/blocks/packs`);
      expect(indexed.code).toBe(0);
      // The new log begins with the newest step.
      const withoutRecords = ({ picture }: DataPicture) => ({ ...picture, 'log: records': '' });
      expect(withoutRecords(await dataPicture(directory))).toEqual(withoutRecords(whole));
    },
    SLOW_MS,
  );
});
