import { expect, it } from 'vitest';
import { stepRows } from '../../../../src/engine/sink/step-rows.ts';
import { encodeNativeBlock } from '../../../../src/platform/clickhouse/native-format.ts';
import { nativeColumn, nativeTable } from '../../../helpers/native-values.ts';

const items = nativeTable(
  'items',
  [
    nativeColumn('mc_seqno', 'UInt32', [7, 9, 7, 9, 9]),
    nativeColumn('kind', "Enum8('a' = 0, 'b' = 1)", [1, 1, 0, 0, 0]),
  ],
  5,
);
const definition = {
  landings: [
    {
      landing: 'items',
      counted: [
        { table: 'pairs', shard: '0', rowsPerRow: 2 },
        { table: 'kinds', shard: '0', where: { column: 'kind', equals: 1 } },
      ],
    },
    { landing: 'others', counted: [{ table: 'others', shard: '0' }] },
  ],
  derived: [],
};

it('counts what every target gets of every step, in the form that the server takes', () => {
  const counted = stepRows(definition, [items]);
  expect(counted.rows).toBe(2);
  const expected = nativeTable(
    'step_rows',
    [
      nativeColumn('mc_seqno', 'UInt32', [7, 9]),
      { name: 'rows', type: 'Map(String, UInt64)', parts: () => [mapOf([1n, 4n], [1n, 6n])] },
    ],
    2,
  );
  expect(Buffer.concat([...encodeNativeBlock(counted)])).toEqual(
    Buffer.concat([...encodeNativeBlock(expected)]),
  );
});

it('counts nothing of no rows', () => {
  expect(stepRows(definition, [nativeTable('items', [], 0)]).rows).toBe(0);
});

/** Maps of the tables kinds and pairs, one a row: ends, keys, values. */
function mapOf(...rows: readonly (readonly bigint[])[]): Buffer {
  const u64 = (value: bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(value);
    return bytes;
  };
  const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
  return Buffer.concat([
    ...rows.map((_, i) => u64(BigInt((i + 1) * 2))),
    ...rows.flatMap(() => [text('kinds'), text('pairs')]),
    ...rows.flat().map(u64),
  ]);
}
