import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { logRecords } from '../../../../src/engine/verify/log-pass.ts';
import { UnreadableLogError } from '../../../../src/log/errors.ts';
import type { LogIdentity, SealingBus } from '../../../../src/log/port.ts';
import { openEmbeddedBus } from '../../../../src/log/sqlite/embedded-bus.ts';
import { SealingHeldError } from '../../../../src/log/sqlite/errors.ts';
import { moveSealed } from '../../../../src/log/sqlite/sealing/move-sealed.ts';
import { takeDirectoryLock } from '../../../../src/platform/files/directory-lock.ts';

const TOPIC = 'raw-blocks';
const GROUP = 'decode-v1';
const IDENTITY: LogIdentity = { network: 'test', id: 'a', epochSize: 10, lanes: 2, facts: {} };
const never = new AbortController().signal;

let root: string;
let own: SealingBus;
let other: SealingBus;
const opened: SealingBus[] = [];

async function openLog(name: string, identity = IDENTITY): Promise<SealingBus> {
  const bus = await openEmbeddedBus({ directory: join(root, name) });
  opened.push(bus);
  await bus.establish(identity);
  return bus;
}

async function append(bus: SealingBus, positions: readonly number[]): Promise<void> {
  const writer = await bus.writer(TOPIC, 'w', 5_000);
  for (const position of positions) {
    const epoch = Math.floor(position / 10);
    const records = ['shard', 'masterchain'].map((kind) => ({
      key: `${kind} ${position}`,
      headers: { kind },
      value: Buffer.alloc(600_000, position),
    }));
    await writer.append([{ position, epoch, lane: epoch % 2, records }]);
  }
  await writer.release();
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** Positions of all records, in the order of lanes and offsets. */
async function positions(bus: SealingBus): Promise<number[]> {
  const found: number[] = [];
  for await (const records of logRecords(bus, TOPIC, never))
    for (const { position, value } of records) {
      expect(value.at(-1)).toBe(position);
      found.push(position);
    }
  return found;
}

const twice = (some: readonly number[]) => some.flatMap((one) => [one, one]);

const sealedFiles = async (bus: SealingBus, name: string) =>
  (await bus.sealed(TOPIC)).map(({ epoch, id }) =>
    join(root, name, 'sealed', `${TOPIC}-${epoch}-${id}.sealed`),
  );

const contents = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sealed'))
    .sort()
    .map((name) => [name, readFileSync(join(folder, name)).toString('base64')]);

async function joinAll(bus: SealingBus, files: readonly string[]) {
  const found = [];
  for (const file of files) found.push(await bus.joinSealed(file));
  return found;
}

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'tonhouse-joining-'));
  own = await openLog('own');
  await append(own, range(0, 23));
  await own.seal(TOPIC, never);
  other = await openLog('other');
  await append(other, range(24, 45));
  await other.seal(TOPIC, never);
});

afterEach(async () => {
  for (const bus of opened.splice(0)) await bus.close();
  rmSync(root, { recursive: true });
});

it('gives a log the records of a later one after its own, and its groups pass them', async () => {
  const consumer = await own.consumer({ topic: TOPIC, group: GROUP, owner: 'c', sessionMs: 5_000 });
  const ends = new Map((await own.bounds(TOPIC)).map(({ lane, next }) => [lane, next]));
  for (const lease of await consumer.claim()) await consumer.commit(lease, ends.get(lease.lane) ?? 0);
  await consumer.release();
  const files = await sealedFiles(other, 'other');
  const before = contents(join(root, 'other/sealed'));
  const joined = await joinAll(own, files);
  expect(joined.map((one) => [one?.epoch, one?.first, one?.last, one?.records])).toEqual([
    [2, 24, 29, 12],
    [3, 30, 39, 20],
  ]);
  // The numbers and offsets of both logs were the same.
  expect(new Set((await own.sealed(TOPIC)).map(({ id }) => id)).size).toBe(4);
  expect(await positions(own)).toEqual(
    twice([...range(0, 9), ...range(20, 29), ...range(10, 19), ...range(30, 39)]),
  );
  const found = await own.readSealed(TOPIC, { first: 25, last: 31, keys: ['shard 25', 'shard 31'] });
  expect(found.map(({ position }) => position)).toEqual([25, 31]);
  expect(await own.check(() => {})).toEqual([]);
  expect(await own.committedPositions(TOPIC, GROUP)).toEqual(
    expect.arrayContaining([{ first: 30, last: 39 }]),
  );
  expect((await own.lag()).map(({ committed, end }) => end - committed)).toEqual([0, 0]);
  expect(contents(join(root, 'other/sealed'))).toEqual(before);

  // The log continues, seals and frees as before; what it frees are its own copies.
  await append(own, range(45, 51));
  await own.seal(TOPIC, never);
  expect(await positions(own)).toEqual(
    twice([...range(0, 9), ...range(20, 29), ...range(45, 49), ...range(10, 19), ...range(30, 39), 50, 51]),
  );
  expect(await own.check(() => {})).toEqual([]);
});

it('takes a file once', async () => {
  const files = await sealedFiles(other, 'other');
  await joinAll(own, files);
  const before = [await positions(own), contents(join(root, 'own/sealed'))];
  expect(await joinAll(own, files)).toEqual([null, null]);
  expect([await positions(own), contents(join(root, 'own/sealed'))]).toEqual(before);
  // Also by way of another log, in which it has a third number.
  const third = await openLog('third');
  await joinAll(third, files);
  expect(await joinAll(own, await sealedFiles(third, 'third'))).toEqual([null, null]);
  expect(await joinAll(third, await sealedFiles(own, 'own'))).toMatchObject([
    { epoch: 0 },
    { epoch: 1 },
    null,
    null,
  ]);
});

it('takes a copy of a file that was moved, which stays when the other log frees it', async () => {
  await moveSealed(join(root, 'other/sealed'), join(root, 'disk'), { signal: never, onStep() {} });
  const [file = '', last = ''] = await sealedFiles(other, 'other');
  chmodSync(join(root, 'disk'), 0o500);
  await joinAll(own, [file, last]);
  chmodSync(join(root, 'disk'), 0o700);
  await own.trim(TOPIC, 2);
  expect((await own.sealed(TOPIC)).map(({ epoch }) => epoch)).toEqual([2, 3]);
  // Freed are the copies only.
  expect(readdirSync(join(root, 'disk'))).toHaveLength(2);
  await other.trim(TOPIC, 4);
  expect(readdirSync(join(root, 'disk'))).toEqual([]);
  expect((await own.readSealed(TOPIC, { first: 24, last: 39 })).length).toBe(32);
  await own.trim(TOPIC, 4);
  expect(await own.sealed(TOPIC)).toEqual([]);
});

it('refuses a file that is altered, cut, missing or of another network, and then takes the right one', async () => {
  const [file = ''] = await sealedFiles(other, 'other');
  const whole = readFileSync(file);
  const before = [await positions(own), readdirSync(join(root, 'own/sealed')).sort()];
  const refused = async (change: () => void) => {
    change();
    const error = await own.joinSealed(file).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UnreadableLogError);
    expect((error as Error).message).toContain(file);
    expect([await positions(own), readdirSync(join(root, 'own/sealed')).sort()]).toEqual(before);
  };
  for (const at of [100, whole.length - 1, whole.length - 100]) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] as number) ^ 1;
    await refused(() => writeFileSync(file, damaged));
  }
  await refused(() => writeFileSync(file, whole.subarray(0, -10)));
  await refused(() => rmSync(file));
  writeFileSync(file, whole);
  const foreign = await openLog('foreign', { ...IDENTITY, id: 'b' });
  await expect(foreign.joinSealed(file)).rejects.toThrow(UnreadableLogError);
  expect(await foreign.sealed(TOPIC)).toEqual([]);
  expect(await own.joinSealed(file)).toMatchObject({ first: 24, last: 29 });
});

it('removes what a join left that was killed, and waits for no other sealing', async () => {
  const [file = ''] = await sealedFiles(other, 'other');
  const folder = join(root, 'own/sealed');
  // Killed before its name, and after.
  for (const name of [`${TOPIC}-2-90.sealed.tmp`, `${TOPIC}-2-91.sealed`])
    writeFileSync(join(folder, name), 'half');
  const lock = takeDirectoryLock(folder, 'sealing.lock');
  await expect(own.joinSealed(file)).rejects.toThrow(SealingHeldError);
  lock?.release();
  await own.joinSealed(file);
  expect(contents(folder).map(([name]) => name)).toHaveLength(3);
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it('gives a new log all files of one that was joined', async () => {
  await joinAll(own, await sealedFiles(other, 'other'));
  const files = await sealedFiles(own, 'own');
  mkdirSync(join(root, 'new'));
  const bus = await openLog('new');
  for (const file of files) await bus.adoptSealed(file);
  expect(await positions(bus)).toEqual(
    twice([...range(0, 9), ...range(24, 29), ...range(10, 19), ...range(30, 39)]),
  );
  expect(await bus.check(() => {})).toEqual([]);
  for (const file of files) await expect(bus.adoptSealed(file)).rejects.toThrow(UnreadableLogError);
});
