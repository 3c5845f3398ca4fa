import type { Cell } from '../cell/cell.ts';
import { CellBuilder, cellWith } from '../cell/cell-builder.ts';
import { writeBag } from '../cell/write-bag.ts';
import type { BlockId } from '../decode/block-header.ts';
import { storeShardIdent } from '../store/store-shard-ident.ts';
import type { ShardIdent } from '../tlb/shard-ident.ts';
import { makeProof } from './make-proof.ts';
import type { SignatureSet } from './signature-set.ts';
import { storeBlockSignatures } from './store-block-signatures.ts';
import { visitHeader, visitMcExtra } from './visit-block.ts';
import { Visits } from './visits.ts';

/**
 * Builds a block's proof in the form of an archive: the header and, for a key block, the configuration.
 * @param root the whole block
 * @param signatures null for a shard block
 * @returns one bag; the grammar is at `readBlockProof`
 */
export function buildBlockProof(
  root: Cell,
  block: BlockId & ShardIdent,
  signatures: SignatureSet | null,
): Uint8Array {
  const visits = new Visits();
  const { info, extra } = visitHeader(visits, root);
  if (info.keyBlock) visits.openAll(visitMcExtra(visits, extra).config!);
  const proof = new CellBuilder().uint(0xc3, 8).with(storeShardIdent, block);
  proof.uint(block.seqno, 32).bytes(block.rootHash).bytes(block.fileHash);
  proof.ref(makeProof(root, visits));
  return writeBag(proof.maybeRef(signatures && cellWith(storeBlockSignatures, signatures)).cell());
}
