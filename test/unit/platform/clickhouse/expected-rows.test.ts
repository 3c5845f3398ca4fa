import { describe, expect, it } from 'vitest';
import {
  countRows,
  differences,
  expectedRows,
  SinkDefinitionError,
} from '../../../../src/engine/sink/expected-rows.ts';
import type { SinkDefinition } from '../../../../src/engine/sink/sink-definition.ts';
import { nativeColumn, nativeTable } from '../../../helpers/native-values.ts';

const kinds = nativeColumn('kind', "Enum8('a' = -1, 'b' = 0, 'c' = 1)", [-1, 0, 1, 1, 0, 1]);
const notes = nativeColumn('note', 'Nullable(UInt32)', [null, 0, 1, null, 5, 6]);
const data = nativeColumn('text', 'String', ['', 'a', 'b', 'c', 'd', 'e']);
const table = nativeTable('items', [kinds, notes, data], 6);

const definition: SinkDefinition = {
  landings: [
    {
      landing: 'items',
      counted: [
        { table: 'items', shard: '0' },
        { table: 'pairs', shard: '0', rowsPerRow: 2, where: { column: 'kind', equals: 1 } },
      ],
    },
    { landing: 'other', counted: [{ table: 'others', shard: '0' }] },
  ],
  derived: [],
};
const batch = { lane: 0, epoch: 0, from: 0, next: 1, firstPosition: 0, lastPosition: 0, tables: [table] };

describe('countRows', () => {
  it('counts all rows, those of a value, and those that are not NULL', () => {
    expect(countRows(table, undefined)).toBe(6);
    expect(countRows(table, { column: 'kind', equals: 1 })).toBe(3);
    expect(countRows(table, { column: 'kind', equals: -1 })).toBe(1);
    expect(countRows(table, { column: 'note', notNull: true })).toBe(4);
  });

  it('counts rows that pass every filter', () => {
    const both = [
      { column: 'kind', equals: 1 },
      { column: 'note', notNull: true },
    ] as const;
    expect(countRows(table, both)).toBe(2);
    expect(countRows(table, [both[0]])).toBe(3);
    expect(countRows(table, [])).toBe(6);
  });

  it('reads a column whose data arrives in parts', () => {
    const whole = notes.parts()[0]!;
    const parts = [whole.subarray(0, 1), whole.subarray(1, 4), whole.subarray(4)];
    const cut = nativeTable('items', [{ ...notes, parts: () => parts }], 6);
    expect(countRows(cut, { column: 'note', notNull: true })).toBe(4);
  });

  it('refuses a filter that does not fit the column', () => {
    expect(() => countRows(table, { column: 'nothing', equals: 1 })).toThrow(SinkDefinitionError);
    expect(() => countRows(table, { column: 'text', equals: 1 })).toThrow('String');
    expect(() => countRows(table, { column: 'kind', notNull: true })).toThrow('Nullable');
    const short = nativeTable('items', [{ ...kinds, parts: () => [new Uint8Array(5)] }], 6);
    expect(() => countRows(short, { column: 'kind', equals: 0 })).toThrow('1 bytes short');
  });
});

describe('expectedRows', () => {
  it('names every counted target, those without a landing in the batch too', () => {
    expect(expectedRows(definition, batch)).toEqual({ items: 6, pairs: 6, others: 0 });
  });

  it('refuses a table that lands nowhere', () => {
    const stranger = { ...batch, tables: [nativeTable('stranger', [], 0)] };
    expect(() => expectedRows(definition, stranger)).toThrow(SinkDefinitionError);
  });
});

describe('differences', () => {
  it('compares every table that either side names', () => {
    expect(differences({ a: 1, b: 2 }, { a: 1, b: 2 })).toEqual([]);
    expect(differences({ a: 1, b: 2 }, { a: 1, c: 3 })).toEqual([
      { table: 'b', expected: 2, found: 0 },
      { table: 'c', expected: 0, found: 3 },
    ]);
  });
});
