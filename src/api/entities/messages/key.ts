import type { RawRow } from '../../query/scope.ts';

/** The key of a message: two rows at most have it, the sides of the message (or, rarely, of two of equal hash8). */
export interface MessageKey {
  readonly createdLt: string;
  readonly hash8: string;
}

/** Reads a row (created_lt, hash8). */
export function messageKey(row: RawRow): MessageKey {
  return { createdLt: row[0] as string, hash8: row[1] as string };
}

/** The parameter of `keySet`. */
export function keyArray(keys: readonly MessageKey[]): string {
  return `[${keys.map(({ createdLt, hash8 }) => `(${createdLt},${hash8})`).join(',')}]`;
}

/** The set (created_lt, hash8) of parameter `name`. */
export function keySet(name: string): string {
  return `(SELECT k.1, k.2 FROM (SELECT arrayJoin({${name}:Array(Tuple(UInt64, UInt64))}) AS k))`;
}
