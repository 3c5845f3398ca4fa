import type { CellSlice } from '../../boc/cell-slice.ts';
import { loadCurrencyCollection } from '../currency-collection.ts';
import { type HashUpdate, loadHashUpdate } from '../hash-update.ts';
import { forEachInlineLeaf } from '../inline-hashmap.ts';
import { expectTag } from '../tag.ts';
import { loadWholeCell } from '../whole-cell.ts';

/** The transactions of one account in one block, at least one. */
export interface AccountBlock {
  readonly accountAddr: Uint8Array;
  /**
   * Cells of the transactions, in the order of the dictionary's keys. The keys are not given: they ought to be the
   * lts, but a local network counts them from the block's lt on instead (private-localnet in the shared data), so the
   * transaction's own lt is the one that holds.
   */
  readonly transactions: readonly number[];
  readonly stateUpdate: HashUpdate;
}

// acc_trans#5 account_addr:bits256 transactions:(HashmapAug 64 ^Transaction CurrencyCollection)
//   state_update:^(HASH_UPDATE Account) = AccountBlock;
export function loadAccountBlock(slice: CellSlice): AccountBlock {
  expectTag(slice, 4, 5, 'AccountBlock');
  const accountAddr = slice.bytes(32);
  const transactions: number[] = [];
  const isFork = forEachInlineLeaf(slice, 64, (_key, value) => {
    loadCurrencyCollection(value);
    transactions.push(value.ref());
    if (value !== slice) value.end('AccountBlock.transactions');
  });
  if (isFork) loadCurrencyCollection(slice);
  const stateUpdate = loadWholeCell(slice.boc, slice.ref(), 'HASH_UPDATE', loadHashUpdate);
  return { accountAddr, transactions, stateUpdate };
}
