import type { CurrencyEntries } from '../../tables/column-type.ts';
import type { Boc } from '../boc/boc.ts';
import type { CellHashes } from '../boc/cell-hashes.ts';
import { CellSlice } from '../boc/cell-slice.ts';
import { isComplete, serializeCell } from '../boc/serialize.ts';
import type { BaseColumns } from '../columns/base-columns.ts';
import type { PackedState } from '../columns/packed-state.ts';
import { type Account, loadAccount } from '../tlb/account/account.ts';
import { NO_CURRENCIES } from '../tlb/extra-currency-collection.ts';
import type { AccountStatus } from '../tlb/transaction/account-status.ts';
import { STATE_CODES } from './enum-codes.ts';

/** A hash that a state has not got, by identity. */
const NO_HASH = new Uint8Array(32);

/** Columns of `account_states` that describe the state itself. */
export interface StateFields {
  readonly hash: Uint8Array;
  readonly status: AccountStatus;
  readonly balance: bigint;
  readonly extra: CurrencyEntries;
  readonly codeHash: Uint8Array;
  readonly dataHash: Uint8Array;
  readonly frozenHash: Uint8Array;
  readonly lastPaid: number;
  readonly duePayment: bigint | null;
  readonly storageCells: bigint;
  readonly storageBits: bigint;
}

/** Account, time and origin of a state. */
export interface StateKey {
  readonly mcSeqno: number;
  readonly workchain: number;
  readonly address: Uint8Array;
  readonly lt: bigint;
  /** Time of the last transaction, Unix seconds; 0 if the block does not contain it. */
  readonly now: number;
  readonly lastTransHash: Uint8Array;
  readonly origin: keyof typeof STATE_CODES.origin;
}

/** The state that a state replaces. */
export interface PreviousState {
  /** Whether the state update's old side shows it; otherwise lt and balance are derived, or 0 for no such state. */
  readonly shown: boolean;
  readonly lt: bigint;
  readonly balance: bigint;
}

export const NO_PREVIOUS_STATE: PreviousState = { shown: false, lt: 0n, balance: 0n };

/** The state of an account of which only the cell's hash and a few facts are known. */
export function bareState(hash: Uint8Array, status: AccountStatus, balance: bigint): StateFields {
  return {
    hash,
    status,
    balance,
    extra: NO_CURRENCIES,
    codeHash: NO_HASH,
    dataHash: NO_HASH,
    frozenHash: NO_HASH,
    lastPaid: 0,
    duePayment: null,
    storageCells: 0n,
    storageBits: 0n,
  };
}

/** Reads an Account cell; null means account_none. @throws CellError, also for a pruned cell */
export function readAccount(boc: Boc, cell: number): Account | null {
  const slice = new CellSlice(boc, cell);
  const account = loadAccount(slice);
  slice.end('Account');
  return account;
}

/** The fields of a state; `extra` is given apart, since the dictionary in the Account cell may be pruned. */
export function stateFields(
  hashes: CellHashes,
  cell: number,
  account: Account,
  extra: CurrencyEntries,
): StateFields {
  const { state, storageInfo } = account;
  const getHash = (ref: number) => (ref < 0 ? NO_HASH : hashes.hash(ref, 0));
  return {
    hash: hashes.hash(cell, 0),
    status: state.status,
    balance: account.balance.grams,
    extra,
    codeHash: state.status === 'active' ? getHash(state.init.code) : NO_HASH,
    dataHash: state.status === 'active' ? getHash(state.init.data) : NO_HASH,
    frozenHash: state.status === 'frozen' ? state.stateHash : NO_HASH,
    lastPaid: storageInfo.lastPaid,
    duePayment: storageInfo.duePayment,
    storageCells: storageInfo.used.cells,
    storageBits: storageInfo.used.bits,
  };
}

/** State in a transaction's row; null for an account that does not exist. */
export function packedState(state: StateFields): PackedState | null {
  const { status, balance, extra } = state;
  if (status === 'nonexist') return null;
  const given = (hash: Uint8Array) => (hash === NO_HASH ? null : hash);
  return {
    status,
    balance,
    extra,
    codeHash: given(state.codeHash),
    dataHash: given(state.dataHash),
    frozenHash: given(state.frozenHash),
  };
}

/** Writes one row of `account_states`. */
export function writeStateRow(
  columns: BaseColumns,
  key: StateKey,
  state: StateFields,
  previous: PreviousState,
): void {
  const { col } = columns.tables.account_states;
  col.mc_seqno.push(key.mcSeqno);
  col.workchain.push(key.workchain);
  col.account.push(key.address);
  col.lt.push(key.lt);
  col.now.push(key.now);
  col.last_trans_hash.push(key.lastTransHash);
  col.hash.push(state.hash);
  col.status.push(STATE_CODES.status[state.status]);
  col.balance.push(state.balance);
  col.extra.push(state.extra);
  col.code_hash.push(state.codeHash);
  col.data_hash.push(state.dataHash);
  col.frozen_hash.push(state.frozenHash);
  col.last_paid.push(state.lastPaid);
  col.due_payment.push(state.duePayment);
  col.storage_cells.push(state.storageCells);
  col.storage_bits.push(state.storageBits);
  col.has_prev.push(previous.shown);
  col.prev_lt.push(previous.lt);
  col.prev_balance.push(previous.balance);
  col.origin.push(STATE_CODES.origin[key.origin]);
  columns.tables.account_states.endRow();
}

/** Writes one row of `account_cells`: the unchanged Account cell. */
export function writeCellRow(columns: BaseColumns, key: StateKey, hashes: CellHashes, cell: number): void {
  const { boc } = hashes;
  const { col } = columns.tables.account_cells;
  col.mc_seqno.push(key.mcSeqno);
  col.workchain.push(key.workchain);
  col.account.push(key.address);
  col.lt.push(key.lt);
  col.hash.push(hashes.hash(cell, 0));
  col.whole.push(isComplete(boc, cell));
  col.boc.push(serializeCell(boc, cell));
  columns.tables.account_cells.endRow();
}
