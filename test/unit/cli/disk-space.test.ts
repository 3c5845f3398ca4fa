import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { adviseOnFullDisk, DiskFullError, withDiskAdvice } from '../../../src/cli/disk-space.ts';
import { runSession } from '../../../src/cli/session.ts';
import { fromFacts, toFacts } from '../../../src/log/sqlite/error-transport.ts';
import { StoreError } from '../../../src/platform/clickhouse/store-errors.ts';
import { errorText } from '../../../src/platform/observability/error-text.ts';

const place = { directory: '/srv/tonhouse', isStoreExternal: false };
const ADVICE =
  'no space left on /srv/tonhouse: free space on its disk, then start again; confirmed data is safe';

/** What an attempt throws. */
function thrownBy(attempt: () => unknown): Error {
  try {
    attempt();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

/** SQLite's error of a file that may not grow. */
function fullDatabase(): Error {
  const database = new DatabaseSync(':memory:');
  database.exec('PRAGMA max_page_count=2; CREATE TABLE t (x BLOB)');
  return thrownBy(() => database.exec('INSERT INTO t VALUES (randomblob(100000))'));
}

const storeError = (code: number, type: string) =>
  new StoreError({ code, type, message: 'Cannot reserve 1.00 MiB' }, { route: 'test', queryId: 'q' });
const notEnoughSpace = storeError(243, 'NOT_ENOUGH_SPACE');

describe('a full disk', () => {
  it.runIf(process.platform === 'linux')('is recognized by the code of the operating system', () => {
    const error = thrownBy(() => writeFileSync('/dev/full', 'a'));
    expect(adviseOnFullDisk(error, place)).toBe(ADVICE);
    expect(adviseOnFullDisk(new Error('stage failed', { cause: error }), place)).toBe(ADVICE);
  });

  it('is recognized in the embedded log and the embedded store', () => {
    expect(adviseOnFullDisk(fromFacts(toFacts(fullDatabase())), place)).toBe(ADVICE);
    expect(adviseOnFullDisk(notEnoughSpace, place)).toBe(ADVICE);
  });

  it('of a server of its own is not the disk of the data directory', () => {
    const advice = adviseOnFullDisk(notEnoughSpace, { ...place, isStoreExternal: true });
    expect(advice).toBe(
      'no space left on the disk of the ClickHouse server: free space there; confirmed data is safe',
    );
  });

  it('is not the reason of other errors', () => {
    for (const error of [new Error('ENOSPC'), storeError(60, 'UNKNOWN_TABLE'), 'ENOSPC', null])
      expect(adviseOnFullDisk(error, place)).toBeNull();
  });

  it('is named in the last line of a command that it ends', async () => {
    const error = fromFacts(toFacts(fullDatabase()));
    const ended = runSession({ data: 'some/data' }, () => Promise.reject(error), {});
    const failure = await ended.catch((one: unknown) => one);
    expect(failure).toBeInstanceOf(DiskFullError);
    const last = errorText(failure, false).trimEnd().split('\n').at(-1);
    expect(last).toContain(`no space left on ${resolve('some/data')}: free space on its disk`);
    expect(last).toContain('(LogStorageError: database or disk is full)');
  });

  it('is named in the log when a stage retries', () => {
    const lines: object[] = [];
    const keep = (facts: object) => void lines.push(facts);
    const log = withDiskAdvice({ debug: keep, info: keep, warn: keep, error: keep }, () => place);
    log.warn({ error: notEnoughSpace, pauseMs: 5 }, 'the store does not answer; retrying');
    log.error({ error: new Error('other') }, 'the store cannot be started again');
    expect(lines).toEqual([
      { error: notEnoughSpace, pauseMs: 5, advice: ADVICE },
      { error: new Error('other') },
    ]);
  });
});
