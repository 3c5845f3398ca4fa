import { CellSlice } from '../boc/cell-slice.ts';
import { MERKLE_UPDATE } from '../boc/cell-type.ts';
import { blockName } from '../decode/block-error.ts';
import type { BlockId } from '../decode/block-header.ts';
import { loadBlock } from '../tlb/block/block.ts';
import { type BlockNumbers, loadBlockNumbers } from '../tlb/block/block-info.ts';
import { loadMerkleUpdate } from '../tlb/merkle-update.ts';
import { loadWholeCell } from '../tlb/whole-cell.ts';
import { openProof, type ProvenTree } from './open-proof.ts';
import { expectHash, ProofError, proving } from './proof-error.ts';

/** A block's identity without its file hash: no proof contains that. */
export type ProvableId = Pick<BlockId, 'workchain' | 'shard' | 'seqno' | 'rootHash'>;

/** A block's header as a proof shows it. */
export interface ProvenHeader {
  readonly tree: ProvenTree;
  readonly info: BlockNumbers;
  /** Root hash of the state after the block; null if the proof does not show the state update. */
  readonly stateHash: Uint8Array | null;
}

/**
 * Checks one Merkle proof of a block against the block's id: root hash, workchain, shard and seqno.
 * @throws ProofError
 */
export function checkHeader(bytes: Uint8Array, id: ProvableId): ProvenHeader {
  return proving('a block header', () => readHeader(openProof('a block header', bytes), id));
}

/** As `checkHeader`, for a proof that is open already. @throws ProofError, CellError */
export function readHeader(tree: ProvenTree, id: ProvableId): ProvenHeader {
  expectHash(`block header of ${blockName(id)}`, id.rootHash, tree.hash);
  const { boc, root } = tree;
  const block = loadWholeCell(boc, root, 'Block', loadBlock);
  const info = loadBlockNumbers(new CellSlice(boc, block.info));
  const { workchain, shard } = info.shard;
  if (workchain !== id.workchain || shard !== id.shard || info.seqno !== id.seqno)
    throw new ProofError('a block header', blockName(id), blockName({ workchain, shard, seqno: info.seqno }));
  const isShown = boc.type[block.stateUpdate] === MERKLE_UPDATE;
  const update = isShown ? loadMerkleUpdate(new CellSlice(boc, -1).resetAny(block.stateUpdate)) : null;
  return { tree, info, stateHash: update?.newHash ?? null };
}

/**
 * The state after a block, from a header proof and a state proof. For the zerostate (seqno 0) the id's root hash is the
 * state's, and `header` is null.
 * @throws ProofError, CellError
 */
export function requireState(header: ProvenTree | null, state: ProvenTree, id: ProvableId): ProvenTree {
  if (id.seqno === 0) {
    expectHash('the zerostate', id.rootHash, state.hash);
    return state;
  }
  if (!header) throw new ProofError(`the state of ${blockName(id)}`, 'a block header', 'none');
  const { stateHash } = readHeader(header, id);
  if (!stateHash) throw new ProofError(`the state of ${blockName(id)}`, 'a state update', 'a pruned branch');
  expectHash(`the state of ${blockName(id)}`, stateHash, state.hash);
  return state;
}
