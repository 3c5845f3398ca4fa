/**
 * Sealed files in a bucket. The S3 server is moto, as in the tests of exports: it checks signatures, and it is one Python package.
 * A proxy before it makes the faults of a store.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { logCodec } from '../../src/cli/compose/data-directory.ts';
import { SealedBlocksAwayError, sealedBlocks } from '../../src/cli/compose/log/sealed-blocks.ts';
import { SegmentMissingError } from '../../src/log/errors.ts';
import type { SealingBus } from '../../src/log/port.ts';
import { SealedFileError } from '../../src/log/sealed/sealed-file-error.ts';
import { openEmbeddedBus } from '../../src/log/sqlite/embedded-bus.ts';
import { type MoveStep, moveSealed } from '../../src/log/sqlite/sealing/move-sealed.ts';
import { ObjectRefusedError, ObjectStoreError } from '../../src/platform/object-store/object-store-error.ts';
import {
  readS3Location,
  S3LocationError,
  type S3Settings,
} from '../../src/platform/object-store/s3-location.ts';
import { RequestSender } from '../../src/platform/object-store/signed-request.ts';
import { type S3Fault, type S3Server, s3Program, startS3Server } from '../helpers/s3-server.ts';

const TOPIC = 'raw-blocks';
const CHILD = join(import.meta.dirname, '../unit/log/sqlite/moving-child.ts');
const never = new AbortController().signal;
const EPOCHS = [0, 1];
const STEPS = 6;
/** More than a chunk together. */
const VALUE_BYTES = 400_000;
const LONG = { timeoutMs: 5_000, retryMs: 120_000 };
const toShort = (fault: S3Fault) => ({ timeoutMs: fault === 'silent' ? 2_000 : 30_000, retryMs: 1_000 });

const root = realpathSync(mkdtempSync(join(tmpdir(), 'tonhouse-bucket-')));
let s3: S3Server | null = null;
let settings: S3Settings;
let folder: string;
let home: string;
let bus: SealingBus;
let expected: string[];
let place: string;
let number = 0;

beforeAll(async () => {
  const program = await s3Program(root);
  if (program === null) return;
  s3 = await startS3Server(program);
  settings = {
    s3Endpoint: s3.environment.AWS_ENDPOINT_URL,
    s3Region: 'us-east-1',
    s3AccessKey: s3.environment.AWS_ACCESS_KEY_ID,
    s3SecretKey: s3.environment.AWS_SECRET_ACCESS_KEY,
  };
}, 300_000);
afterAll(async () => {
  await s3?.stop();
  rmSync(root, { recursive: true });
});

beforeEach(async (context) => {
  if (s3 === null) return context.skip('moto, an S3 server in Python, cannot be installed');
  s3.onRequest = () => undefined;
  folder = mkdtempSync(join(root, 'log-'));
  home = join(folder, 'log/sealed');
  place = `s3://lake/${++number}/raw`;
  expected = [];
  bus = await openEmbeddedBus({ directory: join(folder, 'log') });
  await bus.establish({ network: 'test', id: 'a', epochSize: 10, lanes: 2, facts: {} });
  const writer = await bus.writer(TOPIC, 'w', 60_000);
  for (const epoch of [...EPOCHS, 2])
    for (let step = 0; step < STEPS; step++) {
      const value = randomBytes(VALUE_BYTES);
      const records = [{ key: `${epoch}/${step}`, headers: { kind: 'test' }, value }];
      await writer.append([{ position: epoch * 10 + step, epoch, lane: epoch % 2, records }]);
      if (epoch < 2) expected.push(`${epoch}/${step} ${value.toString('hex', 0, 20)}`);
    }
  await writer.release();
  await bus.seal(TOPIC, never);
});
afterEach(async () => {
  await bus?.close();
});

const show = (records: readonly { readonly key: string; readonly value: Uint8Array }[]) =>
  records.map(({ key, value }) => `${key} ${Buffer.from(value).toString('hex', 0, 20)}`);

async function withReader<T>(
  work: (reader: SealingBus) => Promise<T>,
  { cacheBytes = 1 << 20, limits = LONG, login = settings } = {},
): Promise<T> {
  const reading = { settings: login, cacheBytes, limits };
  const reader = await openEmbeddedBus({ directory: join(folder, 'log'), reading });
  try {
    return await work(reader);
  } finally {
    await reader.close();
  }
}

/** All records by position, and the ones of epoch 1 in the order of offsets, and what a check finds. */
const readAll = (options?: Parameters<typeof withReader>[1]) =>
  withReader(async (reader) => {
    const found = show(await reader.readSealed(TOPIC, { first: 0, last: 19 }));
    const inOrder: string[] = [];
    for (let at = 0; inOrder.length < STEPS; ) {
      const records = await reader.read(TOPIC, 1, at, { records: 100, bytes: 1 << 30 });
      if (records.length === 0) break;
      inOrder.push(...show(records));
      at = (records.at(-1)?.offset ?? 0) + 1;
    }
    return { found, inOrder, problems: await reader.check(() => {}) };
  }, options);
const everything = () => ({ found: expected, inOrder: expected.slice(STEPS), problems: [] });

async function move(to: string, limits = LONG): Promise<string[]> {
  const steps: string[] = [];
  const onStep = ({ step }: MoveStep) => void steps.push(step);
  await moveSealed(home, to, { signal: never, objectStore: settings, limits, onStep });
  return steps;
}

/** Moves in a process that is killed after a step. Answers whether it was. */
function moveInChild(to: string, last: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...s3!.environment };
    execFile(process.execPath, [CHILD, home, to, last], { env }, (error, _stdout, stderr) => {
      const isKilled = error?.signal === 'SIGKILL';
      if (error && !isKilled) reject(new Error(stderr));
      else resolve(isKilled);
    });
  });
}

async function list(what: 'Contents' | 'Upload'): Promise<readonly string[]> {
  const sender = new RequestSender(readS3Location(place, settings, 'test'), LONG);
  const prefix = place.slice('s3://lake/'.length);
  const query = { ...(what === 'Upload' && { uploads: '' }), prefix };
  const { body } = await sender.send({ method: 'GET', key: '', query, signal: never });
  return [
    ...Buffer.from(body)
      .toString()
      .matchAll(new RegExp(`<${what}>.*?<Key>([^<]+)<`, 'gs')),
  ].map(([, key = '']) => key);
}
const folders = async () => [...new Set((await bus.sealed(TOPIC)).map((one) => one.folder))];
const leftovers = () => readdirSync(home).filter((name) => /\.(old|link|tmp|freed)$/.test(name));
const filesIn = (path: string) => readdirSync(path).filter((name) => name.includes('.sealed'));

it('moves files to a bucket and back, and readers find them, also with a cache of a byte', async () => {
  const second = join(folder, 'second');
  for (const to of [place, second, `${place}/`, home]) {
    expect((await move(to)).filter((step) => step === 'linked')).toHaveLength(EPOCHS.length);
    expect(await folders()).toEqual([to.replace(/\/$/, '')]);
    expect(await readAll()).toEqual(everything());
    expect(await readAll({ cacheBytes: 1 })).toEqual(everything());
    expect(await list('Contents')).toHaveLength(to.startsWith('s3') ? EPOCHS.length : 0);
    expect(await move(to)).toEqual([]);
    expect(leftovers()).toEqual([]);
    if (to !== second) continue;
    expect(filesIn(second)).toHaveLength(EPOCHS.length);
  }
  expect(filesIn(second)).toEqual([]);
  expect(await list('Upload')).toEqual([]);
});

it('moves files from one bucket prefix to another', async () => {
  await move(`${place}/a`);
  await move(`${place}/b`);
  expect(await folders()).toEqual([`${place}/b`]);
  expect((await list('Contents')).every((key) => key.includes('/raw/b/'))).toBe(true);
  expect(await list('Contents')).toHaveLength(EPOCHS.length);
  expect(await readAll()).toEqual(everything());
});

it('writes no login to the data directory', async () => {
  await move(place);
  await readAll();
  for (const name of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  )) {
    const text = readFileSync(join(name.parentPath, name.name)).toString('latin1');
    expect(text).not.toContain(settings.s3SecretKey);
    expect(text).not.toContain(settings.s3AccessKey);
  }
});

it.each(['uploading', 'copied', 'compared', 'linked'])(
  'goes on after a process that was killed when a file was %s',
  async (step) => {
    expect(await moveInChild(place, step)).toBe(true);
    expect(await readAll()).toEqual(everything());
    await moveInChild(place, 'never');
    expect(await readAll()).toEqual(everything());
    expect(await folders()).toEqual([place]);
    expect(await list('Contents')).toHaveLength(EPOCHS.length);
    expect(await list('Upload')).toEqual([]);
    expect(leftovers()).toEqual([]);
  },
);

it.each(['copied', 'compared', 'renamed', 'linked', 'freed'])(
  'goes on after a process that was killed on the way back when a file was %s',
  async (step) => {
    await move(place);
    expect(await moveInChild(home, step)).toBe(true);
    expect(await readAll()).toEqual(everything());
    await moveInChild(home, 'never');
    expect(await readAll()).toEqual(everything());
    expect(await folders()).toEqual([home]);
    expect(await list('Contents')).toEqual([]);
    expect(leftovers()).toEqual([]);
  },
);

/** Spoils the first answers to a method, or all of them. */
function spoil(method: string, fault: S3Fault, times = Number.POSITIVE_INFINITY): () => number {
  let done = 0;
  s3!.onRequest = (request) => {
    if (request.method !== method || done >= times) return undefined;
    done++;
    return fault;
  };
  return () => done;
}

it.each<[string, S3Fault]>([
  ['PUT', 'error'],
  ['PUT', 'silent'],
  ['POST', 'error'],
  ['HEAD', 'error'],
  ['GET', 'cut'],
  ['GET', 'error'],
])('moves although the first answer to %s is spoilt: %s', async (method, fault) => {
  const spoilt = spoil(method, fault, 1);
  await move(place);
  expect(spoilt()).toBe(1);
  expect(await readAll()).toEqual(everything());
});

it.each<[string, S3Fault, RegExp]>([
  ['PUT', 'error', /status 500, InternalError/],
  ['PUT', 'silent', /no complete answer within 2000 ms/],
  ['GET', 'cut', /the connection failed|expected \d+ bytes/],
  ['GET', 'error', /status 500, InternalError/],
])('leaves all files where they are if %s always fails: %s', async (method, fault, message) => {
  spoil(method, fault);
  const error = await move(place, toShort(fault)).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ObjectStoreError);
  expect((error as Error).message).toMatch(message);
  expect((error as Error).message).toContain('s3://lake/');
  s3!.onRequest = () => undefined;
  expect(await folders()).toEqual([home]);
  expect(await readAll()).toEqual(everything());
  await move(place);
  expect(await readAll()).toEqual(everything());
});

it('does not free a file whose uploaded copy differs', async () => {
  s3!.onRequest = ({ method, headers }) => (method === 'GET' && headers.range ? 'altered' : undefined);
  await expect(move(place)).rejects.toThrow(SealedFileError);
  s3!.onRequest = () => undefined;
  expect(await folders()).toEqual([home]);
  expect(await readAll()).toEqual(everything());
});

it('uploads a file again if the object of an earlier move is damaged', async () => {
  expect(await moveInChild(place, 'copied')).toBe(true);
  const [key = ''] = await list('Contents');
  const sender = new RequestSender(readS3Location(place, settings, 'test'), LONG);
  const range = { at: 0, length: 100 };
  const { headers } = await sender.send({ method: 'GET', key, range, signal: never });
  const bytes = Number(headers.get('content-range')?.split('/')[1]);
  await sender.send({ method: 'PUT', key, body: randomBytes(bytes), signal: never });
  await move(place);
  expect(await folders()).toEqual([place]);
  expect(await readAll()).toEqual(everything());
});

it('does not take back a file whose contents are wrong', async () => {
  await move(place);
  spoil('GET', 'altered');
  await expect(move(home)).rejects.toThrow(SealedFileError);
  s3!.onRequest = () => undefined;
  expect(await folders()).toEqual([place]);
  expect(await readAll()).toEqual(everything());
});

it.each<S3Fault>(['altered', 'cut', 'error', 'silent'])(
  'reads again after an answer that is spoilt: %s',
  async (fault) => {
    await move(place);
    const spoilt = spoil('GET', fault, 2);
    expect(await readAll()).toEqual(everything());
    expect(spoilt()).toBe(2);
  },
);

it('names a file whose contents stay wrong, and one that is gone, and reads the others', async () => {
  await move(place);
  const [object = ''] = (await list('Contents')).filter((key) => key.includes('raw-blocks-1-'));
  s3!.onRequest = ({ url }) => (url?.includes(object) ? 'altered' : undefined);
  await withReader(async (reader) => {
    await expect(reader.readSealed(TOPIC, { first: 10, last: 19 })).rejects.toThrow(SealedFileError);
    expect(show(await reader.readSealed(TOPIC, { first: 0, last: 9 }))).toEqual(expected.slice(0, STEPS));
    const [problem, ...others] = await reader.check(() => {});
    expect(problem).toMatch(/raw-blocks-1-\d+\.sealed cannot be used: .* of s3:\/\/lake/);
    expect(others).toEqual([]);
  });
  s3!.onRequest = () => undefined;
  const sender = new RequestSender(readS3Location(place, settings, 'test'), LONG);
  await sender.send({ method: 'DELETE', key: object, signal: never });
  await withReader(async (reader) => {
    await expect(reader.readSealed(TOPIC, { first: 10, last: 19 })).rejects.toThrow(SegmentMissingError);
    const [problem] = await reader.check(() => {});
    expect(problem).toContain(`which is s3://lake/${object}, is named by the log and does not exist`);
  });
});

it('goes on with other work while the store does not answer, and does not call an outage damage', async () => {
  await move(place);
  await withReader(async (reader) => {
    spoil('GET', 'silent');
    const reading = reader.readSealed(TOPIC, { first: 0, last: 19 });
    let isDone = false;
    void reading.finally(() => {
      isDone = true;
    });
    expect(await reader.bounds(TOPIC)).toHaveLength(2);
    const writer = await reader.writer(TOPIC, 'other', 60_000);
    const records = [{ key: 'new', headers: {}, value: new Uint8Array(1) }];
    await writer.append([{ position: 29, epoch: 2, lane: 0, records }]);
    await writer.release();
    expect(isDone).toBe(false);
    s3!.onRequest = () => undefined;
    expect(show(await reading)).toEqual(expected);
  });
  spoil('GET', 'error');
  await withReader(
    async (reader) => {
      await expect(reader.check(() => {})).rejects.toThrow(ObjectStoreError);
      await expect(reader.readSealed(TOPIC, { first: 0, last: 9 })).rejects.toThrow(ObjectStoreError);
    },
    { limits: toShort('error') },
  );
});

it('lets no answer wait for a bucket that does not answer', async () => {
  await move(place);
  await withReader(async (reader) => {
    spoil('GET', 'silent');
    const codec = logCodec();
    const port = sealedBlocks({ bus: reader, codec }, 200);
    await expect(port.read(0, ['0/0'])).rejects.toThrow(SealedBlocksAwayError);
    s3!.onRequest = () => undefined;
    expect(await reader.readSealed(TOPIC, { first: 0, last: 0, keys: ['0/0'] })).toHaveLength(1);
    const unknown = await sealedBlocks({ bus: reader, codec }).read(0, ['no block']);
    expect(unknown.size).toBe(0);
  });
});

it('finds a file that was moved back after it was opened', async () => {
  await move(place);
  await withReader(async (reader) => {
    expect(show(await reader.readSealed(TOPIC, { first: 0, last: 0 }))).toEqual(expected.slice(0, 1));
    await move(home);
    expect(show(await reader.readSealed(TOPIC, { first: 0, last: 19 }))).toEqual(expected);
  });
});

it('says what is missing if the login is missing or wrong', async () => {
  await move(place);
  const login = { s3Region: 'us-east-1', s3Endpoint: settings.s3Endpoint };
  await withReader(
    async (reader) => {
      const error = await reader.readSealed(TOPIC, { first: 0, last: 9 }).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(S3LocationError);
      expect((error as Error).message).toContain('AWS_ACCESS_KEY_ID');
    },
    { login },
  );
  const wrong = { ...settings, s3SecretKey: 'not the secret' };
  await withReader(
    async (reader) => {
      const error = await reader.readSealed(TOPIC, { first: 0, last: 9 }).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(ObjectRefusedError);
      expect((error as Error).message).toContain('SignatureDoesNotMatch');
      expect((error as Error).message).not.toContain('not the secret');
    },
    { login: wrong },
  );
});

it('deletes the objects of freed epochs with the next move', async () => {
  await move(place);
  expect(await bus.trim(TOPIC, 1)).toEqual([0]);
  expect(await list('Contents')).toHaveLength(2);
  await move(place);
  expect(await list('Contents')).toHaveLength(1);
  expect(leftovers()).toEqual([]);
});

it('gives a new log the files of a damaged one, whose objects the new one does not delete', async () => {
  await move(place);
  const reading = { settings, cacheBytes: 1 << 20, limits: LONG };
  const other = await openEmbeddedBus({ directory: join(folder, 'new'), reading });
  try {
    await other.establish({ network: 'test', id: 'a', epochSize: 10, lanes: 2, facts: {} });
    for (const name of filesIn(home)) await other.adoptSealed(join(home, name));
    expect(show(await other.readSealed(TOPIC, { first: 0, last: 19 }))).toEqual(expected);
    const watch = { signal: never, objectStore: settings, onStep: () => {} };
    await moveSealed(join(folder, 'new/sealed'), join(folder, 'new/sealed'), watch);
    expect(show(await other.readSealed(TOPIC, { first: 0, last: 19 }))).toEqual(expected);
  } finally {
    await other.close();
  }
  expect(await list('Contents')).toHaveLength(EPOCHS.length);
  expect(await readAll()).toEqual(everything());
});

it('gives a joined log the addresses of the objects, which it reads and does not delete', async () => {
  await move(place);
  const reading = { settings, cacheBytes: 1 << 20, limits: LONG };
  const other = await openEmbeddedBus({ directory: join(folder, 'joined'), reading });
  try {
    await other.establish({ network: 'test', id: 'a', epochSize: 10, lanes: 2, facts: {} });
    for (const name of filesIn(home)) expect(await other.joinSealed(join(home, name))).not.toBeNull();
    for (const name of filesIn(home)) expect(await other.joinSealed(join(home, name))).toBeNull();
    expect(show(await other.readSealed(TOPIC, { first: 0, last: 19 }))).toEqual(expected);
    expect(await other.check(() => {})).toEqual([]);
    expect((await other.sealed(TOPIC)).map((one) => one.folder)).toEqual(EPOCHS.map(() => place));
    await other.trim(TOPIC, 1);
    const watch = { signal: never, objectStore: settings, onStep: () => {} };
    await moveSealed(join(folder, 'joined/sealed'), join(folder, 'joined/sealed'), watch);
  } finally {
    await other.close();
  }
  expect(await list('Contents')).toHaveLength(EPOCHS.length);
  expect(await readAll()).toEqual(everything());
});
