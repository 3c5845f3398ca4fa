import type { StoreDatabase } from '../../../engine/projection/stored-input.ts';
import { RANGE_QUERY } from '../../../platform/clickhouse/query-profile.ts';
import { areFew } from './few-keys.ts';

/** Accounts asked for by one statement: its text stays below the server's `max_query_size`. */
const ACCOUNTS = 1_500;
/** Limits of statements for facts: answers for many accounts are large. */
export const FACT_QUERY = { ...RANGE_QUERY, maxResultBytes: 1024 ** 3 } as const;

/** Expression of the raw address in the columns `has_NAME`, `NAME_workchain` and `NAME`; NULL if there is none. */
export const addressColumn = (name: string): string =>
  `if(has_${name}, concat(toString(${name}_workchain), ':', hex(${name})), NULL)`;

/** Rows of accounts (raw addresses). `statement`: makes it from the condition on their keys. */
export async function readAccounts<R extends readonly unknown[]>(
  { client }: StoreDatabase,
  accounts: readonly string[],
  route: string,
  statement: (keys: string) => string,
): Promise<R[]> {
  const found: R[] = [];
  for (let at = 0; at < accounts.length; at += ACCOUNTS) {
    const set = accounts.slice(at, at + ACCOUNTS).flatMap(toKeys);
    if (set.length === 0) continue;
    const sql = statement(`(account, workchain) IN (${set.join(',')})`);
    found.push(...(await client.queryRows<R>(sql, { route, ...FACT_QUERY, inTurn: areFew(set) })).rows);
  }
  return found;
}

/** Bodies may name anything: only standard addresses have facts. */
function toKeys(account: string): string[] {
  const [, workchain, hash] = /^(-?\d{1,10}):([0-9A-F]{64})$/.exec(account) ?? [];
  return workchain === undefined ? [] : [`(unhex('${hash}'),${workchain})`];
}
