import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { CellSlice } from '../../ton/boc/cell-slice.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { CellsOfBag } from '../../ton/cell/cells-of-bag.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { storeAddress } from '../../ton/store/store-address.ts';
import { loadStorageInfo } from '../../ton/tlb/account/storage-info.ts';
import { loadMsgAddressInt } from '../../ton/tlb/msg-address.ts';
import type { ForkedAccount } from '../fork/fork.ts';
import { accountCell } from '../ledger/account-cell.ts';
import { type AccountEntry, entryOfAccount } from '../ledger/account-entry.ts';
import type { GenesisContract } from './genesis-account.ts';
import { contractAt } from './genesis-code.ts';

/** More than the storage of libraries costs in many years. */
const PUBLISHER_BALANCE = 1_000_000_000_000_000n;

/**
 * Returns the forked account in the zerostate. Address, balance, debt of storage fees, and state are those of the other
 * network; storage is paid up to the zerostate. There is no last transaction: its lt may be above those of the new chain.
 */
// account_storage$_ last_trans_lt:uint64 balance:CurrencyCollection state:AccountState = AccountStorage;
export function forkedEntry({ address, account }: ForkedAccount, utime: number): AccountEntry {
  const cells = toBag(account);
  const slice = new CellSlice(cells.boc, onlyRoot(cells.boc));
  slice.skipBits(1);
  loadMsgAddressInt(slice);
  const { duePayment } = loadStorageInfo(slice);
  slice.skipBits(64);
  const { bytes, start, bit, count } = slice.rest;
  const storage = new CellBuilder().u64(0n).bits(bytes, start * 8 + bit, count);
  while (slice.refsLeft > 0) storage.ref(cells.cell(slice.ref()));
  const parts = { storage: storage.cell(), utime, duePayment };
  return entryOfAccount(accountCell(new CellBuilder().with(storeAddress, address).cell(), parts));
}

function toBag(cell: Cell): CellsOfBag {
  return new CellsOfBag(parseBoc(writeBag(cell)));
}

/**
 * The masterchain account that publishes libraries whose own publishers are not in the fork. `name` makes a further one, with
 * another address.
 */
export function libraryPublisher(
  libraries: readonly Cell[],
  name: Uint8Array = new Uint8Array(0),
): GenesisContract {
  // THROW 42: it accepts nothing.
  const code = new CellBuilder().uint(0xf22a, 16).cell();
  const data = new CellBuilder().bytes(new TextEncoder().encode('forked libraries')).bytes(name).cell();
  return { ...contractAt(code, data, PUBLISHER_BALANCE, { workchain: -1 }), libraries };
}
