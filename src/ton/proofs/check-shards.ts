import { onlyRoot, parseBoc } from '../boc/boc.ts';
import { CellHashes } from '../boc/cell-hashes.ts';
import { CellSlice } from '../boc/cell-slice.ts';
import { loadBlock } from '../tlb/block/block.ts';
import { loadBlockExtra } from '../tlb/block/block-extra.ts';
import { loadShardHashes, type TopBlock } from '../tlb/block/shard-hashes.ts';
import { expectTag } from '../tlb/tag.ts';
import { loadWholeCell } from '../tlb/whole-cell.ts';
import { type ProvableId, readHeader } from './check-header.ts';
import { openProof, type ProvenTree } from './open-proof.ts';
import { expectHash, ProofError, proving } from './proof-error.ts';

/** Where a masterchain block's proof shows ShardHashes and, in a key block, the configuration. */
export interface ProvenMcExtra {
  readonly tree: ProvenTree;
  /** Root of ShardHashes; -1 for none. */
  readonly shardHashes: number;
  /** Root of the dictionary of parameters; -1 outside key blocks. Read it with `configParamAt`. */
  readonly config: number;
}

/** Reads McBlockExtra in a proof of a masterchain block. @throws ProofError */
export function checkMcExtra(bytes: Uint8Array, id: ProvableId): ProvenMcExtra {
  return proving('McBlockExtra', () => {
    const { tree } = readHeader(openProof('McBlockExtra', bytes), id);
    const { boc, root } = tree;
    const { custom } = loadWholeCell(
      boc,
      loadWholeCell(boc, root, 'Block', loadBlock).extra,
      'BlockExtra',
      loadBlockExtra,
    );
    if (custom < 0) throw new ProofError('McBlockExtra', 'a masterchain block', 'another');
    const slice = new CellSlice(boc, custom);
    expectTag(slice, 16, 0xcca5, 'McBlockExtra');
    const isKey = slice.bit();
    const shardHashes = slice.maybeRef();
    return { tree, shardHashes, config: isKey ? boc.refs[custom * 4 + boc.refCount[custom]! - 1]! : -1 };
  });
}

/**
 * Checks the answer of `getAllShardsInfo`: `data` is a bag with `Maybe ^ShardHashes`, and a proof of the masterchain
 * block shows the same dictionary.
 * @throws ProofError
 */
export function checkShardHashes(proof: Uint8Array, data: Uint8Array, id: ProvableId): TopBlock[] {
  const { tree, shardHashes } = checkMcExtra(proof, id);
  return proving('ShardHashes', () => {
    const boc = parseBoc(data);
    const root = new CellSlice(boc, onlyRoot(boc)).maybeRef();
    if (root < 0 !== shardHashes < 0)
      throw new ProofError('ShardHashes', shardHashes < 0 ? 'none' : 'some', root < 0 ? 'none' : 'some');
    if (root < 0) return [];
    expectHash('ShardHashes', tree.hashes.hash(shardHashes, 0), new CellHashes(boc).hash(root));
    return loadShardHashes(boc, root);
  });
}
