import type { AccountId } from './account-id.ts';
import type { Conditions } from './statement.ts';

/*
 * Lists of keys as query parameters. A subquery over arrayJoin gives a set that the primary key is searched with; a
 * function over a constant array would not (measured: all granules are read).
 */

/** So many keys (some 70 bytes each) fit the server's limit of one parameter, 128 KiB; longer lists take more queries. */
export const KEYS_PER_PARAMETER = 1500;

/** A list in parts that fit a parameter; one empty part for the empty list. */
export function parts<T>(list: readonly T[]): readonly (readonly T[])[] {
  const count = Math.max(1, Math.ceil(list.length / KEYS_PER_PARAMETER));
  return Array.from({ length: count }, (_, i) =>
    list.slice(i * KEYS_PER_PARAMETER, (i + 1) * KEYS_PER_PARAMETER),
  );
}

/** The parameter of `u64Set`. */
export function u64Array(values: readonly bigint[]): string {
  return `[${values.join(',')}]`;
}

/** The parameters of `accountSet`. */
export function accountParams(
  name: string,
  accounts: readonly AccountId[],
): Record<string, readonly string[] | readonly number[]> {
  return {
    [name]: accounts.map(({ hash }) => hash),
    [`${name}_workchains`]: accounts.map(({ workchain }) => workchain),
  };
}

/** The set (account, workchain) of the parameters `name` and `name_workchains`. */
export function accountSet(name: string): string {
  return `(SELECT toFixedString(unhex(a.1), 32), a.2 FROM (SELECT arrayJoin(arrayZip({${name}:Array(String)}, {${name}_workchains:Array(Int32)})) AS a))`;
}

/** The same set as raw texts. */
export function rawSet(name: string): string {
  return `(SELECT concat(toString(a.2), ':', upper(a.1)) FROM (SELECT arrayJoin(arrayZip({${name}:Array(String)}, {${name}_workchains:Array(Int32)})) AS a))`;
}

/** The set of hashes of parameter `name`. */
export function hashSet(name: string): string {
  return `(SELECT toFixedString(unhex(h), 32) FROM (SELECT arrayJoin({${name}:Array(String)}) AS h))`;
}

/** Hashes as literals, which a short statement is planned sooner with. @throws TypeError unless each is 64 hex digits */
export function hashList(hashes: readonly string[]): string {
  return `(${hashes.map(hashLiteral).join(',')})`;
}

/** Accounts as literals (account, workchain). @throws TypeError unless each hash is 64 hex digits */
export function accountList(accounts: readonly AccountId[]): string {
  return `(${accounts.map((account) => accountLiteral(account)).join(',')})`;
}

/** One key (account, workchain), or (account, workchain, lt), as a literal. @throws TypeError unless the hash is 64 hex digits */
export function accountLiteral({ hash, workchain }: AccountId, lt?: bigint): string {
  return `(${hashLiteral(hash)},${Math.trunc(workchain)}${lt === undefined ? '' : `,${lt}`})`;
}

/** 32 bytes as a literal. @throws TypeError unless 64 hex digits */
export function hashLiteral(hash: string): string {
  if (!/^[0-9a-fA-F]{64}$/.test(hash)) throw new TypeError(`64 hex digits expected, found ${hash}`);
  return `unhex('${hash}')`;
}

/** Numbers as literals. */
export function u64List(values: readonly bigint[]): string {
  return `(${values.join(',')})`;
}

/** The first 8 bytes of a hash (64 hex digits) as the number that hash indexes are ordered by. */
export function hash8(hash: string): bigint {
  return BigInt(`0x${hash.slice(0, 16)}`);
}

/** Up to this number, accounts are in the text, which is planned faster than a set of parameters. */
const MAX_LITERALS = 64;

/** Adds the condition that two columns are one of some accounts, KEYS_PER_PARAMETER at most. */
export function accountCondition(
  accounts: readonly AccountId[],
  conditions: Conditions,
  columns: readonly [account: string, workchain: string] = ['account', 'workchain'],
): Conditions {
  const [only] = accounts;
  const [account, workchain] = columns;
  if (only && accounts.length === 1)
    return conditions.add(
      `${account} = ${hashLiteral(only.hash)} AND ${workchain} = ${Math.trunc(only.workchain)}`,
    );
  const pair = `(${account}, ${workchain})`;
  if (accounts.length <= MAX_LITERALS) return conditions.add(`${pair} IN ${accountList(accounts)}`);
  return conditions.add(`${pair} IN ${accountSet('accounts')}`, accountParams('accounts', accounts));
}

/**
 * Adds the condition that a column is the id of one of some accounts, KEYS_PER_PARAMETER at most. One column costs half
 * of a pair, and the caller drops rows of another workchain.
 */
export function idCondition(
  accounts: readonly AccountId[],
  conditions: Conditions,
  column = 'account',
): Conditions {
  const hashes = [...new Set(accounts.map(({ hash }) => hash))];
  if (hashes.length <= MAX_LITERALS) return conditions.add(`${column} IN ${hashList(hashes)}`);
  return conditions.add(`${column} IN ${hashSet('ids')}`, { ids: hashes });
}
