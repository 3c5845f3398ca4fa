import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROJECTIONS } from '../../pipelines/projections.ts';
import { getPartitions } from '../../src/engine/projection/projection.ts';
import { readGroupLag } from '../../src/engine/status/group-lag.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import type { Bus, GroupLag } from '../../src/log/port.ts';
import { openEmbeddedBus } from '../../src/log/sqlite/embedded-bus.ts';
import { emptyServer, startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { dataCommands, storeEnvironment } from '../helpers/data-commands.ts';
import { describeWithChain } from '../helpers/shared-data.ts';
import { versionPicture } from '../helpers/version-picture.ts';

const SLOW_MS = 1_800_000;
const LANES = 8;
const NAMES = ['base', 'activity', 'traces'];

const withoutOwner = ({ owner: _, ...facts }: GroupLag) => facts;

describeWithChain('processes that decode one log in a data directory', ({ source, isMainnet }) => {
  let folder: string;
  let server: TestServer;
  let data: string;
  const written = PROJECTIONS.filter(({ name }) => NAMES.includes(name)).map((projection) => ({
    database: getDatabase({ network: isMainnet ? 'mainnet' : 'localnet' }, projection),
    units: getPartitions(projection) ?? 1,
  }));
  const { start, run, answer } = dataCommands(
    () => data,
    () => storeEnvironment(server),
  );

  /** True if `count` processes own lanes of base, and every lane and partition has passed every step. */
  async function isDone(count: number, bus: Bus): Promise<boolean> {
    const own = (await readGroupLag(bus)).filter(({ topic }) => topic === 'raw-blocks');
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
    const captured = await run('capture', source, '--epoch-size', '5', '--lanes', String(LANES));
    expect(captured.code, captured.stderr).toBe(0);
    // A process for each look would take processor time from those that decode.
    const bus = await openEmbeddedBus({ directory: join(data, 'log') });
    const running = Array.from({ length: count }, () =>
      start('decode', '--projections', NAMES.join(), '--batch-rows', '40'),
    );
    try {
      while (!(await isDone(count, bus))) {
        const ended = running.find(({ child }) => child.exitCode !== null);
        if (ended) throw new Error(ended.text.stderr);
        await setTimeout(200);
      }
      const { lag } = await answer('status');
      expect(lag.map(withoutOwner)).toEqual((await readGroupLag(bus)).map(withoutOwner));
    } finally {
      await bus.close();
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
