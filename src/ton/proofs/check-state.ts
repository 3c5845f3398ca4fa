import { CellSlice } from '../boc/cell-slice.ts';
import { findLeaf } from '../boc/find-leaf.ts';
import type { BlockId } from '../decode/block-header.ts';
import { findShard } from '../tlb/block/find-shard.ts';
import {
  loadMcStateExtra,
  loadMcStateHistory,
  loadOldBlock,
  type McStateExtra,
} from '../tlb/block/mc-state-extra.ts';
import { loadShardDescr, type ShardDescr } from '../tlb/block/shard-descr.ts';
import { loadShardStateUnsplit, type ShardStateUnsplit } from '../tlb/block/shard-state.ts';
import { type ProvableId, requireState } from './check-header.ts';
import { openPair, openProof, openProofs, type ProvenTree } from './open-proof.ts';
import { ProofError, proving } from './proof-error.ts';

/** A state that is proven to be the state after a block. Parts of it may be pruned. */
export interface ProvenState {
  readonly tree: ProvenTree;
  readonly state: ShardStateUnsplit;
}

/**
 * Checks a bag of two proofs: a block's header, and the state after the block. For the zerostate (seqno 0) only the last
 * proof counts.
 * @throws ProofError
 */
export function checkState(bytes: Uint8Array, id: ProvableId): ProvenState {
  return proving('a state', () => {
    if (id.seqno === 0) return readState(requireState(null, openProofs('the zerostate', bytes).at(-1)!, id));
    const [header, state] = openPair('a state', bytes);
    return readState(requireState(header, state, id));
  });
}

/** As `checkState`, for two bags of one proof each. `header` is ignored for the zerostate. @throws ProofError */
export function checkSeparateState(header: Uint8Array, state: Uint8Array, id: ProvableId): ProvenState {
  return proving('a state', () => {
    const first = id.seqno === 0 ? null : openProof('a block header', header);
    return readState(requireState(first, openProof('a state', state), id));
  });
}

function readState(tree: ProvenTree): ProvenState {
  return { tree, state: loadShardStateUnsplit(new CellSlice(tree.boc, tree.root)) };
}

/** The part that only a masterchain state has. @throws ProofError another state, or a pruned part */
export function masterchainExtra({ tree, state }: ProvenState): McStateExtra {
  if (state.custom < 0) throw new ProofError('a masterchain state', 'McStateExtra', 'none');
  return proving('McStateExtra', () => loadMcStateExtra(new CellSlice(tree.boc, state.custom)));
}

/** A shard's newest block in a masterchain state. */
export interface ProvenShard extends BlockId {
  readonly descr: ShardDescr;
}

/**
 * The newest block of the shard that contains a point of a workchain.
 * @param prefix first 64 bits of an address, or a shard
 * @returns null if the state proves that the workchain has no shards
 * @throws ProofError the path is pruned
 */
export function findShardTop(
  state: ProvenState,
  point: { readonly workchain: number; readonly prefix: bigint },
): ProvenShard | null {
  const { boc } = state.tree;
  const { shardHashes } = masterchainExtra(state);
  if (shardHashes < 0) return null;
  return proving('a shard in ShardHashes', () => {
    const found = findShard(new CellSlice(boc, shardHashes), point);
    if (!found) return null;
    const descr = loadShardDescr(found.descr);
    const { workchain, shard } = found;
    return {
      workchain,
      shard,
      seqno: descr.seqno,
      rootHash: descr.rootHash,
      fileHash: descr.fileHash,
      descr,
    };
  });
}

/**
 * A configuration parameter as a cell of `state.tree`; -1 if the state proves that it is absent.
 * @throws ProofError the path is pruned
 */
export function findConfigParam(state: ProvenState, param: number): number {
  const { config } = masterchainExtra(state);
  return configParamAt(state.tree, config, param);
}

/** As `findConfigParam`, from the root of the dictionary: a key block's McBlockExtra has one too. @throws ProofError */
export function configParamAt({ boc }: ProvenTree, config: number, param: number): number {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setInt32(0, param);
  return proving(`configuration parameter ${param}`, () => {
    const leaf = findLeaf(new CellSlice(boc, config), { bytes, bits: 32 });
    return leaf ? leaf.ref() : -1;
  });
}

/**
 * An earlier masterchain block in a masterchain state; null if the state proves that it does not know the seqno.
 * @throws ProofError the path is pruned
 */
export function findOldBlock(
  state: ProvenState,
  seqno: number,
): (BlockId & { readonly isKey: boolean; readonly endLt: bigint }) | null {
  const { boc } = state.tree;
  const { history } = masterchainExtra(state);
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, seqno);
  return proving(`masterchain block ${seqno} in a later state`, () => {
    const { prevBlocks } = loadMcStateHistory(new CellSlice(boc, history));
    const leaf = prevBlocks < 0 ? null : findLeaf(new CellSlice(boc, prevBlocks), { bytes, bits: 32 });
    if (!leaf) return null;
    const block = loadOldBlock(leaf);
    if (block.seqno !== seqno)
      throw new ProofError(`masterchain block ${seqno}`, `seqno ${seqno}`, `seqno ${block.seqno}`);
    return { workchain: -1, shard: 0x8000000000000000n, ...block };
  });
}
