import { type AccountId, accountOfRaw, distinctAccounts, rawAddress } from '../../query/account-id.ts';
import { isAccount, isAmong, parts } from '../../query/keys.ts';
import type { RawRow, ReadScope } from '../../query/scope.ts';
import { MAX_SHARED_KEYS, SharedLookUp } from '../../query/shared-look-up.ts';
import { identifier, type Sql, sql, u32 } from '../../query/sql.ts';
import { findIndexedState } from './indexed-states.ts';
import { ACCOUNT_STATE_SELECT, type AccountStateRow, accountStateRow, getAccount } from './model.ts';

/**
 * The newest visible state of each account, by raw address, in the order of the accounts; accounts never seen are
 * absent. One query for those that the look-up index does not know; a second one over the history of states for
 * accounts that changed above the visible range.
 */
export async function readAccountStates(
  scope: ReadScope,
  accounts: readonly AccountId[],
): Promise<ReadonlyMap<string, AccountStateRow>> {
  const distinct = distinctAccounts(accounts);
  const { found: indexed, unknown } = splitIndexed(scope, distinct, scope.visible.last);
  if (unknown.length === 0) return indexed;
  const stored = await readStoredStates(scope, unknown);
  return new Map(
    distinct.map(rawAddress).flatMap((raw) => {
      const state = indexed.get(raw) ?? stored.get(raw);
      return state ? [[raw, state]] : [];
    }),
  );
}

/** States that the look-up index has, by raw address, and the accounts that a statement has to find. */
function splitIndexed(scope: ReadScope, accounts: readonly AccountId[], mcSeqno: number) {
  const found = new Map<string, AccountStateRow>();
  const unknown: AccountId[] = [];
  for (const account of accounts) {
    const state = findIndexedState(scope, account, mcSeqno);
    if (state) found.set(rawAddress(account), state);
    else if (state === undefined) unknown.push(account);
  }
  return { found, unknown };
}

async function readStoredStates(
  scope: ReadScope,
  accounts: readonly AccountId[],
): Promise<ReadonlyMap<string, AccountStateRow>> {
  const newest = await readNewest(scope, accounts);
  const changed = [...newest.values()].filter((row) => row.mc_seqno > scope.visible.last).map(getAccount);
  if (changed.length === 0) return newest;
  for (const account of changed) newest.delete(rawAddress(account));
  return new Map([...newest, ...(await readAccountStatesAt(scope, changed, scope.visible.last))]);
}

const NEWEST = new SharedLookUp<ReadonlyMap<string, AccountStateRow>>(async (scope, addresses) =>
  byAccount(await scope.query(planNewest(scope.databases.base, addresses.map(accountOfRaw)))),
);

/** By raw address: the newest state of each account, which may be above the visible range. */
async function readNewest(
  scope: ReadScope,
  accounts: readonly AccountId[],
): Promise<Map<string, AccountStateRow>> {
  if (accounts.length > MAX_SHARED_KEYS)
    return eachPart(accounts, (part) => planNewest(scope.databases.base, part), scope);
  const addresses = accounts.map(rawAddress);
  const found = await NEWEST.find(scope, addresses);
  return new Map(
    addresses.flatMap((raw) => (found.has(raw) ? [[raw, found.get(raw) as AccountStateRow]] : [])),
  );
}

/** The newest state of each account as of a masterchain block; accounts unknown by then are absent. One query. */
export function readAccountStatesAt(
  scope: ReadScope,
  accounts: readonly AccountId[],
  mcSeqno: number,
): Promise<ReadonlyMap<string, AccountStateRow>> {
  return eachPart(accounts, (part) => planAt(scope.databases.base, part, mcSeqno), scope);
}

async function eachPart(
  accounts: readonly AccountId[],
  plan: (part: readonly AccountId[]) => Sql,
  scope: ReadScope,
): Promise<Map<string, AccountStateRow>> {
  const answers = await Promise.all(parts(accounts).map((part) => scope.query(plan(part))));
  return byAccount(answers.flat());
}

/** The newest of each account. */
function byAccount(rows: readonly RawRow[]): Map<string, AccountStateRow> {
  const newest = new Map<string, AccountStateRow>();
  for (const row of rows.map(accountStateRow)) {
    const raw = rawAddress(getAccount(row));
    const known = newest.get(raw);
    if (!known || BigInt(row.lt) > BigInt(known.lt)) newest.set(raw, row);
  }
  return newest;
}

/**
 * Newest state of each account, perhaps above the visible range, and perhaps others before a merge: at most one a part,
 * fewer than sorting is worth. An older row of this table proves nothing: merging drops the rows between it and the
 * newest one.
 */
export function planNewest(database: string, accounts: readonly AccountId[]): Sql {
  return sql`SELECT ${ACCOUNT_STATE_SELECT} FROM ${identifier(database, 'accounts_latest')} PREWHERE ${areAccounts(accounts)}`;
}

/**
 * Newest state of each account at a masterchain block, from the history of states: keys first, then their rows. States
 * given at the start (a zerostate) are below the first visible block, so there is no lower bound.
 */
export function planAt(database: string, accounts: readonly AccountId[], mcSeqno: number): Sql {
  const states = identifier(database, 'account_states');
  const upTo = sql`mc_seqno <= ${u32(mcSeqno)}`;
  const keys = sql`SELECT account, workchain, max(lt) FROM ${states} WHERE ${areAccounts(accounts)} AND ${upTo} GROUP BY account, workchain`;
  return sql`SELECT ${ACCOUNT_STATE_SELECT} FROM ${states} WHERE (account, workchain, lt) IN (${keys}) AND ${upTo} LIMIT 1 BY account, workchain`;
}

function areAccounts(accounts: readonly AccountId[]): Sql {
  const [only] = accounts;
  return only && accounts.length === 1 ? isAccount(only) : isAmong(accounts);
}
