import type { Boc } from '../../boc/boc.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { PRUNED } from '../../boc/cell-type.ts';
import { walkLeaves } from '../../boc/hashmap.ts';
import { type DepthBalanceInfo, loadDepthBalanceInfo } from './depth-balance-info.ts';
import { loadShardAccount, type ShardAccount } from './shard-account.ts';

/**
 * Visits the accounts that a state (or a side of a state update) shows, in the order of their addresses; pruned
 * edges are passed over. `address` is re-used for the next one.
 */
// _ (HashmapAugE 256 ShardAccount DepthBalanceInfo) = ShardAccounts;
export function forEachShardAccount(
  boc: Boc,
  cell: number,
  visit: (address: Uint8Array, account: ShardAccount, info: DepthBalanceInfo) => void,
): void {
  if (boc.type[cell] === PRUNED) return;
  const slice = new CellSlice(boc, cell);
  const root = slice.maybeRef();
  loadDepthBalanceInfo(slice);
  slice.end('ShardAccounts');
  if (root < 0) return;
  const visitLeaf = (address: Uint8Array, value: CellSlice) => {
    const info = loadDepthBalanceInfo(value);
    const account = loadShardAccount(value);
    value.end('ShardAccount');
    visit(address, account, info);
  };
  walkLeaves(boc, root, { keyBits: 256, skipPruned: true }, visitLeaf);
}
