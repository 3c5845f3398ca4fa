import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { countCells } from '../../ton/cell/count-cells.ts';
import { NO_MONEY } from '../../ton/currencies/money.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import type { TickTock } from '../../ton/tlb/message/tick-tock.ts';
import type { AccountEntry } from '../ledger/account-entry.ts';

/** A contract by its first state. */
export type NewContract = Pick<GenesisContract, 'address' | 'code' | 'data'>;

/** An account that is there from the start. */
export interface GenesisContract {
  readonly address: AccountAddress;
  readonly code: Cell;
  readonly data: Cell;
  /** Nanotons. */
  readonly balance: bigint;
  /** Runs at the start or end of masterchain blocks, if the configuration lists it. Default never. */
  readonly special?: TickTock;
}

// account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage = Account;
// storage_info$_ used:StorageUsed storage_extra:StorageExtraInfo last_paid:uint32
//   due_payment:(Maybe Grams) = StorageInfo;
export function genesisEntry(contract: GenesisContract, utime: number): AccountEntry {
  const { address, balance, special = null } = contract;
  const storage = storageCell(contract);
  const used = countCells([storage]);
  const builder = new CellBuilder().bit(true).with(storeAddress, address);
  builder.varUint(BigInt(used.cells), 3).varUint(BigInt(used.bits), 3).uint(0b000, 3);
  const account = builder.uint(utime, 32).bit(false).append(storage).cell();
  return {
    account,
    lastTransHash: new Uint8Array(32),
    lastTransLt: 0n,
    balance: { ...NO_MONEY, grams: balance },
    endLt: 0n,
    special,
    libraries: new Map(),
    status: 'active',
    paidUntil: utime,
  };
}

// account_storage$_ last_trans_lt:uint64 balance:CurrencyCollection state:AccountState = AccountStorage;
// account_active$1 _:StateInit = AccountState;
function storageCell({ balance, special, code, data }: GenesisContract): Cell {
  const builder = new CellBuilder().u64(0n).coins(balance).bit(false).bit(true);
  builder.bit(false).bit(special !== undefined);
  if (special) builder.bit(special.tick).bit(special.tock);
  return builder.maybeRef(code).maybeRef(data).bit(false).cell();
}
