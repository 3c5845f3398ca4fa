import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { numberKey } from '../../ton/cell/key-bits.ts';
import { Trie, type TrieForm } from '../../ton/cell/trie.ts';
import type { Money } from '../../ton/currencies/money.ts';
import { type ImportSum, importExtra, moneyExtra } from '../../ton/store/augmentations.ts';
import type { ExecutedTransaction } from '../ledger/executed-transaction.ts';

/** An InMsg, and what it brings. */
export interface InEntry {
  readonly cell: Cell;
  readonly sum: ImportSum;
}

/** An OutMsg, and what it takes away. */
export interface OutEntry {
  readonly cell: Cell;
  readonly value: Money;
}

// _ (HashmapAugE 256 InMsg ImportFees) = InMsgDescr;
export const IN_MSG_DESCR: TrieForm<InEntry, ImportSum> = {
  keyBits: 256,
  store: (builder, { cell }) => builder.append(cell),
  extra: importExtra(({ sum }) => sum),
};

// _ (HashmapAugE 256 OutMsg CurrencyCollection) = OutMsgDescr;
export const OUT_MSG_DESCR: TrieForm<OutEntry, Money> = {
  keyBits: 256,
  store: (builder, { cell }) => builder.append(cell),
  extra: moneyExtra(({ value }) => value),
};

/** The transactions of one account. */
export interface AccountRecord {
  readonly address: Uint8Array;
  readonly transactions: readonly ExecutedTransaction[];
}

interface AccountLeaf extends AccountRecord {
  readonly dict: Trie<ExecutedTransaction, Money>;
}

// HashmapAug 64 ^Transaction CurrencyCollection
const TRANSACTIONS: TrieForm<ExecutedTransaction, Money> = {
  keyBits: 64,
  store: (builder, { cell }) => builder.ref(cell),
  extra: moneyExtra(({ fees }) => fees),
};

// acc_trans#5 account_addr:bits256 transactions:(HashmapAug 64 ^Transaction CurrencyCollection)
//   state_update:^(HASH_UPDATE Account) = AccountBlock;
// _ (HashmapAugE 256 AccountBlock CurrencyCollection) = ShardAccountBlocks;
const SHARD_ACCOUNT_BLOCKS: TrieForm<AccountLeaf, Money> = {
  keyBits: 256,
  store: (builder, { address, transactions, dict }) => {
    builder.uint(5, 4).bytes(address);
    dict.storeInline(builder);
    builder.ref(hashUpdate(transactions[0]!.oldHash, transactions.at(-1)!.newHash));
  },
  extra: moneyExtra(({ dict }) => dict.extra()),
};

// update_hashes#72 {X:Type} old_hash:bits256 new_hash:bits256 = HASH_UPDATE X;
function hashUpdate(oldHash: Uint8Array, newHash: Uint8Array): Cell {
  return new CellBuilder().uint(0x72, 8).bytes(oldHash).bytes(newHash).cell();
}

/** ShardAccountBlocks of the accounts that a block touched. */
export function accountBlocks(records: Iterable<AccountRecord>): Trie<AccountLeaf, Money> {
  let blocks = Trie.empty(SHARD_ACCOUNT_BLOCKS);
  for (const { address, transactions } of records) {
    let dict = Trie.empty(TRANSACTIONS);
    for (const transaction of transactions) dict = dict.set(numberKey(transaction.lt, 64), transaction);
    blocks = blocks.set(address, { address, transactions, dict });
  }
  return blocks;
}
