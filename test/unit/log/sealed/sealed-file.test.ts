import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SealedFile } from '../../../../src/log/sealed/sealed-file.ts';
import { SealedFileError } from '../../../../src/log/sealed/sealed-file-error.ts';
import { SealedWriter } from '../../../../src/log/sealed/sealed-writer.ts';
import type { StoredRow } from '../../../../src/log/sealed/stored-row.ts';
import type { ValuePacking } from '../../../../src/log/sealed/value-packing.ts';

const ORIGIN = { network: 'aa:bb', topic: 'raw-blocks', epoch: 3, lane: 1, segment: 7 };

/** Halves of values that begin with 1; the others have no such form. One value comes back altered. */
const HALVES: ValuePacking = {
  name: 'halves/1',
  split: (value) =>
    value[0] === 1 ? [value.subarray(0, value.length / 2), value.subarray(value.length / 2)] : null,
  join: (parts) => {
    const value = new Uint8Array(Buffer.concat(parts));
    if (value[1] === 99) value[1] = 0;
    return value;
  },
};

const row = (offset: number, value: number[]): StoredRow => ({
  offset,
  position: 1000 + (offset >> 1),
  ends_step: offset % 2,
  appended_at: 5_000 + offset,
  key: `key ${offset}`,
  headers: JSON.stringify({ kind: 'block', offset: String(offset) }),
  value: new Uint8Array(value),
});
const ROWS = [
  row(10, [1, 2, 3, 4, 5]),
  row(11, []),
  row(12, [9, 9]),
  row(13, [1, 99, 7]),
  row(20, [1, 8, 8, 8]),
  row(21, [0]),
];

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonhouse-sealed-'));
  path = join(folder, 'one.sealed');
  const writer = new SealedWriter(path, HALVES);
  writer.addChunk(ROWS.slice(0, 3));
  writer.addChunk(ROWS.slice(3, 4));
  writer.addChunk(ROWS.slice(4));
  writer.finish(ORIGIN);
  writer.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(file: string, packing: ValuePacking | null = HALVES): StoredRow[] {
  const opened = SealedFile.open(file, { packing });
  try {
    return [...opened.rows(0, 1_000)];
  } finally {
    opened.close();
  }
}

describe('a sealed file', () => {
  it('has the records as they were, and any part of them', () => {
    const file = SealedFile.open(path, { packing: HALVES });
    expect(file.index).toMatchObject({ ...ORIGIN, packing: 'halves/1' });
    expect([...file.rows(0, 1_000)]).toEqual(ROWS);
    for (let first = 9; first < 23; first++)
      for (let next = first; next < 23; next++)
        expect([...file.rows(first, next)]).toEqual(
          ROWS.filter(({ offset }) => offset >= first && offset < next),
        );
    const none = new Uint8Array(0);
    expect([...file.rows(11, 21, true)]).toEqual(ROWS.slice(1, 5).map((one) => ({ ...one, value: none })));
    expect([...file.rows(13, 14)]).toEqual([ROWS[3]]);
    file.close();
  });

  it('gives values memory of their own, which may move to another thread', () => {
    const file = SealedFile.open(path, { packing: HALVES });
    for (const { value } of file.rows(0, 1_000))
      structuredClone(value.buffer, { transfer: [value.buffer as ArrayBuffer] });
    expect([...file.rows(0, 1_000)]).toEqual(ROWS);
    file.close();
  });

  it('is refused if a byte is altered, and never read as something else', () => {
    const whole = readFileSync(path);
    const other = join(folder, 'altered.sealed');
    for (let at = 0; at < whole.length; at++) {
      const altered = Buffer.from(whole);
      altered[at] = (altered[at] as number) ^ 0x41;
      writeFileSync(other, altered);
      expect(() => read(other), `byte ${at}`).toThrow(SealedFileError);
    }
  });

  it('is refused if its end is missing', () => {
    const whole = readFileSync(path);
    const other = join(folder, 'torn.sealed');
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(other, whole.subarray(0, length));
      expect(() => read(other), `${length} bytes`).toThrow(SealedFileError);
    }
  });

  it('is refused if it is not there, or its values have an unknown form', () => {
    expect(() => read(join(folder, 'none.sealed'))).toThrow('ENOENT');
    expect(() => read(path, null)).toThrow('the form halves/1');
    expect(() => read(path, { ...HALVES, name: 'halves/2' })).toThrow('the form halves/1');
  });
});
