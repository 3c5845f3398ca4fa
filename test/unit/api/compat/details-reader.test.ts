import { describe, expect, it } from 'vitest';
import { detailsReader } from '../../../../src/api/compat/details-reader.ts';
import { UnknownLayoutError } from '../../../../src/api/query/unknown-layout.ts';

const bytes = (...parts: readonly (readonly number[])[]) => Buffer.from(parts.flat());
const zeros = (count: number) => new Array<number>(count).fill(0);

describe('details in RowBinary', () => {
  it.each([
    ['Bool', [1], true],
    ['UInt8', [255], 255],
    ['Int8', [254], -2],
    ['UInt16', [1, 2], 513],
    ['Int32', [254, 255, 255, 255], -2],
    ['UInt32', [255, 255, 255, 255], 4_294_967_295],
    ['UInt64', [0, 0, 0, 0, 1, 0, 0, 0], '4294967296'],
    ['UInt128', zeros(16), '0'],
    ['UInt128', [...zeros(15), 128], `${1n << 127n}`],
    ['Nullable(UInt128)', [1], null],
    ['Nullable(Int32)', [0, 255, 255, 255, 255], -1],
    ["Enum8('none' = 0, 'vm' = 10)", [10], 'vm'],
    ['FixedString(3)', [0, 0, 0], 'AAAA'],
    ['FixedString(3)', [0, 0, 1], 'AAAB'],
    ['String', [2, 10, 10], 'Cgo='],
    ['Map(UInt32, UInt256)', [0], {}],
    ['Map(UInt32, UInt256)', [1, 7, 0, 0, 0, 10, ...zeros(31)], { 7: '10' }],
  ])('reads %s', (type, given, value) => {
    expect(detailsReader([type])(bytes(given))).toEqual([value]);
  });

  it('reads one value after the other, of any size', () => {
    const read = detailsReader(['Nullable(UInt64)', 'String', 'UInt8']);
    expect(read(bytes([1], [1, 10], [10]))).toEqual([null, 'Cg==', 10]);
    expect(read(bytes([0, 9, ...zeros(7)], [0], [3]))).toEqual(['9', '', 3]);
  });

  it('refuses a type that only a later release knows', () => {
    expect(() => detailsReader(['UInt8', 'IPv6'])).toThrow(UnknownLayoutError);
  });

  it('throws if the bytes end inside a value', () => {
    expect(() => detailsReader(['UInt64'])(bytes([1, 2, 3]))).toThrow(RangeError);
  });
});
