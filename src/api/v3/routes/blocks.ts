import { readBlocks } from '../../read/read-blocks.ts';
import { blockAnswer } from '../answers/block-answer.ts';
import { endpoint } from '../endpoint.ts';
import { shard } from '../params/block-parameters.ts';
import { hash } from '../params/keys.ts';
import { i32, lt, utime } from '../params/numbers.ts';
import { PAGING, pageOf, SORTING } from '../params/paging.ts';
import { given } from '../params/parameter.ts';
import { type BlocksAnswer, BlocksSchema } from '../schemas/block.ts';

/** `/blocks` (v3-endpoints.md 2.4). */
export const blocks = endpoint({
  path: '/blocks',
  tag: 'blockchain',
  summary: 'Blocks by filter, newest first.',
  parameters: {
    workchain: i32('Workchain.'),
    shard: shard('Shard, hex or signed decimal; send it together with workchain.'),
    seqno: i32('Seqno; send it together with workchain and shard.'),
    root_hash: hash('Root hash.'),
    file_hash: hash('File hash.'),
    mc_seqno: i32('Seqno of the masterchain block that committed the block.'),
    start_utime: utime('Generated at or after this time, Unix seconds.'),
    end_utime: utime('Generated at or before this time, Unix seconds.'),
    start_lt: lt('start_lt at or above.'),
    end_lt: lt('start_lt at or below.'),
    ...PAGING,
    ...SORTING,
  },
  answer: BlocksSchema,
  cached: true,
  async handle(scope, values, { settings }): Promise<BlocksAnswer> {
    const filter = given({
      workchain: values.workchain,
      shard: values.shard,
      seqno: values.seqno,
      rootHash: values.root_hash,
      fileHash: values.file_hash,
      mcSeqno: values.mc_seqno,
      startUtime: values.start_utime,
      endUtime: values.end_utime,
      startLt: values.start_lt,
      endLt: values.end_lt,
    });
    return { blocks: (await readBlocks(scope, filter, pageOf(values, settings))).map(blockAnswer) };
  },
  empty(values, { settings }): BlocksAnswer {
    pageOf(values, settings);
    return { blocks: [] };
  },
});
