import { type PreviousBlock, previousBlocks } from '../../entities/blocks/previous.ts';
import { type BlockId, blockIdExt } from '../format/block-id.ts';
import { BLOCK_HEADER } from '../format/schemas.ts';
import { BLOCK_PARAMETERS } from '../parameters/block-parameters.ts';
import { readBlock } from '../read/block.ts';
import { defineMethod, requireScope } from './method.ts';

/** A block's header and the ids of the blocks before it. */
export const getBlockHeader = defineMethod({
  name: 'getBlockHeader',
  group: 'blocks',
  reads: ['base'],
  isFinished: true,
  summary: 'Header of a block',
  parameters: BLOCK_PARAMETERS,
  result: BLOCK_HEADER,
  async answer(request, id) {
    const block = await readBlock(requireScope(request), id);
    return {
      '@type': 'blocks.header',
      id: blockIdExt(request.blockIdTag, block),
      global_id: block.global_id,
      version: block.version,
      flags: block.flags,
      after_merge: block.after_merge,
      after_split: block.after_split,
      before_split: block.before_split,
      want_merge: block.want_merge,
      want_split: block.want_split,
      // Unsigned in the block, an int32 in answers.
      validator_list_hash_short: block.validator_list_hash_short | 0,
      catchain_seqno: block.gen_catchain_seqno,
      min_ref_mc_seqno: block.min_ref_mc_seqno,
      is_key_block: block.key_block,
      // Shard blocks carry the number too; the public servers show 0.
      prev_key_block_seqno: block.workchain === -1 ? block.prev_key_block_seqno : 0,
      start_lt: block.start_lt,
      end_lt: block.end_lt,
      gen_utime: block.gen_utime,
      vert_seqno: block.vert_seqno,
      prev_blocks: previousBlocks(block).map((previous) =>
        blockIdExt(request.blockIdTag, toBlockId(previous)),
      ),
    };
  },
});

function toBlockId({ rootHash: root_hash, fileHash: file_hash, ...id }: PreviousBlock): BlockId {
  return { ...id, root_hash, file_hash };
}
