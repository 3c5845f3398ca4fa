import { execFile } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus, LogRecord } from '../../../src/log/port.ts';
import { openEmbeddedBus } from '../../../src/log/sqlite/embedded-bus.ts';
import { IDENTITY, readLane } from './log-fixture.ts';
import { processesContract } from './processes-contract.ts';
import { sealedLog } from './sealed-log.ts';
import { type TemporaryLog, temporaryLog } from './temporary-log.ts';
import { chainStep, TOPIC } from './test-steps.ts';

processesContract('the embedded log with sealed epochs', sealedLog, {
  sessionMs: 200,
  seeds: [10],
  kills: 2,
});

const CHILD = join(import.meta.dirname, 'sealing-child.ts');
/** Positions 0 to 11: one epoch is finished. */
const POSITIONS = 12;
const SEED = 5;

/** Seals a log in another process, which is killed after so many steps. Returns the steps and how it ended. */
function sealInChild(
  directory: string,
  steps: number,
): Promise<{ readonly done: string[]; readonly isKilled: boolean }> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [CHILD, directory, String(steps)], (error, stdout, stderr) => {
      const isKilled = error?.signal === 'SIGKILL';
      if (error && !isKilled) reject(new Error(stderr));
      resolve({ done: stdout.trim().split('\n'), isKilled });
    });
  });
}

async function readAll(bus: Bus): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for (let lane = 0; lane < IDENTITY.lanes; lane++) records.push(...(await readLane(bus, TOPIC, lane)));
  return records;
}

describe('kill -9 of a process that seals', () => {
  let log: TemporaryLog;
  let before: LogRecord[];
  beforeAll(async () => {
    log = await temporaryLog();
    const bus = await log.open();
    await bus.establish(IDENTITY);
    const writer = await bus.writer(TOPIC, 'w', 10_000);
    await writer.append(Array.from({ length: POSITIONS }, (_, at) => chainStep(SEED, at)));
    await writer.release();
    before = await readAll(bus);
    await bus.close();
  });
  afterAll(() => log.dispose());

  it.each([
    [1, 'written'],
    [2, 'synced'],
    [3, 'compared'],
    [4, 'renamed'],
    [5, 'recorded'],
    [6, 'freed'],
  ])('after step %i (%s) loses nothing, and the next sealing continues', async (steps, name) => {
    const directory = `${log.directory}-${steps}`;
    cpSync(log.directory, directory, { recursive: true });
    const { done, isKilled } = await sealInChild(directory, steps);
    expect(isKilled).toBe(true);
    expect(done.at(-1)).toBe(name);
    const bus = await openEmbeddedBus({ directory });
    try {
      expect(await readAll(bus)).toEqual(before);
      expect(await bus.check(() => {})).toEqual([]);
      await bus.seal(TOPIC, new AbortController().signal);
      expect(await bus.sealed(TOPIC)).toMatchObject([{ epoch: 0, first: 0, last: 9 }]);
      expect(await readAll(bus)).toEqual(before);
    } finally {
      await bus.close();
    }
    expect(names(directory, 'sealed', '.sealed', '.tmp')).toHaveLength(1);
    expect(names(directory, 'segments', '.sqlite')).toHaveLength(1);
    rmSync(directory, { recursive: true });
  });
});

const names = (directory: string, folder: string, ...endings: readonly string[]) =>
  readdirSync(join(directory, folder)).filter((name) => endings.some((ending) => name.endsWith(ending)));
