import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  ColdPlaceError,
  prepareColdPlace,
} from '../../../../../src/platform/clickhouse/embedded/cold-folder.ts';
import { HeldParts, undoMoves } from '../../../../../src/platform/clickhouse/embedded/held-parts.ts';

const TABLE = 'store/abc/abc00000-0000-4000-8000-000000000000';

function makeStore() {
  const root = mkdtempSync(join(tmpdir(), 'tonhouse-held-parts-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const store = join(root, 'clickhouse');
  mkdirSync(store);
  prepareColdPlace(store, { folder: join(root, 'cold') });
  const [hot, cold] = [join(store, 'data', TABLE), join(root, 'cold', TABLE)];
  const held = (disk: string) => {
    const folder = join(disk, '../../..', 'held');
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  return { store, hot, cold, held };
}

/** A part with a projection. */
function makePart(table: string, text: string, name = '20_1_5_2'): string {
  const part = join(table, name);
  mkdirSync(join(part, 'by_time.proj'), { recursive: true });
  for (const file of ['data.bin', 'by_time.proj/data.bin']) writeFileSync(join(part, file), text);
  return `${part}/`;
}

const read = (table: string, name = '20_1_5_2') =>
  ['data.bin', 'by_time.proj/data.bin'].map((file) => readFileSync(join(table, name, file), 'utf8'));

it.each(['to the cold folder', 'back'])('undoes a move %s whose copy may not be on the disk', async (way) => {
  const { store, hot, cold, held } = makeStore();
  const [from, to] = way === 'back' ? [cold, hot] : [hot, cold];
  const path = makePart(from, 'rows');
  expect(new HeldParts(store).hold(path)).toBe(true);
  rmSync(path, { recursive: true });
  makePart(to, '');
  await undoMoves(store);
  expect(read(from)).toEqual(['rows', 'rows']);
  expect(readdirSync(to)).toEqual([]);
  expect([...held(hot), ...held(cold)]).toEqual([]);
});

it('leaves an original that the server has not removed', async () => {
  const { store, hot, cold, held } = makeStore();
  new HeldParts(store).hold(makePart(hot, 'rows'));
  makePart(cold, '');
  await undoMoves(store);
  expect(read(hot)).toEqual(['rows', 'rows']);
  expect(readdirSync(cold)).toEqual([]);
  expect(held(hot)).toEqual([]);
});

it('leaves moved parts after the release', async () => {
  const { store, hot, cold } = makeStore();
  const parts = new HeldParts(store);
  const path = makePart(hot, 'rows');
  parts.hold(path);
  expect(parts.isEmpty).toBe(false);
  rmSync(path, { recursive: true });
  makePart(cold, 'rows');
  parts.release();
  expect(parts.isEmpty).toBe(true);
  await undoMoves(store);
  expect(readdirSync(hot)).toEqual([]);
  expect(read(cold)).toEqual(['rows', 'rows']);
});

it('keeps the cold folder while a move from it may have to be undone', () => {
  const { store, cold } = makeStore();
  const path = makePart(cold, 'rows');
  new HeldParts(store).hold(path);
  rmSync(path, { recursive: true });
  expect(() => prepareColdPlace(store, undefined)).toThrow(ColdPlaceError);
});

it('does not restore parts of a dropped table, nor what was not held completely', async () => {
  const { store, hot, cold, held } = makeStore();
  new HeldParts(store).hold(makePart(hot, 'rows'));
  rmSync(hot, { recursive: true });
  mkdirSync(join(hot, '../../../held/gone-1'));
  await undoMoves(store);
  expect(existsSync(hot)).toBe(false);
  expect(existsSync(cold)).toBe(false);
  expect(held(hot)).toEqual([]);
});

it('does not hold a part that is gone, and holds nothing of other disks', () => {
  const { store, hot, held } = makeStore();
  const parts = new HeldParts(store);
  expect(parts.hold(`${join(hot, '20_1_5_2')}/`)).toBe(false);
  expect(parts.hold(makePart(join(store, 'data/disks/cold', TABLE), 'names of objects'))).toBe(true);
  expect(parts.isEmpty).toBe(true);
  expect(held(hot)).toEqual([]);
});
