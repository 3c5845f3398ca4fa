import type { CellSlice } from '../boc/cell-slice.ts';
import type { Cell } from '../cell/cell.ts';
import { nextMaybeRef, nextRef } from '../cell/to-slice.ts';
import { type FoundShard, findShard } from '../tlb/block/find-shard.ts';
import { loadMcStateExtra, loadMcStateHistory, loadOldBlock } from '../tlb/block/mc-state-extra.ts';
import { loadShardIdent } from '../tlb/shard-ident.ts';
import { expectTag } from '../tlb/tag.ts';
import type { Visits } from './visits.ts';

/** The cells below a state's root. */
export interface StateParts {
  readonly outMsgQueueInfo: Cell;
  readonly accounts: Cell;
  /** Balances, libraries and the masterchain reference. */
  readonly totals: Cell;
  /** null outside the masterchain. */
  readonly custom: Cell | null;
}

/**
 * Visits the root of a state and its totals. Clients unpack the totals together with the root, so every proof of a state
 * contains them.
 */
export function visitState(visits: Visits, state: Cell): StateParts {
  const slice = visits.open(state);
  expectTag(slice, 32, 0x9023afe2, 'ShardStateUnsplit');
  slice.skipBits(32);
  loadShardIdent(slice);
  slice.skipBits(32 + 32 + 32 + 64 + 32);
  const outMsgQueueInfo = nextRef(slice);
  slice.skipBits(1);
  const accounts = nextRef(slice);
  const totals = nextRef(slice);
  const custom = nextMaybeRef(slice);
  visits.open(totals);
  return { outMsgQueueInfo, accounts, totals, custom };
}

/** An account's entry: ShardAccount. */
export interface AccountLeaf {
  readonly account: Cell;
  readonly lastTransHash: Uint8Array;
  readonly lastTransLt: bigint;
}

/** Visits the path to an account, but not the account's own cell. null: the path proves that there is none. */
export function visitAccount(visits: Visits, state: Cell, address: Uint8Array): AccountLeaf | null {
  const root = nextMaybeRef(visits.open(visitState(visits, state).accounts));
  const leaf = root && visits.leaf(root, { bytes: address, bits: 256 });
  if (!leaf) return null;
  // The balance's extra currencies are a reference before the account.
  loadSkippedBalance(leaf);
  return { account: nextRef(leaf), lastTransHash: leaf.bytes(32), lastTransLt: leaf.u64() };
}

// depth_balance$_ split_depth:(#<= 30) balance:CurrencyCollection = DepthBalanceInfo;
function loadSkippedBalance(leaf: CellSlice): void {
  leaf.skipBits(5);
  leaf.coins();
  leaf.maybeRef();
}

/** The parts of McStateExtra. */
export interface ExtraParts {
  readonly shardHashes: Cell | null;
  readonly config: Cell;
  readonly history: Cell;
}

/**
 * Visits McStateExtra of a masterchain state, and the cell of earlier blocks, which clients unpack together with it.
 * @throws TypeError another state
 */
export function visitExtra(visits: Visits, state: Cell): ExtraParts {
  const { custom } = visitState(visits, state);
  if (!custom) throw new TypeError('the state of a masterchain block is needed');
  const extra = loadMcStateExtra(visits.open(custom));
  const ref = (index: number) => custom.refs[index]!;
  visits.open(ref(extra.history));
  const shardHashes = extra.shardHashes < 0 ? null : ref(extra.shardHashes);
  return { shardHashes, config: ref(extra.config), history: ref(extra.history) };
}

/**
 * Visits the path to the shard that contains a point of a workchain, and everything below its ShardDescr. `descr` is at
 * the ShardDescr.
 */
export function visitShard(
  visits: Visits,
  shardHashes: Cell | null,
  point: { readonly workchain: number; readonly prefix: bigint },
): FoundShard | null {
  if (!shardHashes) return null;
  const found = findShard(visits.open(shardHashes), point, (slice) => visits.open(nextRef(slice)));
  const rest = found?.descr.clone();
  while (rest && rest.refsLeft > 0) visits.openAll(nextRef(rest));
  return found;
}

/** Visits the path to each parameter and everything below it; `null`: the whole configuration. */
export function visitConfig(visits: Visits, config: Cell, params: readonly number[] | null): void {
  if (!params) visits.openAll(config);
  for (const param of params ?? []) {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setInt32(0, param);
    const leaf = visits.leaf(config, { bytes, bits: 32 });
    if (leaf) visits.openAll(nextRef(leaf));
  }
}

/**
 * Visits the path to an earlier masterchain block, and the path to the zerostate: the official client reads the id of the
 * zerostate from every state in which it looks for an earlier block.
 */
export function visitOldBlock(
  visits: Visits,
  history: Cell,
  seqno: number,
): ReturnType<typeof loadOldBlock> | null {
  const { prevBlocks } = loadMcStateHistory(visits.open(history));
  if (prevBlocks < 0) return null;
  const visitSeqno = (key: number) => {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, key);
    return visits.leafWithSiblings(history.refs[prevBlocks]!, { bytes, bits: 32 });
  };
  visitSeqno(0);
  const leaf = visitSeqno(seqno);
  return leaf && loadOldBlock(leaf);
}
