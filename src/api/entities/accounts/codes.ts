import { LRUCache } from 'lru-cache';
import { RowBinary } from '../../../tables/row-binary.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { type AccountId, accountOfRaw, rawAddress, toRawAddress } from '../../query/account-id.ts';
import { answerCache, rangeName } from '../../query/answer-cache.ts';
import { hash8, parts, toNumbers } from '../../query/keys.ts';
import type { ReadScope } from '../../query/scope.ts';
import { SharedLookUp } from '../../query/shared-look-up.ts';
import { identifier, type Sql, sql } from '../../query/sql.ts';
import { findIndexedState } from './indexed-states.ts';
import { ZERO_HASH } from './none-account.ts';

/**
 * How long a read code counts as the newest, milliseconds. A contract may replace its code, which is rare, and an
 * address book only uses it for the form of an address. Nothing changes without a block.
 */
const FRESH_MS = 60_000;

/** The newest code of an account when it was read, and its expiry. */
interface KnownCode {
  /** Base64. */
  readonly code: string;
  /** The visible range that it was read in. */
  readonly range: string;
  /** Unix time, milliseconds. */
  readonly until: number;
}

/** Codes by raw address; addresses that the store did not have, and the visible range that this is true of. */
const getKnown = answerCache(() => ({
  codes: new LRUCache<string, KnownCode>({ max: 200_000 }),
  absent: new LRUCache<string, string>({ max: 50_000 }),
}));

/**
 * The newest code hashes (base64, zeros for none) by raw address of those accounts that were ever seen. One query for
 * what is not cached, more only where thousands of accounts are asked for.
 */
export async function readCodes(
  scope: ReadScope,
  accounts: readonly AccountId[],
): Promise<ReadonlyMap<string, string>> {
  const codes = new Map<string, string>();
  const unknown: AccountId[] = [];
  const now = performance.now();
  const { codes: cache, absent } = getKnown(scope);
  const range = rangeName(scope.visible);
  for (const account of accounts) {
    const raw = rawAddress(account);
    const known = cache.get(raw);
    if (known && (known.range === range || known.until >= now)) codes.set(raw, known.code);
    else if (absent.get(raw) !== range) unknown.push(account);
  }
  if (unknown.length === 0) return codes;
  const newest = await readNewest(scope, unknown);
  for (const raw of unknown.map(rawAddress)) {
    const code = newest.get(raw);
    if (code === undefined) {
      absent.set(raw, range);
      continue;
    }
    codes.set(raw, code);
    // An account without code may get one in any block to come, and in none that is there.
    cache.set(raw, { code, range, until: code === ZERO_HASH ? 0 : now + FRESH_MS });
  }
  return codes;
}

const NEWEST = new SharedLookUp<ReadonlyMap<string, string>>((scope, addresses) =>
  readParts(scope, addresses.map(accountOfRaw)),
);

async function readNewest(
  scope: ReadScope,
  accounts: readonly AccountId[],
): Promise<ReadonlyMap<string, string>> {
  const codes = new Map<string, string>();
  const unknown: string[] = [];
  for (const account of accounts) {
    const state = findIndexedState(scope, account, scope.visible.last);
    if (state) codes.set(rawAddress(account), state.code_hash);
    else if (state === undefined) unknown.push(rawAddress(account));
  }
  if (unknown.length === 0) return codes;
  return new Map([...codes, ...(await NEWEST.find(scope, unknown))]);
}

async function readParts(
  scope: ReadScope,
  accounts: readonly AccountId[],
): Promise<ReadonlyMap<string, string>> {
  const answers = await Promise.all(
    parts(accounts).map((some) => scope.queryBytes(planCodes(scope.databases.base, some))),
  );
  const newest = new Map<string, { readonly lt: bigint; readonly code: string }>();
  for (const answer of answers) {
    for (const rows = new RowBinary(answer); rows.more; ) {
      const account = rows.fixed(32);
      const raw = toRawAddress(rows.i32(), account);
      const lt = rows.u64();
      const code = toBase64(rows.fixed(32));
      // Rows of one account are merged in time; until then the newest is picked here.
      if (lt >= (newest.get(raw)?.lt ?? 0n)) newest.set(raw, { lt, code });
    }
  }
  return new Map([...newest].map(([raw, { code }]) => [raw, code]));
}

/** Rows of account_codes that may be the accounts'. */
export function planCodes(database: string, accounts: readonly AccountId[]): Sql {
  const keys = [...new Set(accounts.map(({ hash }) => hash8(hash)))];
  return sql`SELECT newest FROM ${identifier(database, 'account_codes')} PREWHERE account8 IN ${toNumbers(keys)}`;
}
