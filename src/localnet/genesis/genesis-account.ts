import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { NO_EXTRA, Trie, type TrieForm } from '../../ton/cell/trie.ts';
import { NO_MONEY } from '../../ton/currencies/money.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import type { TickTock } from '../../ton/tlb/message/tick-tock.ts';
import { accountCell } from '../ledger/account-cell.ts';
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
