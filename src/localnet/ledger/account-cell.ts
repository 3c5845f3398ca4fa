import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { countCells } from '../../ton/cell/count-cells.ts';
import type { StorageUsed } from '../../ton/tlb/transaction/storage-used.ts';

/** What an Account has after its address. */
export interface AccountParts {
  /** AccountStorage. */
  readonly storage: Cell;
  /** Unix time until which storage is paid. */
  readonly utime: number;
  /** Unpaid storage fees, nanotons; null for none. */
  readonly duePayment: bigint | null;
  /** Sizes of the storage. Default: they are counted. */
  readonly used?: StorageUsed | undefined;
}

// account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage = Account;
// storage_info$_ used:StorageUsed storage_extra:StorageExtraInfo last_paid:uint32
//   due_payment:(Maybe Grams) = StorageInfo;
//
/** Returns the Account. `address`: a MsgAddressInt. */
export function accountCell(address: Cell, parts: AccountParts): Cell {
  const { storage, utime, duePayment, used = countCells([storage]) } = parts;
  const builder = new CellBuilder().bit(true).append(address);
  builder.varUint(BigInt(used.cells), 3).varUint(BigInt(used.bits), 3).uint(0b000, 3);
  builder.uint(utime, 32).bit(duePayment !== null);
  if (duePayment !== null) builder.coins(duePayment);
  return builder.append(storage).cell();
}
