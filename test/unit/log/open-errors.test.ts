import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbeddedBus } from '../../../src/log/sqlite/embedded-bus.ts';
import {
  BusWorkerDiedError,
  LogDirectoryError,
  NewerLogFileError,
  NotALogFileError,
  SegmentMissingError,
} from '../../../src/log/sqlite/errors.ts';
import { WorkerClient } from '../../../src/log/sqlite/worker-client.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tonhouse-open-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Makes a sound log with one record and closes it. */
async function makeLog(): Promise<void> {
  const bus = await openEmbeddedBus({ directory });
  await bus.establish({ network: 'test', id: 'a', epochSize: 10, lanes: 1, facts: {} });
  const writer = await bus.writer('raw', 'a', 1000);
  const records = [{ key: 'k', headers: {}, value: new Uint8Array(1) }];
  await writer.append([{ position: 0, epoch: 0, lane: 0, records }]);
  await bus.close();
}

describe('opening a log', () => {
  it('refuses a directory that cannot be made', async () => {
    writeFileSync(join(directory, 'file'), '');
    const error = await openEmbeddedBus({ directory: join(directory, 'file/log') }).catch(
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(LogDirectoryError);
    expect(error).toMatchObject({ code: 'ENOTDIR' });
  });

  it('refuses a file that is not a database', async () => {
    writeFileSync(join(directory, 'log.sqlite'), 'this is certainly not a database file, is it?'.repeat(30));
    await expect(openEmbeddedBus({ directory })).rejects.toBeInstanceOf(NotALogFileError);
  });

  it('refuses the database of another program and leaves it unchanged', async () => {
    const other = new DatabaseSync(join(directory, 'log.sqlite'));
    other.exec('CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)');
    await expect(openEmbeddedBus({ directory })).rejects.toBeInstanceOf(NotALogFileError);
    expect(other.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'theirs' }]);
    expect(other.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' });
    other.close();
  });

  it('refuses the log of a newer program', async () => {
    await makeLog();
    const file = new DatabaseSync(join(directory, 'log.sqlite'));
    file.exec('PRAGMA user_version = 99');
    file.close();
    const error = await openEmbeddedBus({ directory }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(NewerLogFileError);
    expect(error).toMatchObject({ found: 99, known: 3, file: join(directory, 'log.sqlite') });
  });

  it('names a missing segment, at the read that needs it', async () => {
    await makeLog();
    for (const name of readdirSync(join(directory, 'segments'))) rmSync(join(directory, 'segments', name));
    const bus = await openEmbeddedBus({ directory });
    const error = await bus.read('raw', 0, 0, { records: 1, bytes: 1 }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(SegmentMissingError);
    expect(error).toMatchObject({ file: expect.stringContaining(join(directory, 'segments', 'raw-0-')) });
    await bus.close();
  });

  it('removes segment files that the log does not name', async () => {
    await makeLog();
    const known = readdirSync(join(directory, 'segments'));
    mkdirSync(join(directory, 'segments'), { recursive: true });
    writeFileSync(join(directory, 'segments', 'raw-7-12345.sqlite'), 'left by a trim');
    const bus = await openEmbeddedBus({ directory });
    expect(readdirSync(join(directory, 'segments'))).toEqual(known);
    expect(await bus.read('raw', 0, 0, { records: 1, bytes: 1 })).toHaveLength(1);
    await bus.close();
  });
});

describe('a worker thread that dies', () => {
  it('rejects the calls under way and all later ones, with the reason', async () => {
    const script = join(directory, 'dying-worker.ts');
    writeFileSync(
      script,
      `import { parentPort } from 'node:worker_threads';
       parentPort?.on('message', () => { throw new Error('the disk is on fire'); });
       parentPort?.postMessage({ id: 0, result: undefined });`,
    );
    const client = await WorkerClient.start({ directory }, new URL(`file://${script}`));
    const calls = await Promise.allSettled([client.call('topics', []), client.call('lag', [])]);
    for (const call of [...calls, ...(await Promise.allSettled([client.call('size', [])]))]) {
      if (call.status === 'fulfilled') throw new Error('a dead worker answered');
      expect(call.reason).toBeInstanceOf(BusWorkerDiedError);
      expect(call.reason.message).toContain('the disk is on fire');
    }
    await client.close();
  });
});
