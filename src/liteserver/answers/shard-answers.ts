import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { nextRef } from '../../ton/cell/to-slice.ts';
import { visitHeader, visitMcExtra } from '../../ton/proofs/visit-block.ts';
import { noBlock } from '../lite-refusals.ts';
import { needMasterBlock, needMasterState, provenShard } from '../located.ts';
import { prove, toBag } from '../proof-bags.ts';
import { toTl } from '../tl-values.ts';
import type { Answers } from './answers.ts';

/** Shards of a masterchain block. */
export const SHARD_ANSWERS: Answers<'getAllShardsInfo' | 'getShardInfo'> = {
  // One root: clients read ShardHashes in the block, not in the state.
  async getAllShardsInfo(context, { id }) {
    const { root } = await needMasterBlock(context, id);
    const { proof, result } = prove(root, (visits) => {
      const { shardHashes } = visitMcExtra(visits, visitHeader(visits, root).extra);
      if (shardHashes) visits.openAll(shardHashes);
      return shardHashes;
    });
    return { id, proof: toBag(proof), data: toBag(new CellBuilder().maybeRef(result).cell()) };
  },
  async getShardInfo(context, { id, workchain, shard, exact }) {
    const prefix = BigInt.asUintN(64, shard);
    const found = provenShard(await needMasterState(context, id), { workchain, prefix });
    if (exact && found.id.shard !== prefix) throw noBlock(`shard (${workchain},${prefix.toString(16)})`);
    const descr = new CellBuilder();
    const { bytes, start, bit, count } = found.descr.rest;
    descr.bits(bytes, start * 8 + bit, count);
    for (const rest = found.descr.clone(); rest.refsLeft > 0; ) descr.ref(nextRef(rest));
    return { id, shardblk: toTl(found.id), shard_proof: found.proof, shard_descr: toBag(descr.cell()) };
  },
};
