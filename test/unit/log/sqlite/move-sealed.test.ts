import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SealingBus } from '../../../../src/log/port.ts';
import { openEmbeddedBus } from '../../../../src/log/sqlite/embedded-bus.ts';
import { SealingHeldError } from '../../../../src/log/sqlite/errors.ts';
import { type MoveStep, moveSealed } from '../../../../src/log/sqlite/sealing/move-sealed.ts';
import { takeDirectoryLock } from '../../../../src/platform/files/directory-lock.ts';

const TOPIC = 'raw-blocks';
const CHILD = join(import.meta.dirname, 'moving-child.ts');
const never = new AbortController().signal;
const EPOCHS = [0, 1];

let folder: string;
let home: string;
let bus: SealingBus;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tonhouse-moving-')));
  home = join(folder, 'log/sealed');
  bus = await openEmbeddedBus({ directory: join(folder, 'log') });
  await bus.establish({ network: 'test', id: 'a', epochSize: 10, lanes: 2, facts: {} });
  const writer = await bus.writer(TOPIC, 'w', 5_000);
  for (const epoch of [...EPOCHS, 2]) {
    const records = [{ key: `at ${epoch}`, headers: { kind: 'test' }, value: new Uint8Array([epoch]) }];
    await writer.append([{ position: epoch * 10, epoch, lane: epoch % 2, records }]);
  }
  await writer.release();
  await bus.seal(TOPIC, never);
});

afterEach(async () => {
  await bus.close();
  rmSync(folder, { recursive: true });
});

/** What a process that opens the log now reads, and what it finds wrong. */
async function read(): Promise<{ readonly values: string[]; readonly problems: readonly string[] }> {
  const other = await openEmbeddedBus({ directory: join(folder, 'log') });
  try {
    const found = await other.readSealed(TOPIC, { first: 0, last: 99 });
    return {
      values: found.map(({ key, value }) => `${key}: ${[...value]}`),
      problems: await other.check(() => {}),
    };
  } finally {
    await other.close();
  }
}
const EVERYTHING = { values: EPOCHS.map((epoch) => `at ${epoch}: ${epoch}`), problems: [] };

async function move(to: string): Promise<string[]> {
  const steps: string[] = [];
  await moveSealed(home, to, { signal: never, onStep: ({ step }: MoveStep) => void steps.push(step) });
  return steps;
}

/** Moves in a process that is killed after the first step of a kind. Answers whether it was. */
function moveInChild(to: string, last: MoveStep['step'] | 'never'): Promise<boolean> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [CHILD, home, to, last], (error, _stdout, stderr) => {
      const isKilled = error?.signal === 'SIGKILL';
      if (error && !isKilled) reject(new Error(stderr));
      else resolve(isKilled);
    });
  });
}

const folders = async () => [...new Set((await bus.sealed(TOPIC)).map((one) => one.folder))];
const filesIn = (place: string) => readdirSync(place).filter((name) => name.includes('.sealed'));

it('moves all files to another folder, from there to a third one and back, and readers find them', async () => {
  const [second, third] = [join(folder, 'second'), join(folder, 'a/third')];
  expect(await folders()).toEqual([home]);
  for (const place of [second, third, home]) {
    const steps = await move(place);
    expect(steps.filter((step) => step === 'linked')).toHaveLength(EPOCHS.length);
    expect(await folders()).toEqual([place]);
    expect(await read()).toEqual(EVERYTHING);
    for (const other of [second, third].filter((one) => one !== place))
      if (place !== second) expect(filesIn(other)).toEqual([]);
    expect(filesIn(place)).toHaveLength(EPOCHS.length);
    expect(await move(place)).toEqual([]);
  }
  expect(filesIn(home)).toHaveLength(EPOCHS.length);
});

it.each(['copied', 'compared', 'renamed', 'linked', 'freed'] as const)(
  'goes on after a process that was killed when a file was %s: nothing is lost, and nothing is left behind',
  async (step) => {
    const places = [join(folder, 'second'), join(folder, 'third'), home];
    for (const [at, to] of places.entries()) {
      // At home there is nothing to free.
      expect(await moveInChild(to, step)).toBe(at > 0 || step !== 'freed');
      expect(await read()).toEqual(EVERYTHING);
      await moveInChild(to, 'never');
      expect(await read()).toEqual(EVERYTHING);
      expect(await folders()).toEqual([to]);
      for (const other of places.slice(0, at)) expect(filesIn(other)).toEqual([]);
    }
    expect(readdirSync(home).filter((name) => /\.(old|link|tmp)$/.test(name))).toEqual([]);
  },
);

it('frees moved files with their epochs, and names a moved file that is gone', async () => {
  const second = join(folder, 'second');
  await move(second);
  const [first = '', gone = ''] = filesIn(second).sort();
  expect(await bus.trim(TOPIC, 1)).toEqual([0]);
  expect(filesIn(second)).not.toContain(first);
  expect(filesIn(home)).not.toContain(first);
  const bytes = readFileSync(join(second, gone));
  rmSync(join(second, gone));
  const [problem] = await bus.check(() => {});
  expect(problem).toContain(
    `${join(home, gone)}, a link to ${join(second, gone)}, is named by the log and does not exist`,
  );
  expect((await bus.sealed(TOPIC))[0]?.folder).toBeNull();
  writeFileSync(join(second, gone), bytes);
  expect(await bus.check(() => {})).toEqual([]);
});

it('refuses to move while another process seals', async () => {
  const lock = takeDirectoryLock(home, 'sealing.lock');
  await expect(move(join(folder, 'second'))).rejects.toThrow(SealingHeldError);
  lock?.release();
});
