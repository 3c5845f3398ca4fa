import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { countCells } from '../../ton/cell/count-cells.ts';
import { NO_EXTRA, Trie, type TrieForm } from '../../ton/cell/trie.ts';
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
  /** Libraries that it publishes, if it is in the masterchain. Default none. */
  readonly libraries?: readonly Cell[];
}

/** Returns the account in the zerostate. */
export function genesisEntry(contract: GenesisContract, utime: number): AccountEntry {
  const { address, balance, special = null, libraries = [] } = contract;
  return {
    account: accountCell(new CellBuilder().with(storeAddress, address).cell(), {
      storage: storageCell(contract),
      utime,
      duePayment: null,
    }),
    lastTransHash: new Uint8Array(32),
    lastTransLt: 0n,
    balance: { ...NO_MONEY, grams: balance },
    endLt: 0n,
    special,
    libraries: new Map(libraries.map((cell) => [cell.key, cell])),
    status: 'active',
    paidUntil: utime,
  };
}

/** What an Account has after its address. */
export interface AccountParts {
  /** AccountStorage. */
  readonly storage: Cell;
  /** Unix time until which storage is paid. */
  readonly utime: number;
  /** Unpaid storage fees, nanotons; null for none. */
  readonly duePayment: bigint | null;
}

// account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage = Account;
// storage_info$_ used:StorageUsed storage_extra:StorageExtraInfo last_paid:uint32
//   due_payment:(Maybe Grams) = StorageInfo;
//
/** Returns the Account. `address`: a MsgAddressInt. The sizes of the storage are counted. */
export function accountCell(address: Cell, { storage, utime, duePayment }: AccountParts): Cell {
  const used = countCells([storage]);
  const builder = new CellBuilder().bit(true).append(address);
  builder.varUint(BigInt(used.cells), 3).varUint(BigInt(used.bits), 3).uint(0b000, 3);
  builder.uint(utime, 32).bit(duePayment !== null);
  if (duePayment !== null) builder.coins(duePayment);
  return builder.append(storage).cell();
}

// simple_lib$_ public:Bool root:^Cell = SimpleLib;
const SIMPLE_LIBS: TrieForm<Cell, null> = {
  keyBits: 256,
  store: (builder, library) => builder.bit(true).ref(library),
  extra: NO_EXTRA,
};

// account_storage$_ last_trans_lt:uint64 balance:CurrencyCollection state:AccountState = AccountStorage;
// account_active$1 _:StateInit = AccountState;
function storageCell({ balance, special, code, data, libraries = [] }: GenesisContract): Cell {
  const builder = new CellBuilder().u64(0n).coins(balance).bit(false).bit(true);
  builder.bit(false).bit(special !== undefined);
  if (special) builder.bit(special.tick).bit(special.tock);
  let published = Trie.empty(SIMPLE_LIBS);
  for (const library of libraries) published = published.set(library.hash(), library);
  builder.maybeRef(code).maybeRef(data);
  published.store(builder);
  return builder.cell();
}
