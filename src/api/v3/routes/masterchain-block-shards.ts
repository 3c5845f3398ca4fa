import { HttpError } from '../../http/http-error.ts';
import { needed } from '../../parameters/parameter.ts';
import { readBlocks, readStep } from '../../read/read-blocks.ts';
import { blockAnswer } from '../answers/block-answer.ts';
import { endpoint } from '../endpoint.ts';
import { looseSeqno } from '../parameters/forms.ts';
import { PAGING, pageOf, SORTING } from '../parameters/paging.ts';
import { type BlocksAnswer, BlocksSchema } from '../schemas/block.ts';

/** `/masterchainBlockShards` (v3-endpoints.md 2.3): what entered the chain with a masterchain block. */
export const masterchainBlockShards = endpoint({
  path: '/masterchainBlockShards',
  tag: 'blockchain',
  summary: 'The blocks that entered the chain with a masterchain block, itself included.',
  reads: ['base'],
  parameters: { seqno: needed(looseSeqno('Masterchain seqno.')), ...PAGING, ...SORTING },
  answer: BlocksSchema,
  cached: true,
  async handle(scope, values, { settings }): Promise<BlocksAnswer> {
    const page = pageOf(values, settings);
    const sorted = values.sort !== undefined;
    const rows = sorted
      ? await readBlocks(scope, { mcSeqno: values.seqno }, page)
      : await readStep(scope, values.seqno, page);
    if (rows.length === 0) throw new HttpError(404, 'blocks not found');
    return { blocks: rows.map(blockAnswer) };
  },
});
