/** Finds the block's transactions; mirrors tlb/block/shard-account-blocks.ts, tlb/block/account-block.ts. */
import {
  A_ADDRESS, A_COUNT, A_FIRST, A_NEW_HASH, A_OLD_HASH, addAccount, beginAccounts, TRANSACTIONS as CELLS,
} from './changed-accounts';
import { skipCurrencies } from '../currencies';
import { bytes32, end, enter, expectTag, keep, leave, maybeRef, ref, restore } from '../bags/cursor';
import { nextLeaf, openWalk, skipInlineLabel, walkKey } from '../bags/dictionary';
import { want } from '../bags/hash-cells';
import { hashUpdate } from './hash-update';
import { expectHash, TRANSACTIONS } from '../refuse';

/** _ (HashmapAugE 256 AccountBlock CurrencyCollection) = ShardAccountBlocks; from its cell. */
export function readAccountBlocks(cell: i32): void {
  beginAccounts();
  enter(cell);
  const root = maybeRef();
  skipCurrencies();
  leave('ShardAccountBlocks');
  if (root < 0) return;
  openWalk(root, 256, false);
  while (nextLeaf()) {
    skipCurrencies();
    readAccountBlock();
    end('AccountBlock');
  }
}

/**
 *     acc_trans#5 account_addr:bits256 transactions:(HashmapAug 64 ^Transaction CurrencyCollection)
 *       state_update:^(HASH_UPDATE Account) = AccountBlock;
 */
function readAccountBlock(): void {
  expectTag(4, 5, 'AccountBlock');
  const key = walkKey();
  const to = addAccount();
  bytes32(to + A_ADDRESS);
  store<u32>(to, <u32>(CELLS.length >> 2), A_FIRST);
  readTransactions();
  store<u32>(to, <u32>(CELLS.length >> 2) - load<u32>(to, A_FIRST), A_COUNT);
  hashUpdate(ref(), to + A_OLD_HASH, to + A_NEW_HASH);
  expectHash(TRANSACTIONS, 'address of an account block', key, to + A_ADDRESS);
}

function addTransaction(): void {
  skipCurrencies();
  const cell = ref();
  want(cell);
  CELLS.push32(cell);
}

/** The dictionary's root edge is inside the account block. */
function readTransactions(): void {
  const label = skipInlineLabel(64);
  if (label == 64) {
    addTransaction();
    return;
  }
  for (let side = 0; side < 2; side++) {
    const child = ref();
    keep();
    openWalk(child, 64 - label - 1, false);
    while (nextLeaf()) {
      addTransaction();
      end('AccountBlock.transactions');
    }
    restore();
  }
  skipCurrencies();
}
