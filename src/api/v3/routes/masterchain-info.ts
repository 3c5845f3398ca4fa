import { readVisibleEnds } from '../../entities/blocks/masterchain.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { hasBlocks, ProjectionUnavailableError } from '../../version-vector.ts';
import { blockAnswer } from '../answers/block-answer.ts';
import { endpoint } from '../endpoint.ts';
import { type MasterchainInfoAnswer, MasterchainInfoSchema } from '../schemas/block.ts';

/** `/masterchainInfo` (v3-endpoints.md 2.1): the ends of the visible range. */
export const masterchainInfo = endpoint({
  path: '/masterchainInfo',
  tag: 'blockchain',
  summary: 'The first and the last indexed masterchain block.',
  reads: ['base'],
  parameters: {},
  answer: MasterchainInfoSchema,
  async handle(scope): Promise<MasterchainInfoAnswer> {
    if (!scope.context.network.isolated && !hasBlocks(scope.visible))
      throw new ProjectionUnavailableError('base', 'building', 'no blocks indexed yet');
    const rows = await readVisibleEnds(scope);
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) throw new HttpError(500, 'internal server error: no masterchain block is indexed');
    return { last: blockAnswer(last), first: blockAnswer(first) };
  },
});
