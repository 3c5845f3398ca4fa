import type { Cell } from '../../../ton/cell/cell.ts';
import { CellBuilder } from '../../../ton/cell/cell-builder.ts';
import { storeAddress } from '../../../ton/store/store-address.ts';
import type { AccountEntry } from '../../ledger/account-entry.ts';
import type { StoragePrices } from './direct-terms.ts';

/** Account states as two bits. */
export const STATUS = { uninit: 0b00, frozen: 0b01, active: 0b10, nonexist: 0b11 } as const;

const NO_HASH = new Uint8Array(32);

/** Bytes of a number as `Grams` have them. */
export function byteLength(value: bigint): number {
  return value === 0n ? 0 : (value.toString(16).length + 1) >> 1;
}

/** A price in 1 / 65,536, rounded up. */
export function roundUp(price: bigint): bigint {
  return (price + 0xffffn) >> 16n;
}

/** Cells and bits of an account's storage. */
export interface StorageUse {
  readonly cells: number;
  readonly bits: number;
}

/** Storage fee for some seconds. */
export function storageFee({ cells, bits }: StorageUse, seconds: number, prices: StoragePrices): bigint {
  return roundUp((prices.cell * BigInt(cells) + prices.bit * BigInt(bits)) * BigInt(seconds));
}

/**
 * Bits of AccountStorage in addition to its balance's bytes and its state: lt, length of the balance, no other
 * currencies.
 */
export const STORAGE_BITS = 64 + 4 + 1;

interface AccountHead {
  readonly address: Uint8Array;
  readonly use: StorageUse;
  readonly lastPaid: number;
  readonly endLt: bigint;
  readonly balance: bigint;
}

/** An account of the basechain up to its state, which is to follow. */
// account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage = Account;
// storage_info$_ used:StorageUsed storage_extra:StorageExtraInfo last_paid:uint32
//   due_payment:(Maybe Grams) = StorageInfo;
// account_storage$_ last_trans_lt:uint64 balance:CurrencyCollection state:AccountState = AccountStorage;
export function accountHead({ address, use, lastPaid, endLt, balance }: AccountHead): CellBuilder {
  const builder = new CellBuilder().bit(true).with(storeAddress, { workchain: 0, address });
  builder.varUint(BigInt(use.cells), 3).varUint(BigInt(use.bits), 3).uint(0b000, 3);
  return builder.uint(lastPaid, 32).bit(false).u64(endLt).coins(balance).bit(false);
}

interface TransactionFacts {
  readonly address: Uint8Array;
  /** Its last transaction; null for none. */
  readonly before: Pick<AccountEntry, 'lastTransHash' | 'lastTransLt'> | null;
  readonly lt: bigint;
  readonly now: number;
  readonly outMsgs: number;
  readonly status: { readonly before: number; readonly after: number };
  /** ^[ in_msg out_msgs ] */
  readonly messages: Cell;
  readonly fees: bigint;
  /** HASH_UPDATE */
  readonly update: Cell;
  readonly description: Cell;
}

// transaction$0111 …: see tlb/transaction.ts.
export function transactionCell(facts: TransactionFacts): Cell {
  const { address, before, lt, now, outMsgs, status, messages, fees, update, description } = facts;
  const builder = new CellBuilder().uint(0b0111, 4).bytes(address).u64(lt);
  builder
    .bytes(before?.lastTransHash ?? NO_HASH)
    .u64(before?.lastTransLt ?? 0n)
    .uint(now, 32);
  builder.uint(outMsgs, 15).uint(status.before, 2).uint(status.after, 2).ref(messages);
  return builder.coins(fees).bit(false).ref(update).ref(description).cell();
}

// update_hashes#72 {X:Type} old_hash:bits256 new_hash:bits256 = HASH_UPDATE X;
export function hashUpdate(oldHash: Uint8Array, newHash: Uint8Array): Cell {
  return new CellBuilder().uint(0x72, 8).bytes(oldHash).bytes(newHash).cell();
}
