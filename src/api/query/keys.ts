import type { AccountId } from './account-id.ts';
import { hashLiteral } from './key-lists.ts';
import { i32, i32s, join, type Sql, sql, text, texts, u64s, unsafeSql } from './sql.ts';

/*
 * Keys of tables. A short list of checked keys is in the text, which is planned sooner. A longer one is a parameter,
 * and a subquery over arrayJoin gives a set that the primary key is searched with: a function over a constant array
 * would not (measured: all granules are read).
 */

/** Up to this number, keys are in the text. */
const MAX_LITERALS = 64;

/** 32 bytes. @throws TypeError unless 64 hex digits */
export function toHash(hash: string): Sql {
  return unsafeSql(hashLiteral(hash));
}

/** A list of hashes. @throws TypeError unless each is 64 hex digits */
export function toHashes(hashes: readonly string[]): Sql {
  return sql`(${toList(hashes.map(hashLiteral))})`;
}

/** The set of hashes (64 hex digits each). */
export function toHashSet(hashes: readonly string[]): Sql {
  return sql`(SELECT toFixedString(unhex(h), 32) FROM (SELECT arrayJoin(${texts(hashes)}) AS h))`;
}

/** A list of numbers. */
export function toNumbers(values: readonly bigint[], separator: ',' | ', ' = ','): Sql {
  return sql`(${unsafeSql(values.join(separator))})`;
}

/** The set of numbers. */
export function toNumberSet(values: readonly bigint[]): Sql {
  return sql`(SELECT arrayJoin(${u64s(values)}))`;
}

/** A list of keys of integers, e.g. (lt, hash8). */
export function toTuples(keys: readonly (readonly (bigint | string)[])[]): Sql {
  return sql`(${toList(keys.map((key) => `(${key.map((value) => BigInt(value)).join(',')})`))})`;
}

function toList(checked: readonly string[]): Sql {
  return unsafeSql(checked.join(','));
}

/** The key (account, workchain), or (account, workchain, lt). @throws TypeError unless the id is 64 hex digits */
export function accountKey({ hash, workchain }: AccountId, lt?: bigint): Sql {
  return unsafeSql(`(${hashLiteral(hash)},${Math.trunc(workchain)}${lt === undefined ? '' : `,${lt}`})`);
}

/** A list of `accountKey`. */
export function accountKeys(accounts: readonly AccountId[]): Sql {
  return sql`(${join(
    accounts.map((account) => accountKey(account)),
    ',',
  )})`;
}

/** The set (account, workchain). */
export function toAccountSet(accounts: readonly AccountId[]): Sql {
  const [ids, workchains] = [accounts.map(({ hash }) => hash), accounts.map(({ workchain }) => workchain)];
  return sql`(SELECT toFixedString(unhex(a.1), 32), a.2 FROM (SELECT arrayJoin(arrayZip(${texts(ids)}, ${i32s(workchains)})) AS a))`;
}

/** Condition: the columns `account` and `workchain` are this account. */
export function isAccount({ hash, workchain }: AccountId): Sql {
  return sql`account = unhex(${text(hash)}) AND workchain = ${i32(workchain)}`;
}

/** Condition: the columns `account` and `workchain` are one of some accounts, KEYS_PER_PARAMETER at most. */
export function isAmong(accounts: readonly AccountId[]): Sql {
  const [only] = accounts;
  if (only && accounts.length === 1)
    return sql`account = ${toHash(only.hash)} AND workchain = ${unsafeSql(String(Math.trunc(only.workchain)))}`;
  const keys = accounts.length <= MAX_LITERALS ? accountKeys(accounts) : toAccountSet(accounts);
  return sql`(account, workchain) IN ${keys}`;
}
