import { describe, expect, it } from 'vitest';
import { type Packed, packedAlias, packedPlaces, packedSql } from '../../../src/tables/packed.ts';
import { packedReader } from '../../../src/tables/packed-reader.ts';

const TYPES = {
  step: 'UInt32',
  hash: 'FixedString(32)',
  kind: "Enum8('a' = -1, 'b' = 2)",
  is_new: 'Bool',
  small: 'Int16',
  lt: 'UInt64',
  amount: 'UInt128',
  opcode: 'Nullable(UInt32)',
  body: 'String',
  init: 'String',
  norm: 'FixedString(32)',
  extra: 'Map(UInt32, UInt256)',
} as const;

const PLAIN = {
  rows: 'samples',
  layout: 7,
  sized: ['step', 'hash', 'kind', 'is_new', 'small', 'lt', 'amount', 'opcode'],
  strings: ['body', 'init'],
} as const satisfies Packed<keyof typeof TYPES>;

const RICH = {
  ...PLAIN,
  optional: { column: 'norm', condition: "kind = 'b'", otherwise: 'hash' },
  maps: ['extra'],
} as const satisfies Packed<keyof typeof TYPES>;

const refuse = (found: string) => new RangeError(found);
const hash = (byte: number) => Buffer.alloc(32, byte);

function u(value: bigint | number, width: number): Buffer {
  const bytes = Buffer.alloc(width);
  for (let i = 0, left = BigInt(value); i < width; i++, left >>= 8n) bytes[i] = Number(left & 0xffn);
  return bytes;
}

/** The columns of fixed size; `opcode` null or a number. */
const sized = (opcode: number | null) => [
  u(7, 1),
  u(5, 4),
  hash(9),
  u(0xff, 1),
  u(1, 1),
  u(0xfffe, 2),
  u(2n ** 63n, 8),
  u(2n ** 100n, 16),
  u(opcode === null ? 1 : 0, 1),
  u(opcode ?? 0, 4),
];

describe('a payload', () => {
  it('has its columns at the places that its aliases name', () => {
    const places = packedPlaces(PLAIN, TYPES);
    expect(places).toEqual({
      step: 1,
      hash: 5,
      kind: 37,
      is_new: 38,
      small: 39,
      lt: 41,
      amount: 49,
      opcode: 65,
    });
    expect(packedAlias(PLAIN, TYPES, 'hash')).toBe('toFixedString(substring(payload, 6, 32), 32)');
    expect(packedAlias(PLAIN, TYPES, 'opcode')).toBe(
      'if(substring(payload, 66, 1) = char(1), NULL, reinterpretAsUInt32(substring(payload, 67, 4)))',
    );
    expect(packedAlias(PLAIN, TYPES, 'init')).toBe(
      'substring(payload, 79 + reinterpretAsUInt32(substring(payload, 71, 4)), reinterpretAsUInt32(substring(payload, 75, 4)))',
    );
    expect(packedAlias(RICH, TYPES, 'init')).toBe(
      'right(payload, reinterpretAsUInt32(substring(payload, 75, 4)))',
    );
    expect(packedAlias(RICH, TYPES, 'norm')).toBe(
      "if(kind = 'b', toFixedString(substring(payload, 80, 32), 32), hash)",
    );
    expect(() => packedAlias(PLAIN, TYPES, 'extra')).toThrow('no column extra in the payload of samples');
  });

  it('is an expression over columns and their replacements', () => {
    expect(packedSql(RICH, TYPES, { step: '0', body: "''" })).toBe(
      "concat(char(7), formatRow('RowBinary', 0, hash, kind, is_new, small, lt, amount, isNull(opcode), ifNull(opcode, toUInt32(0)), toUInt32(length('')), toUInt32(length(init)), if(kind = 'b', substring(norm, 1, 32), ''), extra), '', init)",
    );
  });

  it('is read by type, in any order', () => {
    const { open, field, tail } = packedReader(RICH, TYPES, refuse);
    const entry = [u(1, 1), u(3, 4), u(2n ** 200n, 32)];
    const bytes = [...sized(8), u(2, 4), u(1, 4), u(32, 1), hash(4), ...entry, Buffer.from('abc')];
    const row = open(Buffer.concat(bytes));
    expect(tail(row)).toEqual({
      strings: { body: Buffer.from('ab'), init: Buffer.from('c') },
      optional: hash(4),
      maps: [[[3, 2n ** 200n]]],
    });
    const values = [field.amount(row), field.lt(row), field.small(row), field.is_new(row), field.kind(row)];
    expect(values).toEqual([2n ** 100n, 2n ** 63n, -2, true, 'a']);
    expect([field.step(row), field.hash(row), field.opcode(row)]).toEqual([5, hash(9), 8]);
  });

  it('has null for an opcode that is NULL, and for an optional column without a value', () => {
    const { open, field, tail } = packedReader(RICH, TYPES, refuse);
    const row = open(Buffer.concat([...sized(null), u(0, 4), u(0, 4), u(0, 1), u(0, 1)]));
    expect(field.opcode(row)).toBeNull();
    expect(tail(row).optional).toBeNull();
  });

  it('is refused if its layout is unknown, or its bytes end early', () => {
    const { open, field, tail } = packedReader(PLAIN, TYPES, refuse);
    expect(() => open(Buffer.from([8]))).toThrow('payload of samples of layout 8, not 7');
    const bytes = Buffer.concat([...sized(8), u(2, 4), u(1, 4), Buffer.from('abc')]);
    for (const size of [1, 20, 60, bytes.length - 1])
      expect(() => {
        const row = open(bytes.subarray(0, size));
        return [field.hash(row), field.opcode(row), tail(row)];
      }).toThrow(RangeError);
  });
});
