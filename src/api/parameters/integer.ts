import { Type } from 'typebox';
import type { JsonValue } from '../http/json-source.ts';
import { type Form, readable, ValueError } from './form.ts';

export const INT32 = { least: -(2n ** 31n), most: 2n ** 31n - 1n } as const;
export const INT64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n } as const;
export const UINT64 = { least: 0n, most: 2n ** 64n - 1n } as const;

/** The values that a type can hold, both inclusive. */
export interface IntegerRange {
  readonly least: bigint;
  readonly most: bigint;
}

/** How an integer is spelled. */
export interface IntegerSpelling {
  /** The empty text is 0, and a leading `+` is allowed. Default false. */
  readonly isLoose?: boolean;
}

/** Leading zeros and twenty digits, the maximum of all types here. */
const DECIMAL = /^-?0*\d{1,20}$/;
const LOOSE = /^[+-]?0*\d{1,20}$/;

/** The integer of a JSON number or a decimal text. @throws ValueError if it is not an integer, or out of range */
export function readInteger(
  value: JsonValue,
  { least, most }: IntegerRange,
  spelling: IntegerSpelling = {},
): bigint {
  const found = readable(toInteger(value, spelling));
  return readable(found >= least && found <= most ? found : null);
}

function toInteger(value: JsonValue, { isLoose = false }: IntegerSpelling): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : null;
  if (typeof value !== 'string') return null;
  if (isLoose && value === '') return 0n;
  return (isLoose ? LOOSE : DECIMAL).test(value) ? BigInt(value.replace(/^\+/, '')) : null;
}

/** Bounds of the contract that have texts of their own. */
export interface IntegerBounds {
  readonly sign?: 'positive' | 'non-negative';
  readonly atMost?: number;
}

/** @throws ValueError */
function checkBounds(found: bigint, { sign, atMost }: IntegerBounds): void {
  const refuse = (rule: string) => new ValueError({ kind: 'bound', rule });
  if (sign === 'positive' && found <= 0n) throw refuse('should be positive');
  if (sign === 'non-negative' && found < 0n) throw refuse('should be non-negative');
  if (atMost !== undefined && found > BigInt(atMost)) throw refuse(`should be less or equal ${atMost}`);
}

/** A 32-bit integer: workchain, seqno, Unix time, counts. */
export function int32(bounds: IntegerBounds = {}, spelling: IntegerSpelling = {}): Form<number> {
  const minimum = bounds.sign === 'positive' ? 1 : bounds.sign === 'non-negative' ? 0 : Number(INT32.least);
  return {
    schema: Type.Integer({ format: 'int32', minimum, maximum: bounds.atMost ?? Number(INT32.most) }),
    read(value) {
      const found = readInteger(value, INT32, spelling);
      checkBounds(found, bounds);
      return Number(found);
    },
  };
}

/** Logical time: a number that is not negative, of the type that the range names. */
export function logicalTime(range: IntegerRange, spelling: IntegerSpelling = {}): Form<bigint> {
  return {
    // So many digits fit whatever they are.
    schema: Type.String({ pattern: `^[0-9]{1,${String(range.most).length - 1}}$` }),
    read(value) {
      const found = readInteger(value, range, spelling);
      checkBounds(found, { sign: 'non-negative' });
      return found;
    },
  };
}
