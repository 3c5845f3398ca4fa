/**
 * Finds the changed accounts in a side of the state update; mirrors tlb/block/shard-state.ts, tlb/account/shard-accounts.ts. Every
 * leaf's form is checked. Leaves of accounts with transactions are recorded and their cells marked for hashing.
 */
import { cellType, PRUNED } from '../bags/bag';
import { findAccount, L_CELL, L_EXTRA, L_GRAMS, L_HASH, L_LT, L_SHOWN } from '../accounts/changed-accounts';
import { stateCurrencies } from '../currencies';
import {
  bad, bit, bytes32, end, enter, expectTag, keep, leave, maybeRef, peek, ref, restore, skipBits, uint, uint64,
} from '../bags/cursor';
import { nextLeaf, openWalk, walkKey } from '../bags/dictionary';
import { want } from '../bags/hash-cells';
import { shardIdent } from './shard-ident';

const SHARD_STATE: u32 = 0x9023afe2;
const SPLIT_STATE: u32 = 0x5f327da5;
const GRAMS: usize = memory.data(32, 16);
const HASH: usize = memory.data(32, 16);

/** `leaf`: offset of the leaf in an account's record. */
export function readSide(cell: i32, leaf: usize): void {
  if (cellType(cell) == PRUNED) return;
  enter(cell);
  if (peek(32) != SPLIT_STATE) {
    restore();
    readState(cell, leaf);
    return;
  }
  skipBits(32);
  const left = ref();
  const right = ref();
  leave('split_state');
  // Both halves are read before either is walked, as the reader does.
  if (cellType(left) != PRUNED) readState(left, leaf);
  if (cellType(right) != PRUNED) readState(right, leaf);
}

/**
 *     shard_state#9023afe2 global_id:int32 shard_id:ShardIdent seq_no:uint32 vert_seq_no:# gen_utime:uint32
 *       gen_lt:uint64 min_ref_mc_seqno:uint32 out_msg_queue_info:^OutMsgQueueInfo before_split:(## 1)
 *       accounts:^ShardAccounts
 *       ^[ overload_history:uint64 underload_history:uint64 total_balance:CurrencyCollection
 *          total_validator_fees:CurrencyCollection libraries:(HashmapE 256 LibDescr) master_ref:(Maybe BlkMasterInfo) ]
 *       custom:(Maybe ^McStateExtra) = ShardStateUnsplit;
 */
function readState(cell: i32, leaf: usize): void {
  enter(cell);
  expectTag(32, SHARD_STATE, 'ShardStateUnsplit');
  skipBits(32);
  shardIdent();
  skipBits(32 + 32 + 32 + 64 + 32);
  ref();
  skipBits(1);
  const accounts = ref();
  const totals = ref();
  maybeRef();
  if (cellType(totals) != PRUNED) readTotals(totals);
  leave('ShardStateUnsplit');
  readAccounts(accounts, leaf);
}

function readTotals(cell: i32): void {
  enter(cell);
  skipBits(64 + 64);
  stateCurrencies(GRAMS);
  stateCurrencies(GRAMS);
  maybeRef();
  if (bit()) skipBits(64 + 32 + 256 + 256);
  leave('ShardStateUnsplit');
}

/** depth_balance$_ split_depth:(#<= 30) balance:CurrencyCollection = DepthBalanceInfo; gives the currencies' root. */
function depthBalance(): i32 {
  const depth = uint(5);
  if (depth > 30) bad('DepthBalanceInfo.split_depth', 30, depth);
  return stateCurrencies(GRAMS);
}

/** _ (HashmapAugE 256 ShardAccount DepthBalanceInfo) = ShardAccounts; from its cell, which may be pruned. */
function readAccounts(cell: i32, leaf: usize): void {
  if (cellType(cell) == PRUNED) return;
  enter(cell);
  const root = maybeRef();
  depthBalance();
  leave('ShardAccounts');
  if (root < 0) return;
  keep();
  openWalk(root, 256, true);
  while (nextLeaf()) {
    const extra = depthBalance();
    readShardAccount(extra, leaf);
    end('ShardAccount');
  }
  restore();
}

/** account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount; */
function readShardAccount(extra: i32, leaf: usize): void {
  const cell = ref();
  bytes32(HASH);
  const lt = uint64(64);
  const account = findAccount(walkKey());
  if (account == 0) return;
  want(cell);
  const to = account + leaf;
  store<u32>(to, 1, L_SHOWN);
  store<i32>(to, cell, L_CELL);
  store<u64>(to, lt, L_LT);
  store<i32>(to, extra, L_EXTRA);
  v128.store(to + L_GRAMS, v128.load(GRAMS));
  v128.store(to + L_HASH, v128.load(HASH));
  v128.store(to + L_HASH, v128.load(HASH, 16), 16);
}
