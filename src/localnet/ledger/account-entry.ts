import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { forEachLeaf } from '../../ton/boc/hashmap.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { CellsOfBag } from '../../ton/cell/cells-of-bag.ts';
import type { TrieForm } from '../../ton/cell/trie.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import type { Money } from '../../ton/currencies/money.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import { balanceExtra } from '../../ton/store/augmentations.ts';
import { loadAccount } from '../../ton/tlb/account/account.ts';
import type { AccountState } from '../../ton/tlb/account/account-state.ts';
import type { ShardAccount } from '../../ton/tlb/account/shard-account.ts';
import { loadSimpleLib } from '../../ton/tlb/message/simple-lib.ts';
import type { TickTock } from '../../ton/tlb/message/tick-tock.ts';
import { loadWholeCell } from '../../ton/tlb/whole-cell.ts';

/** An account as a shard keeps it, with what is read from its cell. */
export interface AccountEntry {
  readonly account: Cell;
  readonly lastTransHash: Uint8Array;
  readonly lastTransLt: bigint;
  readonly balance: Money;
  /** The lowest lt that its next transaction may have. */
  readonly endLt: bigint;
  readonly special: TickTock | null;
  /** Libraries that it offers to everyone, by hash: in the masterchain they become public. */
  readonly libraries: ReadonlyMap<string, Cell>;
  readonly status: AccountState['status'];
  /** Unix time until which storage is paid; null where fees are owed, or a dictionary of the storage is kept. */
  readonly paidUntil: number | null;
}

// account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount;
function storeEntry(builder: CellBuilder, { account, lastTransHash, lastTransLt }: AccountEntry): void {
  builder.ref(account).bytes(lastTransHash).u64(lastTransLt);
}

// _ (HashmapAugE 256 ShardAccount DepthBalanceInfo) = ShardAccounts;
export const SHARD_ACCOUNTS: TrieForm<AccountEntry, Money> = {
  keyBits: 256,
  store: storeEntry,
  extra: balanceExtra(({ balance }) => balance),
};

/** The entry of a ShardAccount; null for `account_none`. `account` is the cell to keep for it. */
export function readAccountEntry(
  cells: CellsOfBag,
  shardAccount: ShardAccount,
  account: Cell,
): AccountEntry | null {
  const { lastTransHash, lastTransLt } = shardAccount;
  const read = loadWholeCell(cells.boc, shardAccount.account, 'Account', loadAccount);
  if (read === null) return null;
  const { state, balance, lastTransLt: endLt, storageInfo } = read;
  const { lastPaid, duePayment, dictHash } = storageInfo;
  const isPaid = duePayment === null && dictHash === null;
  const init = state.status === 'active' ? state.init : null;
  const libraries = readLibraries(cells, init?.library ?? -1);
  return {
    account,
    lastTransHash,
    lastTransLt,
    balance,
    endLt,
    special: init?.special ?? null,
    libraries,
    status: state.status,
    paidUntil: isPaid ? lastPaid : null,
  };
}

const NO_TRANSACTION = { lastTransHash: new Uint8Array(32), lastTransLt: 0n };

/** The entry of an Account that is not `account_none`, with its last transaction. Default: it has none. */
export function entryOfAccount(
  account: Cell,
  last: Pick<AccountEntry, 'lastTransHash' | 'lastTransLt'> = NO_TRANSACTION,
): AccountEntry {
  const cells = new CellsOfBag(parseBoc(writeBag(account)));
  return readAccountEntry(cells, { ...last, account: onlyRoot(cells.boc) }, account)!;
}

/** As `readAccountEntry`, for accounts of a state that is read as a whole. */
export function readStateEntry(cells: CellsOfBag, shardAccount: ShardAccount): AccountEntry | null {
  return readAccountEntry(cells, shardAccount, cells.cell(shardAccount.account));
}

const NO_LIBRARIES: ReadonlyMap<string, Cell> = new Map();

/** Public libraries in the dictionary of a StateInit, by hash; `root` is -1 for none. */
// library:(HashmapE 256 SimpleLib)
export function readLibraries(cells: CellsOfBag, root: number): ReadonlyMap<string, Cell> {
  if (root < 0) return NO_LIBRARIES;
  const libraries = new Map<string, Cell>();
  forEachLeaf(cells.boc, root, 256, (_hash, value) => {
    const { public: isPublic, root: library } = loadSimpleLib(value);
    const cell = cells.cell(library);
    if (isPublic) libraries.set(cell.key, cell);
  });
  return libraries;
}

/** The ShardAccount as the emulator takes it. */
export function shardAccountText(entry: AccountEntry): string {
  const builder = new CellBuilder();
  storeEntry(builder, entry);
  return toBase64(writeBag(builder.cell(), { index: false }));
}

// account_none$0 = Account;
const ACCOUNT_NONE = new CellBuilder().bit(false).cell();

/** A ShardAccount without an account, in the same form, after a transaction that ended it. */
export function noShardAccount({
  lastTransHash,
  lastTransLt,
}: Pick<AccountEntry, 'lastTransHash' | 'lastTransLt'>): string {
  const cell = new CellBuilder().ref(ACCOUNT_NONE).bytes(lastTransHash).u64(lastTransLt).cell();
  return toBase64(writeBag(cell, { index: false }));
}

/** The ShardAccount of an account that never was. */
export const NO_SHARD_ACCOUNT = noShardAccount(NO_TRANSACTION);
