import { BASE_TABLES } from '../../../tables/base-tables.ts';
import { selectServed } from '../../compat/select-served.ts';
import type { AccountId } from '../../query/account-id.ts';
import type { RawRow } from '../../query/scope.ts';
import { type SelectedRow, selectList } from '../../query/select-list.ts';
import { NONE_ACCOUNT_HASH, ZERO_HASH } from './none-account.ts';

export const ACCOUNT_STATE_LIST = selectList(BASE_TABLES.account_states, [
  'now',
  'storage_cells',
  'storage_bits',
  'has_prev',
  'prev_lt',
  'prev_balance',
  'origin',
]);

/** A state of an account: columns of account_states by name; hashes base64 (zeros: none), `account` hex. */
export type AccountStateRow = Omit<
  SelectedRow<typeof BASE_TABLES.account_states>,
  'now' | 'storage_cells' | 'storage_bits' | 'has_prev' | 'prev_lt' | 'prev_balance' | 'origin'
>;

/** SELECT list of account_states and accounts_latest. */
export const ACCOUNT_STATE_SELECT = selectServed(ACCOUNT_STATE_LIST, 'account_states');

/** Reads a row of ACCOUNT_STATE_SELECT. */
export const accountStateRow: (values: RawRow) => AccountStateRow = ACCOUNT_STATE_LIST.row;

/** Account of a row that has columns `workchain` and `account`. */
export function getAccount(row: { readonly workchain: number; readonly account: string }): AccountId {
  return { workchain: row.workchain, hash: row.account };
}

/** The state of a missing account: it follows from its hash, without a row. */
export function noneState(account: AccountId, lt: string): AccountStateRow {
  return {
    mc_seqno: 0,
    workchain: account.workchain,
    account: account.hash,
    lt,
    last_trans_hash: ZERO_HASH,
    hash: NONE_ACCOUNT_HASH,
    status: 'nonexist',
    balance: '0',
    extra: {},
    code_hash: ZERO_HASH,
    data_hash: ZERO_HASH,
    frozen_hash: ZERO_HASH,
    last_paid: 0,
    due_payment: null,
  };
}

/** Whether a row's code is one of some (64 upper-case hex digits each); none of them is no filter. */
export function hasCode({ code_hash: code }: AccountStateRow, wanted: readonly string[]): boolean {
  return wanted.length === 0 || wanted.includes(Buffer.from(code, 'base64').toString('hex').toUpperCase());
}
