import { Type } from 'typebox';
import type { JsonValue } from '../http/json-source.ts';
import { type Form, toText } from './form.ts';
import { INT32, INT64, readInteger } from './integer.ts';

const HEX_SHARD = /^(0[xX])?[0-9a-fA-F]{1,16}$/;
const HEX_OPCODE = /^(0[xX])?[0-9a-fA-F]{1,8}$/;

/**
 * A shard as a signed 64-bit decimal, read as the unsigned number of blocks. A sender with doubles writes the shortest
 * decimal, which is another shard (2^61 becomes 2305843009213694000) or none (−2^63 becomes −9223372036854776000): such
 * a number means the double.
 */
export const DECIMAL_SHARD: Form<bigint> = {
  schema: Type.String({ format: 'ton-shard-decimal' }),
  read(value) {
    const spelled = typeof value === 'bigint' && isShortest(value) ? BigInt(Number(value)) : value;
    return BigInt.asUintN(64, readInteger(spelled, INT64));
  },
};

/** Hex of up to 16 digits, tried first, or a signed 64-bit decimal; unsigned inside. */
export const SHARD: Form<bigint> = {
  schema: Type.String({ format: 'ton-shard' }),
  read: (value) =>
    hexOr(value, HEX_SHARD, () => BigInt.asUintN(64, readInteger(notEmpty(value), INT64, LOOSE))),
};

/** `0x` and up to 8 hex digits, only the digits, or a signed 32-bit decimal; unsigned inside. */
export const OPCODE: Form<number> = {
  schema: Type.String({ pattern: '^0x[0-9a-f]{1,8}$' }),
  read: (value) =>
    Number(hexOr(value, HEX_OPCODE, () => BigInt.asUintN(32, readInteger(notEmpty(value), INT32, LOOSE)))),
};

const LOOSE = { isLoose: true } as const;

function hexOr(value: JsonValue, hex: RegExp, otherwise: () => bigint): bigint {
  const text = toText(value);
  return hex.test(text) ? BigInt(`0x${text.replace(/^0[xX]/, '')}`) : otherwise();
}

/** Neither has a value for the empty text. */
function notEmpty(value: JsonValue): JsonValue {
  return value === '' ? null : value;
}

/** Whether a double is written like this: the shortest digits that give it back. */
function isShortest(value: bigint): boolean {
  return String(Number(value)) === value.toString();
}
