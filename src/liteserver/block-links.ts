import type { TlValue } from '../liteapi/schema/values.ts';
import { isSameBlock } from '../ton/proofs/check-account.ts';
import { visitHeader, visitMcExtra } from '../ton/proofs/visit-block.ts';
import { shardsTouch } from '../ton/tlb/shard-ident.ts';
import type { LiteBlock } from './chain/lite-block.ts';
import type { LiteContext } from './lite-context.ts';
import { noBlock } from './lite-refusals.ts';
import { findBlock, locateShard } from './located.ts';
import { headerProof, prove, toBag } from './proof-bags.ts';
import { toTl } from './tl-values.ts';

/** A shard block is at most this many blocks before the one that its masterchain block names. */
const MAX_LINKS = 16 * 1024;

/**
 * The way from the masterchain block that committed a block down to it. Each link names the next block and proves it in
 * the block before it: first in ShardHashes, then in the references to previous blocks. Empty for a masterchain block.
 */
export async function shardLinks(
  context: LiteContext,
  block: LiteBlock,
): Promise<{ readonly master: LiteBlock; readonly links: readonly TlValue<'shardBlockLink'>[] }> {
  const { workchain, shard } = block.header;
  if (workchain === -1) return { master: block, links: [] };
  const master = await findBlock(context, { workchain: -1, shard: 1n << 63n, seqno: block.mcSeqno });
  const top = topProof(master, workchain, shard);
  if (!top)
    throw noBlock(`the shard of ${workchain}:${shard.toString(16)} in masterchain block ${block.mcSeqno}`);
  const links = [{ id: toTl(top.id), proof: top.proof }];
  let current = await findBlock(context, top.id);
  while (!isSameBlock(current.header, block.header)) {
    if (links.length === MAX_LINKS || current.header.seqno < block.header.seqno)
      throw noBlock(`a way from masterchain block ${block.mcSeqno} to the block`);
    const prev =
      current.header.prevRefs.find((ref) => shardsTouch(ref.shard, shard)) ?? current.header.prevRefs[0]!;
    links.push({ id: toTl(prev), proof: toBag(headerProof(current)) });
    current = await findBlock(context, prev);
  }
  return { master, links };
}

function topProof({ root }: LiteBlock, workchain: number, prefix: bigint) {
  const { proof, result } = prove(root, (visits) => {
    const { shardHashes } = visitMcExtra(visits, visitHeader(visits, root).extra);
    return locateShard(visits, shardHashes, { workchain, prefix });
  });
  return result && { id: result.id, proof: toBag(proof) };
}
