import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SealedQuery } from '../../../../src/log/port.ts';
import { SealedFile } from '../../../../src/log/sealed/sealed-file.ts';
import { SealedFileError } from '../../../../src/log/sealed/sealed-file-error.ts';
import { SealedWriter } from '../../../../src/log/sealed/sealed-writer.ts';
import { appendSteps, publishAppend, writeSegment } from '../../../../src/log/sqlite/append-steps.ts';
import { checkFile } from '../../../../src/log/sqlite/check-files.ts';
import { committedPositions } from '../../../../src/log/sqlite/committed-positions.ts';
import { execute } from '../../../../src/log/sqlite/coordinate.ts';
import { SealingHeldError } from '../../../../src/log/sqlite/errors.ts';
import { closeLogStore, type LogStore, openLogStore } from '../../../../src/log/sqlite/log-store.ts';
import { planAppend, type StepMeta } from '../../../../src/log/sqlite/plan-append.ts';
import { readRecords } from '../../../../src/log/sqlite/read-records.ts';
import { trimTopic } from '../../../../src/log/sqlite/retention.ts';
import { readSealed } from '../../../../src/log/sqlite/sealing/read-sealed.ts';
import type { SealStep } from '../../../../src/log/sqlite/sealing/seal-segment.ts';
import { listSealed, sealSegments } from '../../../../src/log/sqlite/sealing/seal-segments.ts';
import { takeWriter, type WriterHandle } from '../../../../src/log/sqlite/writer-lease.ts';

const TOPIC = 'raw-blocks';
const ALL = { records: 1000, bytes: 1e9 };
let directory: string;
/** Two processes, from the files' point of view. */
let one: LogStore;
let two: LogStore;
let writer: WriterHandle;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tonhouse-sealing-'));
  one = openLogStore(directory);
  two = openLogStore(directory);
  execute(one, 'establish', { identity: { network: 'test', id: 'a', epochSize: 10, lanes: 2, facts: {} } });
  writer = takeWriter(one, TOPIC, 'w', 0);
  append(0, 1, 2, 20, 21, 40);
});

afterEach(() => {
  closeLogStore(one);
  closeLogStore(two);
  rmSync(directory, { recursive: true });
});

const stepAt = (position: number): StepMeta => ({
  position,
  epoch: Math.floor(position / 10),
  lane: Math.floor(position / 10) % 2,
  records: [{ key: `at ${position}`, headers: { kind: 'test' }, length: 3 }],
});
const bytesAt = (position: number) => [position, position, position];
const values = (positions: readonly number[]) => new Uint8Array(positions.flatMap(bytesAt));

/** Steps of even epochs: all are in lane 0. */
function append(...positions: number[]): void {
  appendSteps(one, writer, positions.map(stepAt), values(positions));
}

/** Keys and values by offset, as the other process reads them. */
function readAll(): string[] {
  const found: string[] = [];
  for (let from = 0; ; ) {
    const records = readRecords(two, { topic: TOPIC, lane: 0, from }, ALL);
    if (records.length === 0) return found;
    for (const { offset, key, value } of records) found.push(`${offset} ${key}: ${[...value]}`);
    from = (records.at(-1)?.offset ?? 0) + 1;
  }
}
const expected = (...positions: number[]) => positions.map((at, i) => `${i} at ${at}: ${bytesAt(at)}`);

/** Seals until a step comes that is named, and stops there. */
function sealUntil(step: SealStep): Generator<SealStep, void> {
  const sealing = sealSegments(one, TOPIC);
  for (let next = sealing.next(); !next.done; next = sealing.next()) if (next.value === step) return sealing;
  throw new Error(`no step ${step}`);
}
const sealAll = () => [...sealSegments(one, TOPIC)];
const sealedEpochs = () => listSealed(two, TOPIC).map(({ epoch }) => epoch);
const problems = async () => {
  const checked = await Promise.all([0, 1, 2, 3].map((index) => checkFile(two, index)));
  return checked.flatMap((one) => one.problems);
};

it('seals epochs before that of the newest step, and readers notice nothing', async () => {
  const before = readAll();
  expect(sealAll().filter((step) => step === 'recorded')).toHaveLength(2);
  expect(readAll()).toEqual(before);
  expect(listSealed(two, TOPIC)).toMatchObject([
    { epoch: 0, first: 0, last: 2, records: 3 },
    { epoch: 2, first: 20, last: 21, records: 2 },
  ]);
  expect(readdirSync(join(directory, 'segments')).filter((name) => name.endsWith('.sqlite'))).toHaveLength(1);
  expect(await problems()).toEqual([]);
  expect(sealAll()).toEqual([]);
});

it('leaves epochs that a group has not passed', () => {
  execute(one, 'join', { topic: TOPIC, group: 'slow' });
  sealAll();
  expect(sealedEpochs()).toEqual([]);
});

it('gives a sealed epoch another segment if it gets records later, which is sealed too', () => {
  sealAll();
  append(3, 41, 4);
  const wanted = expected(0, 1, 2, 20, 21, 40, 3, 41, 4);
  expect(readAll()).toEqual(wanted);
  sealAll();
  expect(sealedEpochs()).toEqual([0, 0, 2]);
  expect(readAll()).toEqual(wanted);
});

it('keeps what a writer appends while its epoch is sealed', () => {
  const sealing = sealUntil('renamed');
  append(3);
  for (const _ of sealing);
  expect(readAll()).toEqual(expected(0, 1, 2, 20, 21, 40, 3));
  expect(sealedEpochs()).toEqual([2]);
  sealAll();
  expect(sealedEpochs()).toEqual([0, 2]);
  expect(readAll()).toEqual(expected(0, 1, 2, 20, 21, 40, 3));
});

it('keeps what a writer publishes that had planned before its epoch was sealed', () => {
  const plans = planAppend(one, writer, [stepAt(3)], values([3]));
  sealAll();
  for (const plan of plans) writeSegment(one, writer, plan, 1);
  expect(publishAppend(one, writer, plans)).toBe(false);
  append(3);
  expect(readAll()).toEqual(expected(0, 1, 2, 20, 21, 40, 3));
});

it('refuses a copy that was altered on its way to the disk, and keeps the segment', () => {
  const sealing = sealUntil('synced');
  const [name = ''] = readdirSync(join(directory, 'sealed')).filter((one) => one.endsWith('.tmp'));
  const copy = join(directory, 'sealed', name);
  const bytes = readFileSync(copy);
  bytes[20] = (bytes[20] as number) ^ 1;
  writeFileSync(copy, bytes);
  expect(() => [...sealing]).toThrow(SealedFileError);
  expect(readAll()).toEqual(expected(0, 1, 2, 20, 21, 40));
  expect(sealedEpochs()).toEqual([]);
  sealAll();
  expect(readAll()).toEqual(expected(0, 1, 2, 20, 21, 40));
});

it.each(['another value', 'a record less', 'another epoch'])(
  'refuses a copy that is a sealed file with %s, and keeps the segment',
  (difference) => {
    const sealing = sealUntil('synced');
    const [name = ''] = readdirSync(join(directory, 'sealed')).filter((one) => one.endsWith('.tmp'));
    const copy = join(directory, 'sealed', name);
    const opened = SealedFile.open(copy, { packing: null });
    const [rows, origin] = [[...opened.rows(0, 100)], opened.index];
    opened.close();
    rmSync(copy);
    const writer = new SealedWriter(copy, null);
    const altered = rows.map((row) =>
      row.offset === 1 ? { ...row, value: new Uint8Array([1, 1, 2]) } : row,
    );
    writer.addChunk(
      difference === 'another value' ? altered : rows.slice(0, difference === 'a record less' ? 2 : 3),
    );
    writer.finish({ ...origin, epoch: difference === 'another epoch' ? 1 : origin.epoch });
    writer.close();
    expect(() => [...sealing]).toThrow(SealedFileError);
    expect(sealedEpochs()).toEqual([]);
    expect(readAll()).toEqual(expected(0, 1, 2, 20, 21, 40));
  },
);

it('reports a sealed file that is altered, torn, another one or gone, and reads nothing from it', async () => {
  sealAll();
  const files = readdirSync(join(directory, 'sealed')).filter((name) => name.endsWith('.sealed'));
  const [path, other] = files.sort().map((name) => join(directory, 'sealed', name)) as [string, string];
  const whole = readFileSync(path);
  const altered = Buffer.from(whole);
  altered[15] = (altered[15] as number) ^ 1;
  for (const bytes of [altered, whole.subarray(0, -1), readFileSync(other), Buffer.alloc(0)]) {
    two.sealed.closeAll();
    writeFileSync(path, bytes);
    expect(await problems()).toMatchObject([expect.stringContaining(path)]);
    expect(readAll).toThrow(SealedFileError);
  }
  two.sealed.closeAll();
  rmSync(path);
  expect(await problems()).toMatchObject([expect.stringContaining('does not exist')]);
  expect(readAll).toThrow('does not exist');
  two.sealed.closeAll();
  writeFileSync(path, whole);
  expect(await problems()).toEqual([]);
});

it('frees sealed epochs like others, and sweeps files of a sealing that ended', () => {
  sealAll();
  writeFileSync(join(directory, 'sealed', `${TOPIC}-9-77.sealed.tmp`), 'half');
  writeFileSync(join(directory, 'sealed', `${TOPIC}-9-78.sealed`), 'unnamed');
  expect(trimTopic(one, TOPIC, 2)).toEqual([0]);
  expect(readAll()).toEqual(expected(0, 1, 2, 20, 21, 40).slice(3));
  sealAll();
  expect(readdirSync(join(directory, 'sealed')).filter((name) => name !== 'sealing.lock')).toHaveLength(1);
});

it('is done by one process at a time', () => {
  const sealing = sealUntil('written');
  expect(() => [...sealSegments(two, TOPIC)]).toThrow(SealingHeldError);
  sealing.return();
  expect([...sealSegments(two, TOPIC)].length).toBeGreaterThan(0);
});

it('raises the version of the log with the first sealed epoch: earlier releases refuse it', () => {
  const version = () => two.log.get<{ user_version: number }>('PRAGMA user_version')?.user_version;
  expect(version()).toBe(1);
  sealAll();
  expect(version()).toBe(2);
  closeLogStore(two);
  two = openLogStore(directory);
  expect(readAll()).toEqual(expected(0, 1, 2, 20, 21, 40));
});

it('knows the positions that a group has passed, also if a sealed file is lost', async () => {
  append(41);
  const passed = async () => {
    const found = await Promise.all(
      [0, 1, 2].map((index) => committedPositions(two, TOPIC, 'decode', index)),
    );
    return found.flatMap(({ ranges }) => [...ranges]).sort((a, b) => a.first - b.first);
  };
  execute(one, 'join', { topic: TOPIC, group: 'decode' });
  two.log.run("UPDATE group_lanes SET committed = 6 WHERE grp = 'decode' AND lane = 0");
  const wanted = [
    { first: 0, last: 2 },
    { first: 20, last: 21 },
    { first: 40, last: 40 },
  ];
  expect(await passed()).toEqual(wanted);
  sealAll();
  expect(sealedEpochs()).toEqual([0, 2]);
  expect(await passed()).toEqual(wanted);
  two.log.run("UPDATE group_lanes SET committed = 2 WHERE grp = 'decode' AND lane = 0");
  expect(await passed()).toEqual([{ first: 0, last: 1 }]);
  two.log.run("UPDATE group_lanes SET committed = 6 WHERE grp = 'decode' AND lane = 0");
  two.sealed.closeAll();
  rmSync(join(directory, 'sealed'), { recursive: true });
  expect(await passed()).toEqual(wanted);
});

it('finds sealed records by position and key, and reads no other segment', () => {
  const found = (query: SealedQuery) =>
    readSealed(two, TOPIC, query).map(({ key, value }) => `${key}: ${[...value]}`);
  expect(found({ first: 0, last: 99 })).toEqual([]);
  sealAll();
  append(3, 41, 4);
  sealAll();
  expect(found({ first: 1, last: 20 })).toEqual([
    ...['at 1: 1,1,1', 'at 2: 2,2,2'],
    ...['at 3: 3,3,3', 'at 4: 4,4,4'],
    'at 20: 20,20,20',
  ]);
  expect(found({ first: 0, last: 99, keys: ['at 2', 'at 21', 'at 40'] })).toEqual([
    'at 2: 2,2,2',
    'at 21: 21,21,21',
  ]);
  expect(found({ first: 2, last: 2, withoutValues: true })).toEqual(['at 2: ']);
  expect(found({ first: 2, last: 2 })).toEqual(['at 2: 2,2,2']);
  expect(found({ first: 2, last: 2, withoutValues: true })).toEqual(['at 2: ']);
  expect(found({ first: 40, last: 99 })).toEqual([]);
  two.sealed.closeAll();
  rmSync(join(directory, 'sealed'), { recursive: true });
  expect(() => found({ first: 2, last: 2 })).toThrow('does not exist');
});
