import { bytesLiteral } from '../../platform/clickhouse/key-set.ts';
import { type AccountId, rawAddress } from './account-id.ts';
import { i32, i32s, identifier, join, type Sql, sql, text, texts, u64s, unsafeSql } from './sql.ts';

/*
 * Keys of tables. A short list of checked keys is in the text, which is planned sooner. A longer one is a parameter,
 * and a subquery over arrayJoin gives a set that the primary key is searched with: a function over a constant array
 * would not (measured: all granules are read).
 */

/** Up to this number, keys are in the text. */
const MAX_LITERALS = 64;

/** So many keys (some 70 bytes each) fit the server's limit of one parameter, 128 KiB; longer lists take more queries. */
export const KEYS_PER_PARAMETER = 1500;

/** A list in parts that fit a parameter; one empty part for the empty list. */
export function parts<T>(list: readonly T[]): readonly (readonly T[])[] {
  const count = Math.max(1, Math.ceil(list.length / KEYS_PER_PARAMETER));
  return Array.from({ length: count }, (_, i) =>
    list.slice(i * KEYS_PER_PARAMETER, (i + 1) * KEYS_PER_PARAMETER),
  );
}

/** The first 8 bytes of a hash (64 hex digits) as the number that hash indexes are ordered by. */
export function hash8(hash: string): bigint {
  return BigInt(`0x${hash.slice(0, 16)}`);
}

/** 32 bytes as a literal. @throws TypeError unless 64 hex digits */
function hashLiteral(hash: string): string {
  if (!/^[0-9a-fA-F]{64}$/.test(hash)) throw new TypeError(`64 hex digits expected, found ${hash}`);
  return bytesLiteral(Buffer.from(hash, 'hex'));
}

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

/** The same set as raw addresses. */
export function toRawSet(accounts: readonly AccountId[]): Sql {
  return sql`(SELECT arrayJoin(${texts(accounts.map(rawAddress))}))`;
}

/** Condition: the columns `account` and `workchain` are this account. */
export function isAccount({ hash, workchain }: AccountId): Sql {
  return sql`account = unhex(${text(hash)}) AND workchain = ${i32(workchain)}`;
}

/**
 * Condition: an account is one of some accounts, KEYS_PER_PARAMETER at most. `name`: of its columns, `account` and
 * `workchain`, else NAME and `NAME_workchain`.
 */
export function isAmong(accounts: readonly AccountId[], name = 'account'): Sql {
  const [only] = accounts;
  const [account, workchain] = accountColumns(name);
  if (only && accounts.length === 1)
    return sql`${account} = ${toHash(only.hash)} AND ${workchain} = ${unsafeSql(String(Math.trunc(only.workchain)))}`;
  const keys = accounts.length <= MAX_LITERALS ? accountKeys(accounts) : toAccountSet(accounts);
  return sql`(${account}, ${workchain}) IN ${keys}`;
}

/** Condition: as `isAmong`, always by a set: for statements that read many rows. */
export function isIn(accounts: readonly AccountId[], name = 'account'): Sql {
  const [account, workchain] = accountColumns(name);
  return sql`(${account}, ${workchain}) IN ${toAccountSet(accounts)}`;
}

function accountColumns(name: string): readonly [account: Sql, workchain: Sql] {
  return [identifier(name), identifier(name === 'account' ? 'workchain' : `${name}_workchain`)];
}

/**
 * Condition: the column `account` is the id of one of some accounts, KEYS_PER_PARAMETER at most. One column costs half
 * of a pair, and the caller drops rows of another workchain.
 */
export function hasIdAmong(accounts: readonly AccountId[]): Sql {
  const hashes = [...new Set(accounts.map(({ hash }) => hash))];
  return sql`account IN ${hashes.length <= MAX_LITERALS ? toHashes(hashes) : toHashSet(hashes)}`;
}
