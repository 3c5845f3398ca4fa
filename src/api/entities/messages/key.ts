import { keyset, U64 } from '../../query/keyset.ts';
import type { RawRow } from '../../query/scope.ts';
import { Parameter, type Sql, sql } from '../../query/sql.ts';
import type { MessageRecord } from './model.ts';

/** The key of a message: two rows at most have it, the sides of the message (or, rarely, of two of equal hash8). */
export interface MessageKey {
  readonly createdLt: string;
  readonly hash8: string;
}

/** Reads a row (created_lt, hash8). */
export function messageKey(row: RawRow): MessageKey {
  return { createdLt: row[0] as string, hash8: row[1] as string };
}

/** Places of `/messages`, which is as of one moment: externals, which have no lt, come among those that were there. */
export const MESSAGES = keyset<MessageKey>({ list: 'm', isResumable: false }, { createdLt: U64, hash8: U64 });

export function messagePlace({ message: { createdLt, hash } }: MessageRecord): MessageKey {
  return { createdLt: `${createdLt}`, hash8: `${Buffer.from(hash).readBigUInt64BE(0)}` };
}

/** The set (created_lt, hash8) of some keys. */
export function toKeySet(keys: readonly MessageKey[]): Sql {
  const list = keys.map(({ createdLt, hash8 }) => `(${createdLt},${hash8})`).join(',');
  return sql`(SELECT k.1, k.2 FROM (SELECT arrayJoin(${new Parameter('Array(Tuple(UInt64, UInt64))', `[${list}]`)}) AS k))`;
}
