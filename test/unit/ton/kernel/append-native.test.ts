import { describe, expect, it } from 'vitest';
import { type ColumnBuilder, createColumnBuilder } from '../../../../src/ton/columns/column-builder.ts';

const hash = (byte: number) => new Uint8Array(32).fill(byte);

const CASES: [type: string, values: unknown[]][] = [
  ['UInt8', [1, 2, 3, 4]],
  ['Int32', [-1, 0, 5, 7]],
  ['UInt128', [1n, 2n ** 100n, 0n, 3n]],
  ['FixedString(32)', [hash(1), hash(2), hash(3), hash(4)]],
  ['String', [new Uint8Array(0), new Uint8Array(300), Uint8Array.of(1), Uint8Array.of(2, 3)]],
  ['Nullable(UInt32)', [null, 1, 2, null]],
  ['Nullable(UInt128)', [5n, null, null, 6n]],
  [
    'Map(UInt32, UInt256)',
    [
      [
        [1, 2n],
        [3, 4n],
      ],
      [],
      [[5, 6n]],
      [[7, 8n]],
    ],
  ],
];

function builderOf(type: string, values: unknown[]): ColumnBuilder<never> {
  const builder = createColumnBuilder('column', type) as unknown as ColumnBuilder<never>;
  for (const value of values) builder.push(value as never);
  return builder;
}

const bytesOf = (builder: ColumnBuilder<never>) => Buffer.concat(builder.parts()).toString('hex');

describe('appendNative', () => {
  it.each(CASES)('%s: rows appended in Native form are as if pushed', (type, values) => {
    for (let split = 0; split <= values.length; split++) {
      const builder = builderOf(type, values.slice(0, split));
      const rest = values.slice(split);
      builder.appendNative(builderOf(type, rest).parts(), rest.length);
      expect(bytesOf(builder), `after ${split}`).toBe(bytesOf(builderOf(type, values)));
      expect(builder.rows).toBe(values.length);
    }
  });

  it('refuses bytes that are not so many rows', () => {
    const builder = builderOf('UInt32', []);
    expect(() => builder.appendNative([new Uint8Array(5)], 1)).toThrow(RangeError);
    expect(() => builder.appendNative([], 1)).toThrow(RangeError);
  });
});
