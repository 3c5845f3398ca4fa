import { readShardState } from '../../entities/blocks/masterchain.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { needed } from '../../parameters/parameter.ts';
import { blockAnswer } from '../answers/block-answer.ts';
import { endpoint } from '../endpoint.ts';
import { looseSeqno } from '../parameters/forms.ts';
import { type BlocksAnswer, BlocksSchema } from '../schemas/block.ts';

/** `/masterchainBlockShardState` (v3-endpoints.md 2.2): the top blocks of all shards as of a masterchain block. */
export const masterchainBlockShardState = endpoint({
  path: '/masterchainBlockShardState',
  tag: 'blockchain',
  summary: 'The newest block of every shard as of a masterchain block, and that block.',
  reads: ['base'],
  parameters: { seqno: needed(looseSeqno('Masterchain seqno.')) },
  answer: BlocksSchema,
  cached: true,
  async handle(scope, { seqno }): Promise<BlocksAnswer> {
    const rows = await readShardState(scope, seqno);
    if (rows.length === 0) throw new HttpError(404, 'blocks not found');
    return { blocks: rows.map(blockAnswer) };
  },
});
