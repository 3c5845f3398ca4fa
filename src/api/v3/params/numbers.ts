import { Type } from 'typebox';
import { type Parameter, ParameterError, single } from './parameter.ts';

const MAX_U32 = 0xffff_ffff;
const MAX_U64 = (1n << 64n) - 1n;

/** Signed 32-bit; the empty text is 0. */
export function i32(description: string): Parameter<number | undefined> {
  return single(Type.Integer({ description, format: 'int32' }), readI32);
}

function readI32(text: string): number {
  if (text === '') return 0;
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || value < -0x8000_0000 || value > 0x7fff_ffff) throw new ParameterError();
  return value;
}

/** A masterchain seqno where whatever is not a number counts as 0, which no block has (v3-endpoints.md 2.2). */
export function looseSeqno(description: string): Parameter<number> {
  const read = (text: string): number => {
    try {
      return readI32(text);
    } catch (error) {
      if (error instanceof ParameterError) return 0;
      throw error;
    }
  };
  const one = single(Type.Integer({ description, format: 'int32' }), read);
  return { ...one, absent: 0, read: (values) => one.read(values) ?? 0 };
}

/** Unix seconds; a fraction is dropped; times beyond 32 bits are the latest one, which no block reaches. */
export function utime(description: string): Parameter<number | undefined> {
  return single(Type.Integer({ description, minimum: 0 }), (text) => {
    if (text === '') return 0;
    if (!/^\+?\d+(\.\d*)?$/.test(text)) throw new ParameterError();
    return Math.min(Math.trunc(Number(text)), MAX_U32);
  });
}

/** Unsigned 64-bit decimal; the empty text is 0. */
export function lt(description: string): Parameter<bigint | undefined> {
  return single(Type.String({ description, pattern: '^\\d+$' }), (text) => {
    if (text === '') return 0n;
    if (!/^\d+$/.test(text)) throw new ParameterError();
    const value = BigInt(text);
    if (value > MAX_U64) throw new ParameterError();
    return value;
  });
}

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True', 'on']);
const FALSE = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False', '']);

/** The words that mean true or false; null for any other. */
export function readBool(text: string): boolean | null {
  if (TRUE.has(text)) return true;
  return FALSE.has(text) ? false : null;
}

export function bool(description: string): Parameter<boolean | undefined> {
  return single(Type.Boolean({ description }), (text) => {
    const value = readBool(text);
    if (value === null) throw new ParameterError();
    return value;
  });
}
