import { type AccountId, rawAddress } from '../../query/account-id.ts';
import { I32, ID, keyset, U128 } from '../../query/keyset.ts';
import type { RawRow, ReadScope } from '../../query/scope.ts';
import { identifier, NOTHING, type Sql, sql, u32 } from '../../query/sql.ts';
import { readAccountStates, readAccountStatesAt } from './find.ts';

/** An account and its balance, nanotons. */
export interface RankedAccount {
  readonly account: AccountId;
  readonly balance: bigint;
}

/** Merging removes most replaced balances; this many more are read than wanted, for those that are left. */
const OVERFETCH = 1000;
const MORE = 8;
const MAX_HEAD = 8_000_000;
/** Accounts that changed above the visible range: their visible balance is already taken out of the ranking. */
const CHANGED_ABOVE = 2000;

/** The accounts of the largest balances as of one visible block, in the order of the ranking. */
export interface RankedHead {
  readonly accounts: readonly RankedAccount[];
  /** All accounts down to this place are in the head; null: all there are. */
  readonly end: RankPlace | null;
}

/**
 * The head of the ranking with at least `wanted` accounts, if there are so many. One query: the top of the ranking, and
 * the newest state of each candidate, which decides; more only if the first stretch was too short, or a candidate
 * changed above the visible range.
 */
export async function readRankedHead(scope: ReadScope, wanted: number): Promise<RankedHead> {
  for (let length = wanted * 4 + OVERFETCH; ; length *= MORE) {
    const head = await readStretch(scope, length, null);
    if (head.accounts.length >= wanted || head.end === null || length >= MAX_HEAD) return head;
  }
}

/** The place of an account in the ranking: `balance` decimal, `account` 64 upper-case hex digits. */
export interface RankPlace {
  readonly balance: string;
  readonly account: string;
  readonly workchain: number;
}

/** Places of `/topAccountsByBalance`, which is as of one moment. */
export const RANKS = keyset<RankPlace>(
  { list: 'r', isResumable: false },
  { balance: U128, account: ID, workchain: I32 },
);

const ORDER = RANKS.order(['balance', 'page'], ['account', 'page'], ['workchain', 'page']);

export function rankPlace({ account: { hash, workchain }, balance }: RankedAccount): RankPlace {
  return { balance: `${balance}`, account: hash, workchain };
}

/**
 * The accounts after a position by their balances as of the scope's last block, largest first, ties by address in table
 * order. One query, as for the head. No account is repeated; an account whose balance changed above the visible range
 * keeps its position while at most CHANGED_ABOVE accounts changed.
 */
export async function readRankedBehind(
  scope: ReadScope,
  wanted: number,
  after: RankPlace | null,
): Promise<readonly RankedAccount[]> {
  for (let length = wanted * 2 + OVERFETCH; ; length *= MORE) {
    const { accounts, end } = await readStretch(scope, length, after);
    if (accounts.length >= wanted || end === null || length >= MAX_HEAD) return accounts.slice(0, wanted);
  }
}

/** The accounts of a number of ranking rows, after a position, up to where an unread one could be between them. */
async function readStretch(scope: ReadScope, length: number, after: RankPlace | null): Promise<RankedHead> {
  const rows = await scope.query(planRanking(scope, length, after));
  const end = lowestPlace(rows, length);
  const ranked = toRanked(await readBalances(scope, rows));
  const accounts = ranked.filter(
    (one) => !isBehind(one, end) && (!after || byPlace(after, rankPlace(one)) < 0),
  );
  return { accounts, end };
}

function isBehind(one: RankedAccount, end: RankPlace | null): boolean {
  return end !== null && byPlace(rankPlace(one), end) > 0;
}

/** The lowest read position of the ranking; null if it was read to its end. */
function lowestPlace(rows: readonly RawRow[], length: number): RankPlace | null {
  const end = rows.find(([kind]) => kind === END);
  if (!end || Number(end[4]) < length) return null;
  return { balance: String(end[1]), account: String(end[3]), workchain: Number(end[2]) };
}

/** The order of the table, from its end. */
function byPlace(a: RankPlace, b: RankPlace): number {
  return (
    compare(BigInt(b.balance), BigInt(a.balance)) ||
    compare(b.account, a.account) ||
    b.workchain - a.workchain
  );
}

/** Maximum changed accounts for an update of the head; beyond them it is read again. */
const MAX_CHANGED = 2000;

/**
 * The head as of the scope's last block, from an earlier one: accounts with transactions in between have new balances,
 * all others stay. Null if too many changed.
 */
export async function advanceHead(
  scope: ReadScope,
  head: RankedHead,
  last: number,
): Promise<RankedHead | null> {
  const rows = await scope.query(planChanged(scope, last));
  if (rows.length > MAX_CHANGED) return null;
  const changed = rows.map(([workchain, hash]) => ({ workchain, hash }) as AccountId);
  const gone = new Set(changed.map(rawAddress));
  const stay = head.accounts.filter(({ account }) => !gone.has(rawAddress(account)));
  const states = await readAccountStates(scope, changed);
  const come = toRanked(withBalances(states, changed)).filter((one) => !isBehind(one, head.end));
  return { accounts: [...stay, ...come].sort(byRank), end: head.end };
}

/** Accounts with transactions above a masterchain block, within the visible range. */
export function planChanged(
  { databases, visible }: Pick<ReadScope, 'databases' | 'visible'>,
  last: number,
): Sql {
  const transactions = identifier(databases.base, 'transactions');
  return sql`SELECT DISTINCT workchain, hex(account) FROM ${transactions} PREWHERE mc_seqno > ${u32(last)} AND mc_seqno <= ${u32(visible.last)} LIMIT ${u32(MAX_CHANGED + 1)}`;
}

/** Kinds of rows of `planRanking`, in its first column. */
const [END, STATE] = [0, 1];

/**
 * Reads the first rows of the ranking, after a position. One row of END: balance, workchain and account of the lowest
 * one, and how many were read. Rows of STATE: the newest balance, workchain, account and mc_seqno of accounts whose
 * balance in them is not replaced, and of those that changed above the visible range.
 */
export function planRanking(
  { databases: { base }, visible }: Pick<ReadScope, 'databases' | 'visible'>,
  length: number,
  after: RankPlace | null = null,
): Sql {
  const behind = after ? sql` WHERE ${ORDER.after(after, true)}` : NOTHING;
  const top = sql`SELECT balance, account, workchain, lt, net FROM ${identifier(base, 'balances_ranked')}${behind} ORDER BY ${ORDER.by(true)}, lt DESC LIMIT ${u32(length)} WITH TIES`;
  const above = sql`SELECT DISTINCT account, workchain FROM ${identifier(base, 'transactions')} WHERE mc_seqno > ${u32(visible.last)} LIMIT ${u32(CHANGED_ABOVE)}`;
  const left = sql`SELECT account, workchain FROM (${top}) GROUP BY balance, account, workchain, lt HAVING sum(net) > 0`;
  const end = sql`SELECT ${u32(END)}, lowest.1, lowest.3, hex(lowest.2), read FROM (SELECT min((balance, account, workchain)) AS lowest, toInt64(count()) AS read FROM (${top}))`;
  const states = sql`SELECT ${u32(STATE)}, argMax(balance, lt), workchain, hex(account), toInt64(argMax(mc_seqno, lt)) FROM ${identifier(base, 'accounts_latest')} PREWHERE (account, workchain) IN (${left} UNION ALL ${above}) GROUP BY account, workchain`;
  return sql`${end} UNION ALL ${states}`;
}

/** The visible balances of candidates: a state above the visible range says nothing about the one before it. */
async function readBalances(scope: ReadScope, rows: readonly RawRow[]): Promise<RankedAccount[]> {
  const newest = rows.filter(([kind]) => kind === STATE);
  const isAbove = (row: RawRow) => Number(row[4]) > scope.visible.last;
  const [changed, visible] = [newest.filter(isAbove), newest.filter((row) => !isAbove(row))];
  const known = visible.map((row) => ({ account: toAccount(row), balance: BigInt(row[1] as string) }));
  if (changed.length === 0) return known;
  const states = await readAccountStatesAt(scope, changed.map(toAccount), scope.visible.last);
  return [...known, ...withBalances(states, changed.map(toAccount))];
}

function toAccount([, , workchain, hash]: RawRow): AccountId {
  return { workchain: Number(workchain), hash: String(hash) };
}

function withBalances(
  states: ReadonlyMap<string, { readonly balance: string }>,
  accounts: readonly AccountId[],
): RankedAccount[] {
  return accounts.map((account) => ({
    account,
    balance: BigInt(states.get(rawAddress(account))?.balance ?? 0),
  }));
}

/** Accounts with a balance, in the order of the ranking. */
function toRanked(accounts: readonly RankedAccount[]): RankedAccount[] {
  return accounts.filter(({ balance }) => balance > 0n).sort(byRank);
}

function byRank(a: RankedAccount, b: RankedAccount): number {
  return byPlace(rankPlace(a), rankPlace(b));
}

function compare<T extends bigint | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
