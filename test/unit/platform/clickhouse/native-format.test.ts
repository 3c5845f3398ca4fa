import { describe, expect, it } from 'vitest';
import {
  encodeNativeBlock,
  nativeBlockParts,
  varUint,
} from '../../../../src/platform/clickhouse/native-format.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('varUint', () => {
  it.each<[number, number[]]>([
    [0, [0]],
    [127, [0x7f]],
    [128, [0x80, 0x01]],
    [300, [0xac, 0x02]],
    [2 ** 32, [0x80, 0x80, 0x80, 0x80, 0x10]],
  ])('%i', (value, expected) => {
    expect([...varUint(value)]).toEqual(expected);
  });

  it.each([-1, 1.5, 2 ** 53])('refuses %d', (value) => {
    expect(() => varUint(value)).toThrow(RangeError);
  });
});

describe('a Native block', () => {
  const table = {
    name: 'anything',
    rows: 2,
    columns: [
      { name: 'a', type: 'UInt8', parts: () => [bytes(7), bytes(), bytes(8)] },
      { name: 'bé', type: 'Bool', parts: () => [bytes(1, 0)] },
    ],
  };
  const text = (value: string) => [...Buffer.from(value)];
  const expected = [
    2,
    2,
    1,
    ...text('a'),
    5,
    ...text('UInt8'),
    7,
    8,
    3,
    ...text('bé'),
    4,
    ...text('Bool'),
    1,
    0,
  ];

  it('is counts, then name, type and data of each column', () => {
    expect([...Buffer.concat([...nativeBlockParts(table)])]).toEqual(expected);
  });

  it('is sent with small parts joined and large ones uncopied', () => {
    expect([...encodeNativeBlock(table)].map((chunk) => [...chunk])).toEqual([expected]);
    const large = new Uint8Array(100_000);
    const chunks = [
      ...encodeNativeBlock({
        name: 't',
        rows: 1,
        columns: [{ name: 'x', type: 'String', parts: () => [large] }],
      }),
    ];
    expect(chunks).toHaveLength(2);
    expect(chunks[1]).toBe(large);
  });
});
