import type { Boc } from '../../boc/boc.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { PRUNED } from '../../boc/cell-type.ts';
import { type ExtBlkRef, loadExtBlkRef } from '../ext-blk-ref.ts';
import { loadShardIdent, type ShardIdent } from '../shard-ident.ts';
import { loadStateCurrencies, type StateCurrencies } from '../state-currencies.ts';
import { expectTag } from '../tag.ts';
import { loadWholeCell } from '../whole-cell.ts';

/** Sums and libraries of a state. */
export interface ShardStateTotals {
  readonly overloadHistory: bigint;
  readonly underloadHistory: bigint;
  readonly totalBalance: StateCurrencies;
  readonly totalValidatorFees: StateCurrencies;
  /** Root of the dictionary of LibDescr; -1 for none. */
  readonly libraries: number;
  readonly masterRef: ExtBlkRef | null;
}

export interface ShardStateUnsplit {
  readonly globalId: number;
  readonly shard: ShardIdent;
  readonly seqno: number;
  readonly vertSeqno: number;
  readonly genUtime: number;
  readonly genLt: bigint;
  readonly minRefMcSeqno: number;
  readonly beforeSplit: boolean;
  /** Cells; any may be pruned in a state update. `custom` is -1 outside the masterchain. */
  readonly outMsgQueueInfo: number;
  readonly accounts: number;
  readonly custom: number;
  /** null where it is pruned. */
  readonly totals: ShardStateTotals | null;
}

const SHARD_STATE = 0x9023afe2;
const SPLIT_STATE = 0x5f327da5;

// shard_state#9023afe2 global_id:int32 shard_id:ShardIdent seq_no:uint32 vert_seq_no:# gen_utime:uint32
//   gen_lt:uint64 min_ref_mc_seqno:uint32 out_msg_queue_info:^OutMsgQueueInfo before_split:(## 1)
//   accounts:^ShardAccounts
//   ^[ overload_history:uint64 underload_history:uint64 total_balance:CurrencyCollection
//      total_validator_fees:CurrencyCollection libraries:(HashmapE 256 LibDescr) master_ref:(Maybe BlkMasterInfo) ]
//   custom:(Maybe ^McStateExtra) = ShardStateUnsplit;
export function loadShardStateUnsplit(slice: CellSlice): ShardStateUnsplit {
  expectTag(slice, 32, SHARD_STATE, 'ShardStateUnsplit');
  const numbers = {
    globalId: slice.int(32),
    shard: loadShardIdent(slice),
    seqno: slice.uint(32),
    vertSeqno: slice.uint(32),
    genUtime: slice.uint(32),
    genLt: slice.u64(),
    minRefMcSeqno: slice.uint(32),
  };
  const outMsgQueueInfo = slice.ref();
  const beforeSplit = slice.bit();
  const accounts = slice.ref();
  const totalsCell = slice.ref();
  const custom = slice.maybeRef();
  const { boc } = slice;
  const totals =
    boc.type[totalsCell] === PRUNED ? null : loadWholeCell(boc, totalsCell, 'ShardStateUnsplit', loadTotals);
  return { ...numbers, outMsgQueueInfo, beforeSplit, accounts, custom, totals };
}

/** The shard of a ShardStateUnsplit, from the start of its cell. */
export function loadStateShard(slice: CellSlice): ShardIdent {
  expectTag(slice, 32, SHARD_STATE, 'ShardStateUnsplit');
  slice.int(32);
  return loadShardIdent(slice);
}

function loadTotals(slice: CellSlice): ShardStateTotals {
  return {
    overloadHistory: slice.u64(),
    underloadHistory: slice.u64(),
    totalBalance: loadStateCurrencies(slice),
    totalValidatorFees: loadStateCurrencies(slice),
    libraries: slice.maybeRef(),
    masterRef: slice.bit() ? loadExtBlkRef(slice) : null,
  };
}

/** The place of the dictionary of LibDescr among the references of a state's totals; -1 for none. */
export function loadStateLibraries(totals: CellSlice): number {
  totals.skipBits(64 + 64);
  for (let sums = 0; sums < 2; sums++) {
    totals.coins();
    totals.maybeRef();
  }
  return totals.maybeRef();
}

/** One side of a state update, or a state: one state, two after a split; pruned ones are left out. */
// _ ShardStateUnsplit = ShardState;
// split_state#5f327da5 left:^ShardStateUnsplit right:^ShardStateUnsplit = ShardState;
export function loadShardState(boc: Boc, cell: number): ShardStateUnsplit[] {
  if (boc.type[cell] === PRUNED) return [];
  const slice = new CellSlice(boc, cell);
  if (slice.peekUint(32) !== SPLIT_STATE) return [loadUnsplit(boc, cell)];
  slice.skipBits(32);
  const halves = [slice.ref(), slice.ref()];
  slice.end('split_state');
  return halves.filter((half) => boc.type[half] !== PRUNED).map((half) => loadUnsplit(boc, half));
}

function loadUnsplit(boc: Boc, cell: number): ShardStateUnsplit {
  return loadWholeCell(boc, cell, 'ShardStateUnsplit', loadShardStateUnsplit);
}
