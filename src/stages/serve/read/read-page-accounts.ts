import { type AccountId, rawAddress } from './account-id.ts';
import { noneState, stateKey } from './account-state-row.ts';
import { KEYS_PER_PARAMETER } from './key-lists.ts';
import { NONE_ACCOUNT_HASH } from './none-account.ts';
import { planPageAccounts, type StateKey } from './plan-account-states.ts';
import type { RawRow, ReadScope } from './read-scope.ts';
import type { TransactionRow } from './transaction-row.ts';

/** What answers say of a state inside a transaction. Hashes base64, zeros for none. */
export interface PageState {
  readonly status: string;
  readonly balance: string;
  readonly extra: Readonly<Record<string, string>>;
  readonly code_hash: string;
  readonly data_hash: string;
  readonly frozen_hash: string;
}

/** Accounts of a page: states by `stateKey`, and the newest code hash by raw address of every account ever seen. */
export interface PageAccounts {
  readonly states: ReadonlyMap<string, PageState>;
  readonly codes: ReadonlyMap<string, string>;
}

/**
 * Reads, for a page of transactions, the states before and after each, and the code hashes of the accounts of its
 * address book: one query, more only where a page names thousands of accounts.
 */
export async function readPageAccounts(
  scope: ReadScope,
  rows: readonly TransactionRow[],
  book: readonly AccountId[],
): Promise<PageAccounts> {
  const keys = stateKeys(rows);
  const states = new Map<string, PageState>();
  const codes = new Map<string, string>();
  const answers: Promise<readonly RawRow[]>[] = [];
  for (let at = 0; at < Math.max(keys.length, book.length); at += KEYS_PER_PARAMETER) {
    const [part, accounts] = [keys, book].map((list) => list.slice(at, at + KEYS_PER_PARAMETER)) as [
      StateKey[],
      AccountId[],
    ];
    answers.push(scope.query(planPageAccounts(scope.database, part, accounts, scope.visible)));
  }
  for (const answer of await Promise.all(answers)) for (const row of answer) take(row, states, codes);
  return { states, codes };
}

function take(row: RawRow, states: Map<string, PageState>, codes: Map<string, string>): void {
  const [kind, workchain, hash, lt, state, status, balance, extra, code, data, frozen] = row as [
    number,
    number,
    string,
    string,
    string,
    string,
    string,
    Record<string, string>,
    string,
    string,
    string,
  ];
  const account = { workchain, hash };
  if (kind === 1) codes.set(rawAddress(account), code);
  else
    states.set(stateKey(account, lt, state), {
      status,
      balance,
      extra,
      code_hash: code,
      data_hash: data,
      frozen_hash: frozen,
    });
}

/** The state of a transaction's side: from the page, or without a row where the account did not exist. */
export function stateOf(
  page: PageAccounts,
  account: AccountId,
  lt: string,
  hash: string,
): PageState | undefined {
  return hash === NONE_ACCOUNT_HASH ? noneState(account, lt) : page.states.get(stateKey(account, lt, hash));
}

function stateKeys(rows: readonly TransactionRow[]): StateKey[] {
  const keys = new Map<string, StateKey>();
  for (const row of rows) {
    const account = { workchain: row.workchain, hash: row.account };
    const add = (lt: string, hash: string) => {
      if (hash !== NONE_ACCOUNT_HASH) keys.set(`${rawAddress(account)} ${lt}`, { account, lt });
    };
    add(row.prev_trans_lt, row.state_hash_before);
    add(row.lt, row.state_hash_after);
  }
  return [...keys.values()];
}
