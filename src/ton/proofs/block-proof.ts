import { onlyRoot, parseBoc } from '../boc/boc.ts';
import type { CellSlice } from '../boc/cell-slice.ts';
import type { BlockId } from '../decode/block-header.ts';
import { loadShardIdent } from '../tlb/shard-ident.ts';
import { expectTag } from '../tlb/tag.ts';
import { loadWholeCell } from '../tlb/whole-cell.ts';
import { loadBlockSignatures, type SignatureSet } from './signature-set.ts';

/** A block's proof as archives have it: `proof_(…)` of a masterchain block, `prooflink_(…)` of a shard block. */
export interface BlockProof {
  readonly block: BlockId;
  /** Index of the cell of the Merkle proof of the header, in the bag. */
  readonly root: number;
  /** null in the proof of a shard block. */
  readonly signatures: SignatureSet | null;
}

// block_proof#c3 proof_for:BlockIdExt root:^Cell signatures:(Maybe ^BlockSignatures) = BlockProof;
/** Reads a bag with one proof. @throws BocError, CellError */
export function readBlockProof(bag: Uint8Array): BlockProof {
  const boc = parseBoc(bag);
  return loadWholeCell(boc, onlyRoot(boc), 'BlockProof', (slice) => {
    expectTag(slice, 8, 0xc3, 'BlockProof');
    const block = loadBlockIdExt(slice);
    const root = slice.ref();
    const cell = slice.maybeRef();
    const signatures = cell < 0 ? null : loadWholeCell(boc, cell, 'BlockSignatures', loadBlockSignatures);
    return { block, root, signatures };
  });
}

// block_id_ext$_ shard_id:ShardIdent seq_no:uint32 root_hash:bits256 file_hash:bits256 = BlockIdExt;
function loadBlockIdExt(slice: CellSlice): BlockId {
  const { workchain, shard } = loadShardIdent(slice);
  return { workchain, shard, seqno: slice.uint(32), rootHash: slice.bytes(32), fileHash: slice.bytes(32) };
}
