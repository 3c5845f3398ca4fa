import { type AccountId, rawAddress } from './account-id.ts';
import { readAccountStates } from './read-account-states.ts';
import type { RawRow, ReadScope } from './read-scope.ts';
import type { Statement } from './statement.ts';

/** An account and its balance, nanotons. */
export interface RankedAccount {
  readonly account: AccountId;
  readonly balance: bigint;
}

/** Merging removes most replaced balances; this many more are read than wanted, for those that are left. */
const SPARE = 1000;
const MORE = 8;
const LONGEST = 8_000_000;
/** Accounts that changed above the visible range: their visible balance is already taken out of the ranking. */
const CHANGED_ABOVE = 2000;

/** The accounts of the largest balances as of one visible block: all whose balance is at least `floor`, largest first. */
export interface RankedHead {
  readonly accounts: readonly RankedAccount[];
  readonly floor: bigint;
}

/**
 * The head of the ranking with at least `wanted` accounts, if there are so many. Two queries: the top of the ranking, then the
 * visible state of each candidate, which decides; more only where the first stretch of the ranking held too few, or a
 * candidate changed above the visible range.
 */
export async function readRankedHead(scope: ReadScope, wanted: number): Promise<RankedHead> {
  for (let length = wanted * 4 + SPARE; ; length *= MORE) {
    const { candidates, floor } = readRanking(await scope.query(planRanking(scope, length)), length);
    const ranked = await rank(scope, candidates);
    // Below the floor the ranking was not read: an unread account may rank above a confirmed one there.
    const certain = ranked.filter(({ balance }) => balance >= floor);
    if (certain.length >= wanted || floor === 0n || length >= LONGEST) return { accounts: certain, floor };
  }
}

/** Accounts that may change within the steps by which a head is brought up to date; beyond them it is read anew. */
const MOST_CHANGED = 2000;

/**
 * The head as of the scope's last block, from that of an earlier one: the accounts with transactions in between have new
 * balances, all others stay. Null where too many changed.
 */
export async function advanceHead(
  scope: ReadScope,
  head: RankedHead,
  last: number,
): Promise<RankedHead | null> {
  const rows = await scope.query(planChanged(scope, last));
  if (rows.length > MOST_CHANGED) return null;
  const changed = rows.map(([workchain, hash]) => ({ workchain, hash }) as AccountId);
  const gone = new Set(changed.map(rawAddress));
  const stay = head.accounts.filter(({ account }) => !gone.has(rawAddress(account)));
  const come = (await rank(scope, changed)).filter(({ balance }) => balance >= head.floor);
  return { accounts: [...stay, ...come].sort(byBalance), floor: head.floor };
}

/** Accounts with transactions above a masterchain block, as far as the visible range goes. */
export function planChanged(
  { databases, visible }: Pick<ReadScope, 'databases' | 'visible'>,
  last: number,
): Statement {
  return {
    sql:
      `SELECT DISTINCT workchain, hex(account) FROM ${databases.base}.transactions` +
      ' PREWHERE mc_seqno > {last:UInt32} AND mc_seqno <= {visible_last:UInt32} LIMIT {most:UInt32}',
    params: { last, visible_last: visible.last, most: MOST_CHANGED + 1 },
  };
}

/** The first rows of the ranking, netted (columns balance, workchain, account, net, rows), and accounts above. */
export function planRanking(scope: Pick<ReadScope, 'databases' | 'visible'>, length: number): Statement {
  const order = 'ORDER BY balance DESC, account DESC, workchain DESC, lt DESC';
  const top = `SELECT balance, account, workchain, lt, net FROM ${scope.databases.base}.balances_ranked ${order} LIMIT {length:UInt32} WITH TIES`;
  const above =
    `SELECT DISTINCT account, workchain FROM ${scope.databases.base}.transactions` +
    ' WHERE mc_seqno > {visible_last:UInt32} LIMIT {above:UInt32}';
  return {
    sql:
      `SELECT 0, balance, workchain, hex(account), sum(net), count() FROM (${top}) GROUP BY balance, account, workchain, lt` +
      ` UNION ALL SELECT 1, 0, workchain, hex(account), 1, 0 FROM (${above})`,
    params: { length, visible_last: scope.visible.last, above: CHANGED_ABOVE },
  };
}

function readRanking(
  rows: readonly RawRow[],
  length: number,
): { readonly candidates: AccountId[]; readonly floor: bigint } {
  const candidates = new Map<string, AccountId>();
  let read = 0;
  let lowest: bigint | null = null;
  for (const [kind, balance, workchain, hash, net, count] of rows) {
    const account = { workchain, hash } as AccountId;
    if (BigInt(net as string) > 0n) candidates.set(rawAddress(account), account);
    if (kind !== 0) continue;
    read += Number(count);
    const value = BigInt(balance as string);
    if (lowest === null || value < lowest) lowest = value;
  }
  const whole = read < length;
  return { candidates: [...candidates.values()], floor: whole || lowest === null ? 0n : lowest };
}

/** Accounts with their visible balances, largest first; those without one are left out. */
async function rank(scope: ReadScope, candidates: readonly AccountId[]): Promise<RankedAccount[]> {
  const states = await readAccountStates(scope, candidates);
  return candidates
    .map((account) => ({ account, balance: BigInt(states.get(rawAddress(account))?.balance ?? 0) }))
    .filter(({ balance }) => balance > 0n)
    .sort(byBalance);
}

function byBalance(a: RankedAccount, b: RankedAccount): number {
  return compare(b.balance, a.balance) || compare(rawAddress(a.account), rawAddress(b.account));
}

function compare<T extends bigint | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
