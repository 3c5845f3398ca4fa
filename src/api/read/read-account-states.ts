import { type AccountId, distinctAccounts, rawAddress } from './account-id.ts';
import { type AccountStateRow, accountOf, accountStateRow } from './account-state-row.ts';
import { parts } from './key-lists.ts';
import { planAt, planNewest } from './plan-account-states.ts';
import type { RawRow, ReadScope } from './read-scope.ts';
import type { Statement } from './statement.ts';

/**
 * The newest visible state of each account, by raw address; accounts never seen are absent. One query; a second one
 * over the history of states for accounts that changed above the visible range.
 */
export async function readAccountStates(
  scope: ReadScope,
  accounts: readonly AccountId[],
): Promise<ReadonlyMap<string, AccountStateRow>> {
  const distinct = distinctAccounts(accounts);
  if (distinct.length === 0) return new Map();
  const newest = await eachPart(distinct, (part) => planNewest(scope.database, part), scope);
  const changed = [...newest.values()].filter((row) => row.mc_seqno > scope.visible.last).map(accountOf);
  if (changed.length === 0) return newest;
  for (const account of changed) newest.delete(rawAddress(account));
  return new Map([...newest, ...(await readAccountStatesAt(scope, changed, scope.visible.last))]);
}

/** The newest state of each account as of a masterchain block; accounts unknown by then are absent. One query. */
export function readAccountStatesAt(
  scope: ReadScope,
  accounts: readonly AccountId[],
  mcSeqno: number,
): Promise<ReadonlyMap<string, AccountStateRow>> {
  return eachPart(accounts, (part) => planAt(scope.database, part, mcSeqno), scope);
}

async function eachPart(
  accounts: readonly AccountId[],
  plan: (part: readonly AccountId[]) => Statement,
  scope: ReadScope,
): Promise<Map<string, AccountStateRow>> {
  const answers = await Promise.all(parts(accounts).map((part) => scope.query(plan(part))));
  return byAccount(answers.flat());
}

function byAccount(rows: readonly RawRow[]): Map<string, AccountStateRow> {
  return new Map(rows.map(accountStateRow).map((row) => [rawAddress(accountOf(row)), row]));
}
