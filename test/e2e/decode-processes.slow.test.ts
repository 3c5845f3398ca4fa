import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROJECTIONS } from '../../pipelines/projections.ts';
import { getPartitions } from '../../src/engine/projection/projection.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { emptyServer, startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { startMain } from '../helpers/run-main.ts';
import { describeWithChain } from '../helpers/shared-data.ts';
import { versionPicture } from '../helpers/version-picture.ts';

const SLOW_MS = 1_800_000;
const LANES = 8;
const NAMES = ['base', 'activity', 'traces'];

interface Lane {
  readonly topic: string;
  readonly committed: number;
  readonly end: number;
  readonly owner: string | null;
  readonly isPartition?: true;
}

describeWithChain('processes that decode one log in a data directory', ({ source, isMainnet }) => {
  let folder: string;
  let server: TestServer;
  let data: string;
  const written = PROJECTIONS.filter(({ name }) => NAMES.includes(name)).map((projection) => ({
    database: getDatabase({ network: isMainnet ? 'mainnet' : 'localnet' }, projection),
    units: getPartitions(projection) ?? 1,
  }));
  const start = (...args: readonly string[]) =>
    startMain([...args, '--data', data], {
      TONHOUSE_LOG_LEVEL: 'error',
      TONHOUSE_CLICKHOUSE_URL: server.url,
      TONHOUSE_CLICKHOUSE_USER: String(server.connection.user),
      TONHOUSE_CLICKHOUSE_PASSWORD: String(server.connection.password),
    });
  async function answer(...args: readonly string[]): Promise<string> {
    const running = start(...args);
    expect(await running.ended, running.text.stderr).toBe(0);
    return running.text.stdout;
  }

  /** Lanes and partitions; none while the store is being made. */
  async function lanes(): Promise<readonly Lane[]> {
    const running = start('status', '--json');
    const code = await running.ended;
    // Tables are missing.
    if (code === 3) return [];
    expect(code, running.text.stderr).toBe(0);
    return JSON.parse(running.text.stdout).lag;
  }

  /** True if `count` processes own lanes of base, and every lane and partition has passed every step. */
  async function isDone(count: number): Promise<boolean> {
    const own = (await lanes()).filter(({ topic }) => topic === 'raw-blocks');
    const units = LANES + written.slice(1).reduce((sum, one) => sum + one.units, 0);
    const owners = new Set(own.filter(({ isPartition }) => !isPartition).map(({ owner }) => owner));
    owners.delete(null);
    const isComplete = own.length >= units && own.every(({ committed, end }) => committed === end);
    return isComplete && owners.size === count;
  }

  /** Rows after `count` processes have decoded everything. */
  async function decodedBy(count: number): Promise<unknown> {
    await emptyServer(server);
    data = join(folder, `by-${count}`);
    await answer('capture', source, '--epoch-size', '5', '--lanes', String(LANES));
    const running = Array.from({ length: count }, () =>
      start('decode', '--projections', NAMES.join(), '--batch-rows', '40'),
    );
    try {
      while (!(await isDone(count))) {
        const ended = running.find(({ child }) => child.exitCode !== null);
        if (ended) throw new Error(ended.text.stderr);
        await setTimeout(200);
      }
    } finally {
      for (const { child } of running) child.kill('SIGTERM');
      await Promise.all(running.map(({ ended }) => ended));
    }
    return Promise.all(written.map(({ database }) => versionPicture(server.client, database)));
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tonhouse-processes-'));
    server = await startTestServer();
  }, SLOW_MS);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    'write the same rows whether they are 1, 2 or 4',
    async () => {
      const one = await decodedBy(1);
      expect(
        Object.values((one as Record<string, readonly string[]>[])[0] ?? {}).flat().length,
      ).toBeGreaterThan(100);
      expect(await decodedBy(2)).toEqual(one);
      expect(await decodedBy(4)).toEqual(one);
    },
    SLOW_MS,
  );
});
