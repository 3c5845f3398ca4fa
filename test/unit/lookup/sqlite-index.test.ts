import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type IndexFile, openReader, openWriter } from '../../../src/lookup/sqlite-index.ts';
import type { IndexBatch, IndexedRow, IndexWriter } from '../../../src/lookup/store-port.ts';

const LOOK_UP = 'by_key';
const bytes = (text: string) => Buffer.from(text);
const row = (key: string, step: number, value = `${key} at ${step}`): IndexedRow => ({
  key: bytes(key),
  step,
  value: bytes(value),
});
const batch = (first: number, last: number, rows: readonly IndexedRow[]): IndexBatch => ({
  replaces: { first, last },
  rows: [{ lookUp: LOOK_UP, rows }],
  progress: { covered: [{ first, last }], seenAt: last },
});

let directory: string;
let file: IndexFile;
let writer: IndexWriter;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tonhouse-test-'));
  file = { path: join(directory, 'index.sqlite'), lookUps: [LOOK_UP], source: 'a' };
  writer = openWriter(file);
});
afterEach(() => {
  writer.close();
  rmSync(directory, { recursive: true });
});

const keysOf = (rows: readonly IndexedRow[]) => rows.map(({ key }) => Buffer.from(key).toString());

describe('the file of the look-up index', () => {
  it('has rows by key and by range, and its progress', () => {
    writer.commit(batch(1, 2, [row('b', 1), row('a', 2), row('c', 2, 'x'.repeat(5_000))]));
    const reader = openReader(file);
    expect(reader.get(LOOK_UP, bytes('a'))).toMatchObject({ step: 2, value: bytes('a at 2') });
    expect(reader.get(LOOK_UP, bytes('c'))?.value).toEqual(bytes('x'.repeat(5_000)));
    expect(reader.get(LOOK_UP, bytes('d'))).toBe(null);
    const bounds = { from: bytes('b'), below: bytes('d') };
    expect(keysOf(reader.range(LOOK_UP, bounds, 9))).toEqual(['b', 'c']);
    expect(keysOf(reader.range(LOOK_UP, bounds, 1))).toEqual(['b']);
    expect(keysOf(reader.range(LOOK_UP, { ...bounds, isFalling: true }, 9))).toEqual(['c', 'b']);
    expect(keysOf(reader.range(LOOK_UP, { ...bounds, isFalling: true }, 1))).toEqual(['c']);
    expect(writer.progress).toEqual({ covered: [{ first: 1, last: 2 }], seenAt: 2 });
    reader.close();
  });

  it('shows one state of the file in a turn of the event loop, and the newest in the next', async () => {
    writer.commit(batch(1, 1, [row('a', 1)]));
    const reader = openReader(file);
    expect(reader.get(LOOK_UP, bytes('b'))).toBe(null);
    writer.commit(batch(2, 2, [row('b', 2)]));
    expect(reader.get(LOOK_UP, bytes('b'))).toBe(null);
    await Promise.resolve();
    expect(reader.get(LOOK_UP, bytes('b'))).toMatchObject({ step: 2 });
    reader.close();
    // The end of the turn finds the file closed.
    await Promise.resolve();
  });

  it('replaces the rows of repeated steps, also those that do not exist any more', () => {
    writer.commit(batch(1, 3, [row('a', 1), row('b', 2), row('c', 3)]));
    writer.commit(batch(2, 2, [row('d', 2)]));
    writer.commit(batch(2, 2, [row('d', 2)]));
    expect(keysOf(writer.range(LOOK_UP, { from: bytes('a'), below: bytes('z') }, 9))).toEqual([
      'a',
      'c',
      'd',
    ]);
  });

  it('takes a batch as a whole or not at all', () => {
    writer.commit(batch(1, 1, [row('a', 1)]));
    function* cut(): Generator<IndexedRow> {
      yield row('b', 2);
      throw new Error('cut off');
    }
    expect(() => writer.commit({ ...batch(1, 2, []), rows: [{ lookUp: LOOK_UP, rows: cut() }] })).toThrow(
      'cut off',
    );
    expect(keysOf(writer.range(LOOK_UP, { from: bytes('a'), below: bytes('z') }, 9))).toEqual(['a']);
    expect(writer.progress.covered).toEqual([{ first: 1, last: 1 }]);
  });

  it('keeps progress when a batch only continues its range', () => {
    writer.commit({ ...batch(7, 7, [row('a', 7)]), progress: null });
    writer.commit({ ...batch(7, 7, [row('b', 7)]), replaces: null });
    expect(keysOf(writer.range(LOOK_UP, { from: bytes('a'), below: bytes('z') }, 9))).toEqual(['a', 'b']);
    expect(writer.progress.covered).toEqual([{ first: 7, last: 7 }]);
  });

  it('survives a restart, and begins empty with another source or look-up', () => {
    writer.commit(batch(1, 1, [row('a', 1)]));
    const reopen = (change: Partial<IndexFile>) => {
      writer.close();
      writer = openWriter({ ...file, ...change });
      return writer.progress.covered;
    };
    expect(reopen({})).toEqual([{ first: 1, last: 1 }]);
    expect(reopen({ source: 'b' })).toEqual([]);
    writer.commit(batch(1, 1, [row('a', 1)]));
    expect(reopen({ source: 'b', lookUps: [LOOK_UP, 'other'] })).toEqual([]);
  });

  it('is made again if its bytes are no database', () => {
    writer.close();
    writeFileSync(file.path, 'no database '.repeat(1_000));
    writer = openWriter(file);
    expect(writer.progress.covered).toEqual([]);
    writer.commit(batch(1, 1, [row('a', 1)]));
    expect(writer.get(LOOK_UP, bytes('a'))?.step).toBe(1);
  });
});
