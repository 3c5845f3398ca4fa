import type avsc from 'avsc';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../../../src/platform/avro/avro-types.ts';
import { AvroOutput } from '../../../../src/projections/publish/avro-output.ts';

const HEADER = 5;
const MANY = 60_000;

/** Value that `write` wrote, by avsc's reader. */
function readBack<Value>(type: avsc.Type, write: (out: AvroOutput) => void): Value {
  const out = new AvroOutput();
  out.begin(1);
  write(out);
  const datum = Buffer.from(out.finish());
  const { value, offset } = type.decode(datum, HEADER);
  expect(offset).toBe(datum.length);
  return value as Value;
}

describe('AvroOutput', () => {
  const long = compileSchema('long');

  it.each([
    0,
    1,
    -1,
    63,
    64,
    -64,
    -65,
    2 ** 31 - 1,
    -(2 ** 31),
    2 ** 32,
    Number.MAX_SAFE_INTEGER,
    -(2 ** 52),
  ])('writes %d as a long', (value) => {
    expect(readBack(long, (out) => out.long(value))).toBe(BigInt(value));
    expect(readBack(long, (out) => out.bigLong(BigInt(value)))).toBe(BigInt(value));
  });

  it.each([(1n << 63n) - 1n, -(1n << 63n), 1n << 53n, -1n])('writes %d as a long of 64 bits', (value) => {
    expect(readBack(long, (out) => out.bigLong(value))).toBe(value);
  });

  it('writes the header of the schema', () => {
    const out = new AvroOutput();
    out.begin(0x01020304);
    expect([...out.finish()]).toEqual([0, 1, 2, 3, 4]);
  });

  it('drops a datum that was not finished', () => {
    const out = new AvroOutput();
    out.begin(1);
    out.long(1);
    out.begin(2);
    out.boolean(true);
    expect([...out.finish()]).toEqual([0, 0, 0, 0, 2, 1]);
  });

  it('loses nothing where its memory ends, wherever in a datum that is', () => {
    const type = compileSchema({
      type: 'record',
      name: 'Mixed',
      fields: [
        { name: 'flag', type: 'boolean' },
        { name: 'number', type: 'long' },
        { name: 'big', type: 'long' },
        { name: 'text', type: 'string' },
        { name: 'hash', type: { type: 'fixed', name: 'Three', size: 3 } },
      ],
    });
    // Each datum has another length than the one before it, so that the memory ends within each of the fields somewhere.
    const value = (index: number) => ({
      flag: index % 3 === 0,
      number: BigInt(index ** 2),
      big: BigInt(index) << 40n,
      text: 'x'.repeat(index % 7),
      hash: Uint8Array.of(index & 0xff, 7, 9),
    });
    const out = new AvroOutput();
    const datums = Array.from({ length: MANY }, (_, index) => {
      const { flag, number, big, text, hash } = value(index);
      out.begin(index);
      out.boolean(flag);
      out.long(Number(number));
      out.bigLong(big);
      out.ascii(text);
      out.fixed(hash, 0, 3);
      return out.finish();
    });
    let wrong = 0;
    for (const [index, datum] of datums.entries()) {
      const expected = type.toBuffer(value(index));
      const isSame = Buffer.compare(datum.subarray(HEADER), expected) === 0;
      if (!isSame || Buffer.from(datum).readUInt32BE(1) !== index) wrong++;
    }
    expect(wrong).toBe(0);
  });
});
