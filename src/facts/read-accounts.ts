import { type Key, type KeyType, keySet } from '../platform/clickhouse/key-set.ts';
import { RANGE_QUERY } from '../platform/clickhouse/query-profile.ts';
import type { FactDatabase, FactRange } from './fact-stores.ts';
import { areFew } from './few-keys.ts';

/** Accounts asked for by one statement, if its text is short enough. */
const ACCOUNTS = 2_500;
/** Characters of a statement: below the server's `max_query_size` of 262,144 bytes. */
const MAX_STATEMENT = 250_000;
/** Limits of statements for facts: answers for many accounts are large. */
export const FACT_QUERY = { ...RANGE_QUERY, maxResultBytes: 1024 ** 3 } as const;

/** Types of (account, workchain). */
export const ACCOUNT_KEY: readonly KeyType[] = ['FixedString(32)', 'Int32'];

/** Expression of the raw address in the columns `has_NAME`, `NAME_workchain` and `NAME`; NULL if there is none. */
export const addressColumn = (name: string): string =>
  `if(has_${name}, concat(toString(${name}_workchain), ':', hex(${name})), NULL)`;

/** A list of kinds. */
export const quoted = (kinds: readonly string[]): string => kinds.map((kind) => `'${kind}'`).join(', ');

/** Rows of accounts (raw addresses). `statement`: makes it from the condition on their keys, which it may repeat. */
export async function readAccounts<R extends readonly unknown[]>(
  { client }: FactDatabase,
  accounts: readonly string[],
  route: string,
  statement: (keys: string) => string,
): Promise<readonly R[]> {
  const read = async (keys: readonly Key[]): Promise<readonly R[]> => {
    if (keys.length === 0) return [];
    const sql = statement(`(account, workchain) IN ${keySet(ACCOUNT_KEY, keys)}`);
    if (keys.length > ACCOUNTS || sql.length > MAX_STATEMENT) {
      const half = Math.ceil(keys.length / 2);
      return [...(await read(keys.slice(0, half))), ...(await read(keys.slice(half)))];
    }
    return (await client.queryRows<R>(sql, { route, ...FACT_QUERY, inTurn: areFew(keys) })).rows;
  };
  return read(accounts.flatMap(toKeys));
}

/**
 * Statement for the rows that hold at the start of a range, and those within it. `key`: columns of what rows describe; the
 * first row by `newest` holds.
 */
export function heldRows(
  select: string,
  { first, last }: FactRange,
  { key, newest = 'lt DESC' }: { readonly key: string; readonly newest?: string },
): string {
  const held = `SELECT * FROM (${select} AND mc_seqno <= ${first} ORDER BY ${key}, ${newest} LIMIT 1 BY ${key})`;
  if (first === last) return held;
  return `${held} UNION ALL SELECT * FROM (${select} AND mc_seqno > ${first} AND mc_seqno <= ${last} ORDER BY lt)`;
}

/** The key (account, workchain) of a raw address. Bodies may name anything: only standard addresses have one. */
export function toKeys(account: string): Key[] {
  const [, workchain, hash] = /^(-?\d{1,10}):([0-9A-F]{64})$/.exec(account) ?? [];
  const isInt32 = Number(workchain) === (Number(workchain) | 0);
  return hash === undefined || !isInt32 ? [] : [[Buffer.from(hash, 'hex'), Number(workchain)]];
}
