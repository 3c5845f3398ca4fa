import { onlyRoot, parseBoc } from '../../../ton/boc/boc.ts';
import type { Cell } from '../../../ton/cell/cell.ts';
import { CellBuilder } from '../../../ton/cell/cell-builder.ts';
import { CellsOfBag } from '../../../ton/cell/cells-of-bag.ts';
import { writeBag } from '../../../ton/cell/write-bag.ts';
import type { Money } from '../../../ton/currencies/money.ts';
import { type AccountAddress, storeAddress } from '../../../ton/store/store-address.ts';
import { storeCurrencies } from '../../../ton/store/store-currencies.ts';
import { loadAccount } from '../../../ton/tlb/account/account.ts';
import type { TickTock } from '../../../ton/tlb/message/tick-tock.ts';
import type { StorageUsed } from '../../../ton/tlb/transaction/storage-used.ts';
import { loadWholeCell } from '../../../ton/tlb/whole-cell.ts';
import { accountCell } from '../../ledger/account-cell.ts';

/** AccountState with its cells. */
export type StateParts =
  | { readonly status: 'uninit' }
  | { readonly status: 'frozen'; readonly stateHash: Uint8Array }
  | {
      readonly status: 'active';
      readonly splitDepth: number | null;
      readonly special: TickTock | null;
      readonly code: Cell | null;
      readonly data: Cell | null;
      /** Root of the dictionary of libraries. */
      readonly library: Cell | null;
    };

/** What an account is made of. */
export interface AccountFacts {
  readonly balance: Money;
  /** Unix time until which storage is paid. */
  readonly lastPaid: number;
  readonly duePayment: bigint | null;
  readonly state: StateParts;
  /** The lowest lt that its next transaction may have. */
  readonly endLt: bigint;
}

/** An account in parts. */
export interface SplitAccount extends AccountFacts {
  readonly used: StorageUsed;
}

/** Reads an Account that is complete and not `account_none`. */
export function splitAccount(account: Cell): SplitAccount {
  const cells = new CellsOfBag(parseBoc(writeBag(account)));
  const read = loadWholeCell(cells.boc, onlyRoot(cells.boc), 'Account', loadAccount)!;
  const { state, balance, lastTransLt: endLt } = read;
  const { lastPaid, duePayment, used } = read.storageInfo;
  const at = (index: number) => (index < 0 ? null : cells.cell(index));
  if (state.status !== 'active') return { balance, lastPaid, duePayment, used, state, endLt };
  const { splitDepth, special, code, data, library } = state.init;
  const parts = { splitDepth, special, code: at(code), data: at(data), library: at(library) };
  return { balance, lastPaid, duePayment, used, state: { status: 'active', ...parts }, endLt };
}

/** The counterpart of `splitAccount`. The sizes of the storage are counted unless they are given. */
// account_storage$_ last_trans_lt:uint64 balance:CurrencyCollection state:AccountState = AccountStorage;
export function joinAccount(address: AccountAddress, parts: AccountFacts, used?: StorageUsed): Cell {
  const { endLt, balance, state, lastPaid: utime, duePayment } = parts;
  const storage = new CellBuilder().u64(endLt).with(storeCurrencies, balance).with(storeState, state).cell();
  const name = new CellBuilder().with(storeAddress, address).cell();
  return accountCell(name, { storage, utime, duePayment, used });
}

// account_uninit$00 = AccountState;
// account_active$1 _:StateInit = AccountState;
// account_frozen$01 state_hash:bits256 = AccountState;
function storeState(builder: CellBuilder, state: StateParts): void {
  if (state.status === 'uninit') {
    builder.uint(0b00, 2);
    return;
  }
  if (state.status === 'frozen') {
    builder.uint(0b01, 2).bytes(state.stateHash);
    return;
  }
  const { splitDepth, special, code, data, library } = state;
  builder.bit(true).bit(splitDepth !== null);
  if (splitDepth !== null) builder.uint(splitDepth, 5);
  builder.bit(special !== null);
  if (special) builder.bit(special.tick).bit(special.tock);
  builder.maybeRef(code).maybeRef(data).maybeRef(library);
}
