import { Type } from 'typebox';
import { InvalidRequest } from '../errors.ts';
import type { JsonValue } from '../json-source.ts';
import type { Kind } from './kind.ts';

const MIN_INT32 = -(2n ** 31n);
const MAX_INT32 = 2n ** 31n - 1n;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const DECIMAL = /^-?\d{1,20}$/;

/** The integer that a JSON number or a decimal text spells; null for anything else. */
function integerOf(value: JsonValue): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : null;
  return typeof value === 'string' && DECIMAL.test(value) ? BigInt(value) : null;
}

/** @throws InvalidRequest outside min … max, which is the type's range */
function integerWithin(value: JsonValue, name: string, min: bigint, max: bigint): bigint {
  const found = integerOf(value);
  if (found === null || found < min || found > max) throw new InvalidRequest(`failed to parse ${name}`);
  return found;
}

/** Bounds of the contract that have texts of their own. */
export interface IntegerBounds {
  readonly sign?: 'positive' | 'non-negative';
  readonly atMost?: number;
}

function checkBounds(found: bigint, name: string, { sign, atMost }: IntegerBounds): void {
  if (sign === 'positive' && found <= 0n) throw new InvalidRequest(`${name} should be positive`);
  if (sign === 'non-negative' && found < 0n) throw new InvalidRequest(`${name} should be non-negative`);
  if (atMost !== undefined && found > BigInt(atMost)) {
    throw new InvalidRequest(`${name} should be less or equal ${atMost}`);
  }
}

/** A 32-bit integer: workchain, seqno, unix time, counts. */
export function int32(bounds: IntegerBounds = {}): Kind<number> {
  const minimum = bounds.sign === 'positive' ? 1 : bounds.sign === 'non-negative' ? 0 : Number(MIN_INT32);
  return {
    schema: Type.Integer({ format: 'int32', minimum, maximum: bounds.atMost ?? Number(MAX_INT32) }),
    parse(value, name) {
      const found = integerWithin(value, name, MIN_INT32, MAX_INT32);
      checkBounds(found, name, bounds);
      return Number(found);
    },
  };
}

/** Logical time: a 64-bit number that is not negative. */
export const LOGICAL_TIME: Kind<bigint> = {
  schema: Type.String({ pattern: '^\\d+$', examples: ['36905041000001'] }),
  parse(value, name) {
    const found = integerWithin(value, name, MIN_INT64, MAX_INT64);
    checkBounds(found, name, { sign: 'non-negative' });
    return found;
  },
};

/**
 * A shard as a signed 64-bit decimal, read as the unsigned number that the blocks carry. A sender that keeps it in
 * a double writes the shortest decimal of it, which is another shard (2^61 comes as 2305843009213694000) or none at
 * all (−2^63 comes as −9223372036854776000): such a bare number stands for the double.
 */
export const SHARD: Kind<bigint> = {
  schema: Type.String({ pattern: '^-?\\d+$', examples: ['-9223372036854775808'] }),
  parse(value, name) {
    const spelled = typeof value === 'bigint' && isShortest(value) ? BigInt(Number(value)) : value;
    return BigInt.asUintN(64, integerWithin(spelled, name, MIN_INT64, MAX_INT64));
  },
};

/** Whether a double is written like this: the shortest digits that give it back. */
function isShortest(value: bigint): boolean {
  return String(Number(value)) === value.toString();
}
