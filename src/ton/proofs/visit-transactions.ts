import type { CellSlice } from '../boc/cell-slice.ts';
import type { Cell } from '../cell/cell.ts';
import { nextMaybeRef, nextRef, toSlice } from '../cell/to-slice.ts';
import { putBits, putOne } from '../tlb/bit-string.ts';
import { loadLabel } from '../tlb/inline-hashmap.ts';
import { expectTag } from '../tlb/tag.ts';
import { visitBlockExtra, visitHeader } from './visit-block.ts';
import type { Visits } from './visits.ts';

/** A transaction in a block; its own cell is not visited. */
export interface BlockTransaction {
  readonly account: Uint8Array;
  readonly lt: bigint;
  readonly prevHash: Uint8Array;
  readonly prevLt: bigint;
  readonly cell: Cell;
}

/**
 * Visits the header and the dictionaries of transactions of a block. Returns the transactions in the order of accounts
 * and, for each account, of lt.
 */
export function visitTransactions(visits: Visits, block: Cell): BlockTransaction[] {
  const { accountBlocks } = visitBlockExtra(visits, visitHeader(visits, block).extra);
  const root = nextMaybeRef(visits.open(accountBlocks));
  if (!root) return [];
  return [...visitLeaves(visits, visits.open(root), 256)].flatMap(({ value }) => [
    ...visitAccountBlock(visits, value),
  ]);
}

/** As `visitTransactions`, for one account: only the path to it is visited. */
export function visitTransactionsOfAccount(
  visits: Visits,
  block: Cell,
  account: Uint8Array,
): BlockTransaction[] {
  const { accountBlocks } = visitBlockExtra(visits, visitHeader(visits, block).extra);
  const root = nextMaybeRef(visits.open(accountBlocks));
  const leaf = root && visits.leaf(root, { bytes: account, bits: 256 });
  return leaf ? [...visitAccountBlock(visits, leaf)] : [];
}

// _ (HashmapAugE 256 AccountBlock CurrencyCollection) = ShardAccountBlocks;
// acc_trans#5 account_addr:bits256 transactions:(HashmapAug 64 ^Transaction CurrencyCollection)
//   state_update:^(HASH_UPDATE Account) = AccountBlock;
function* visitAccountBlock(visits: Visits, leaf: CellSlice): Generator<BlockTransaction> {
  skipCurrencies(leaf);
  expectTag(leaf, 4, 5, 'AccountBlock');
  const account = leaf.bytes(32);
  for (const { value } of visitLeaves(visits, leaf, 64)) {
    skipCurrencies(value);
    const cell = nextRef(value);
    yield { account, cell, ...loadHead(cell) };
  }
}

// transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 …
function loadHead(cell: Cell): {
  readonly lt: bigint;
  readonly prevHash: Uint8Array;
  readonly prevLt: bigint;
} {
  const slice = toSlice(cell);
  expectTag(slice, 4, 7, 'Transaction');
  slice.skipBits(256);
  return { lt: slice.u64(), prevHash: slice.bytes(32), prevLt: slice.u64() };
}

function skipCurrencies(slice: CellSlice): void {
  slice.coins();
  slice.maybeRef();
}

/** Visits all edges of a Hashmap or HashmapAug whose root edge `root` is at; leaves in the order of keys. */
export function* visitLeaves(
  visits: Visits,
  root: CellSlice,
  keyBits: number,
): Generator<{ readonly key: Uint8Array; readonly value: CellSlice }> {
  const open = [{ slice: root, key: new Uint8Array((keyBits + 7) >> 3), at: 0 }];
  for (let edge = open.pop(); edge; edge = open.pop()) {
    const { slice, key } = edge;
    const label = loadLabel(slice, keyBits - edge.at);
    putBits(key, edge.at, label);
    const at = edge.at + label.bitLength;
    if (at === keyBits) {
      yield { key, value: slice };
      continue;
    }
    const [left, right] = [visits.open(nextRef(slice)), visits.open(nextRef(slice))];
    const rightKey = key.slice();
    putOne(rightKey, at);
    open.push({ slice: right, key: rightKey, at: at + 1 }, { slice: left, key, at: at + 1 });
  }
}
