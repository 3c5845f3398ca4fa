import { toBase64 } from '../../../ton/hash/base64.ts';
import { type AccountId, rawAddress, rawOf } from './account-id.ts';
import { codeCacheOf } from './code-cache.ts';
import { hash8, parts } from './key-lists.ts';
import { ZERO_HASH } from './none-account.ts';
import type { ReadScope } from './read-scope.ts';
import { RowBinary } from './row-binary.ts';
import type { Statement } from './statement.ts';

/**
 * The newest code hashes (base64, zeros for none) by raw address of those accounts that were ever seen. One query for
 * what is not remembered, more only where thousands of accounts are asked for.
 */
export async function readCodes(
  scope: ReadScope,
  accounts: readonly AccountId[],
): Promise<ReadonlyMap<string, string>> {
  const codes = new Map<string, string>();
  const unknown: AccountId[] = [];
  const now = Date.now();
  const cache = codeCacheOf(scope.context).of(scope.database);
  for (const account of accounts) {
    const raw = rawAddress(account);
    const code = cache.get(raw, now);
    if (code === undefined) unknown.push(account);
    else codes.set(raw, code);
  }
  if (unknown.length === 0) return codes;
  const wanted = new Set(unknown.map(rawAddress));
  for (const [raw, code] of await readNewest(scope, unknown)) {
    if (!wanted.has(raw)) continue;
    codes.set(raw, code);
    if (code !== ZERO_HASH) cache.set(raw, code, now);
  }
  return codes;
}

async function readNewest(
  scope: ReadScope,
  accounts: readonly AccountId[],
): Promise<ReadonlyMap<string, string>> {
  const answers = await Promise.all(
    parts(accounts).map((some) => scope.queryBytes(planCodes(scope.database, some))),
  );
  const newest = new Map<string, { readonly lt: bigint; readonly code: string }>();
  for (const answer of answers) {
    for (const rows = new RowBinary(answer); rows.more; ) {
      const account = rows.fixed(32);
      const raw = rawOf(rows.i32(), account);
      const lt = rows.u64();
      const code = toBase64(rows.fixed(32));
      // Rows of one account are merged in time; until then the newest is picked here.
      if (lt >= (newest.get(raw)?.lt ?? 0n)) newest.set(raw, { lt, code });
    }
  }
  return new Map([...newest].map(([raw, { code }]) => [raw, code]));
}

/** Rows of account_codes that may be the accounts'. Numbers only, so that they can stand in the text. */
export function planCodes(database: string, accounts: readonly AccountId[]): Statement {
  const keys = [...new Set(accounts.map(({ hash }) => hash8(hash)))];
  return {
    sql: `SELECT newest FROM ${database}.account_codes PREWHERE account8 IN (${keys.join(',')})`,
    params: {},
  };
}
