import { describe, expect, it } from 'vitest';
import type { ChunkRecord, DecodeRecords } from '../../../../src/engine/decoding/chunk.ts';
import { copyParts, SharedDecoding } from '../../../../src/projections/records/shared-decoding.ts';

const record = (position: number, byte = position): ChunkRecord => ({
  key: `block ${position}`,
  position,
  value: new Uint8Array(16).fill(byte),
});

/** Rows are the first byte of each record. */
function countingDecoder() {
  const seen: number[][] = [];
  const decode: DecodeRecords = (records, spare) => {
    seen.push(records.map(({ position }) => position));
    const buffer = spare ?? new ArrayBuffer(1_024);
    const bytes = new Uint8Array(buffer);
    for (const [i, { value }] of records.entries()) bytes[i] = value[0] as number;
    const outcomes = records.map(() => ({ blocks: 1, transactions: 0, messages: 0 }));
    return { outcomes, parts: { buffer, rows: [records.length], sizes: Uint32Array.of(records.length) } };
  };
  return { seen, decode };
}

function sharedBy(users: number, maxBytes: number) {
  const shared = new SharedDecoding(maxBytes);
  shared.users = users;
  const { seen, decode } = countingDecoder();
  const read = (...records: readonly ChunkRecord[]) => {
    const { parts } = shared.get(records, decode);
    return [...new Uint8Array(parts.buffer, 0, parts.sizes[0])];
  };
  return { seen, read };
}

describe('decoders with the same options', () => {
  it('decode the same records once', () => {
    const { seen, read } = sharedBy(2, 1 << 20);
    for (let user = 0; user < 6; user++) expect(read(record(1), record(2))).toEqual([1, 2]);
    expect(read(record(3))).toEqual([3]);
    expect(read(record(1), record(2))).toEqual([1, 2]);
    expect(seen).toEqual([[1, 2], [3]]);
  });

  it('take rows of equal records only: other bytes, positions, marks or ends are decoded', () => {
    const { seen, read } = sharedBy(2, 1 << 20);
    read(record(1), record(2));
    expect(read(record(1), record(2, 9))).toEqual([1, 9]);
    read(record(1));
    read({ ...record(1), position: 7 }, record(2));
    read({ ...record(1), isStored: true }, record(2));
    const [long, short] = [new Uint8Array(20).fill(1), new Uint8Array(12).fill(2)];
    read({ ...record(1), value: long }, { ...record(2), value: short });
    expect(seen).toHaveLength(6);
  });

  it('hold no more memory than they may, beside the newest chunk', () => {
    const { seen, read } = sharedBy(2, 2_500);
    read(record(1));
    read(record(2));
    read(record(3));
    // The first one is gone, the others are there.
    expect(read(record(2))).toEqual([2]);
    expect(read(record(3))).toEqual([3]);
    expect(seen).toHaveLength(3);
    expect(read(record(1))).toEqual([1]);
    expect(seen).toHaveLength(4);
  });

  it('cache nothing for a single one', () => {
    const { seen, read } = sharedBy(1, 1 << 20);
    read(record(1));
    read(record(1));
    expect(seen).toHaveLength(2);
  });
});

it('copies of rows have memory of their own', () => {
  const { decode } = countingDecoder();
  const { parts } = decode([record(1), record(2)], null);
  const copy = copyParts(parts, null);
  new Uint8Array(parts.buffer).fill(0);
  expect([...new Uint8Array(copy.buffer, 0, 2)]).toEqual([1, 2]);
  expect([copy.rows, [...copy.sizes]]).toEqual([[2], [2]]);
});
