import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { logRecords } from '../../../../src/engine/verify/log-pass.ts';
import { UnreadableLogError } from '../../../../src/log/errors.ts';
import type { LogIdentity, SealingBus } from '../../../../src/log/port.ts';
import { openEmbeddedBus } from '../../../../src/log/sqlite/embedded-bus.ts';

const TOPIC = 'raw-blocks';
const IDENTITY: LogIdentity = { network: 'test', id: 'a', epochSize: 10, lanes: 2, facts: {} };
const never = new AbortController().signal;
/** A value of such a size has a chunk of its own in a sealed file. */
const CHUNK = 1 << 20;

let root: string;
let old: SealingBus;
const opened: SealingBus[] = [];

async function openLog(name: string, identity = IDENTITY): Promise<SealingBus> {
  const bus = await openEmbeddedBus({ directory: join(root, name) });
  opened.push(bus);
  await bus.establish(identity);
  return bus;
}

async function append(bus: SealingBus, ...positions: number[]): Promise<void> {
  const writer = await bus.writer(TOPIC, 'w', 5_000);
  for (const position of positions) {
    const epoch = Math.floor(position / 10);
    const value = Buffer.alloc(CHUNK, position);
    const records = [{ key: `at ${position}`, headers: { kind: 'test' }, value }];
    await writer.append([{ position, epoch, lane: epoch % 2, records }]);
  }
  await writer.release();
}

/** Positions of all readable records. */
async function positions(bus: SealingBus): Promise<number[]> {
  const found: number[] = [];
  for await (const records of logRecords(bus, TOPIC, never))
    for (const { position, value } of records) {
      expect(value[CHUNK - 1]).toBe(position);
      found.push(position);
    }
  return found;
}

const sealedFiles = async (bus: SealingBus, name: string) =>
  (await bus.sealed(TOPIC)).map(({ epoch, id }) =>
    join(root, name, 'sealed', `${TOPIC}-${epoch}-${id}.sealed`),
  );

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'tonhouse-adopting-'));
  old = await openLog('old');
  await append(old, 0, 1, 2, 10, 11, 20, 21, 30);
  await old.seal(TOPIC, never);
});

afterEach(async () => {
  for (const bus of opened.splice(0)) await bus.close();
  rmSync(root, { recursive: true });
});

it('gives a new log all records of sealed files, which stay where they are, and room for later ones', async () => {
  const files = await sealedFiles(old, 'old');
  expect(files).toHaveLength(3);
  const bus = await openLog('new');
  for (const file of files) await bus.adoptSealed(file);
  const folder = join(root, 'new/sealed');
  expect(await bus.sealed(TOPIC)).toEqual((await old.sealed(TOPIC)).map((one) => ({ ...one, folder })));
  expect(await bus.readSealed(TOPIC, { first: 11, last: 20 })).toEqual(
    await old.readSealed(TOPIC, { first: 11, last: 20 }),
  );
  await append(bus, 30, 31, 40);
  expect(await positions(bus)).toEqual([0, 1, 2, 20, 21, 40, 10, 11, 30, 31]);
  expect(await bus.check(() => {})).toEqual([]);
  expect((await bus.seal(TOPIC, never)).map(({ epoch }) => epoch)).toEqual([3]);
  expect(await positions(bus)).toEqual([0, 1, 2, 20, 21, 40, 10, 11, 30, 31]);
  expect(await positions(old)).toEqual([0, 1, 2, 20, 21, 10, 11, 30]);
});

it('refuses a damaged file, one of another network or with other lanes, and one that it has', async () => {
  const [file = '', other = ''] = await sealedFiles(old, 'old');
  const bus = await openLog('new');
  await bus.adoptSealed(other);
  await expect(bus.adoptSealed(other)).rejects.toThrow(UnreadableLogError);
  expect(await positions(bus)).toEqual([10, 11]);
  const whole = readFileSync(file);
  // The first chunk, the last byte of the trailer.
  for (const at of [100, whole.length - 1]) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] as number) ^ 1;
    writeFileSync(file, damaged);
    await expect(bus.adoptSealed(file)).rejects.toThrow(UnreadableLogError);
  }
  writeFileSync(file, whole);
  for (const identity of [
    { ...IDENTITY, id: 'b' },
    { ...IDENTITY, lanes: 1 },
  ]) {
    const foreign = await openLog(`${identity.id}-${identity.lanes}`, identity);
    await expect(foreign.adoptSealed(other)).rejects.toThrow(UnreadableLogError);
    expect(await foreign.sealed(TOPIC)).toEqual([]);
  }
  await bus.adoptSealed(file);
  expect((await bus.sealed(TOPIC)).map(({ epoch }) => epoch)).toEqual([0, 1]);
});

it('leaves out of a pass over the log only what is damaged', async () => {
  const [file = ''] = await sealedFiles(old, 'old');
  await old.close();
  const whole = readFileSync(file);
  const damage = async (at: number, bytes = whole.length) => {
    const damaged = Buffer.from(whole.subarray(0, bytes));
    damaged[at] = (damaged[at] as number) ^ 1;
    writeFileSync(file, damaged);
    const bus = await openEmbeddedBus({ directory: join(root, 'old') });
    const found = await positions(bus);
    await bus.close();
    return found;
  };
  expect(await damage(100)).toEqual([1, 2, 20, 21, 10, 11, 30]);
  expect(await damage(8, whole.length - 1)).toEqual([20, 21, 10, 11, 30]);
  rmSync(file);
  old = await openEmbeddedBus({ directory: join(root, 'old') });
  opened.push(old);
  expect(await positions(old)).toEqual([20, 21, 10, 11, 30]);
});
