import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { deleteTornJoins } from '../../../../../src/platform/clickhouse/embedded/torn-joins.ts';

const TABLE = 'data/store/490/490b8846-c0d4-4c07-b95b-b8ecb5feb68b';

/** A part of a file with so many bytes of data. */
function part(size: number): Buffer {
  const bytes = Buffer.alloc(16 + 9 + size, 7);
  bytes.writeUInt32LE(9 + size, 17);
  return bytes;
}

it('deletes files that have not all of their bytes, and no others', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-torn-joins-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  expect(deleteTornJoins(directory)).toEqual([]);
  const table = join(directory, TABLE);
  mkdirSync(join(table, 'all_1_1_0'), { recursive: true });
  const whole = Buffer.concat([part(61), part(5)]);
  const files: Readonly<Record<string, Buffer>> = {
    '1.bin': whole,
    '2.bin': whole.subarray(0, 33),
    '3.bin': Buffer.alloc(whole.length),
    '4.bin': Buffer.alloc(0),
    '5.bin': whole.subarray(0, 90),
    'data.bin': whole.subarray(0, 33),
    'all_1_1_0/6.bin': whole.subarray(0, 33),
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(table, name), bytes);
  expect(deleteTornJoins(directory)).toEqual(['2.bin', '3.bin', '5.bin'].map((name) => join(table, name)));
  expect(readdirSync(table).sort()).toEqual(['1.bin', '4.bin', 'all_1_1_0', 'data.bin']);
});
