import { blockPlace, STEP_BLOCKS } from '../../entities/blocks/filter.ts';
import { readBlocks } from '../../entities/blocks/find.ts';
import { readStep } from '../../entities/blocks/masterchain.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { needed } from '../../parameters/parameter.ts';
import { blockAnswer } from '../answers/block-answer.ts';
import { endpoint } from '../endpoint.ts';
import { looseSeqno } from '../parameters/forms.ts';
import { PAGING, SORTING, toPage } from '../parameters/paging.ts';
import { nextCursor, parseScan, SCANNING, scannedScope } from '../scan.ts';
import { type BlocksAnswer, BlocksSchema } from '../schemas/block.ts';

/**
 * `/masterchainBlockShards` (v3-endpoints.md 2.3): the blocks that a masterchain block committed. Scans are by time, as
 * with `sort`.
 */
export const masterchainBlockShards = endpoint({
  path: '/masterchainBlockShards',
  tag: 'blockchain',
  summary: 'The blocks that entered the chain with a masterchain block, itself included.',
  reads: ['base'],
  parameters: { seqno: needed(looseSeqno('Masterchain seqno.')), ...PAGING, ...SORTING, ...SCANNING },
  answer: BlocksSchema,
  cached: true,
  async handle(fullScope, values, { settings }): Promise<BlocksAnswer> {
    const page = toPage(values, settings);
    const scan = parseScan(STEP_BLOCKS, values, page, fullScope.visible);
    const scope = scannedScope(fullScope, scan);
    const place = scan && { scan: { after: scan.after, descending: page.descending } };
    const isSorted = scan !== null || values.sort !== undefined;
    const rows = isSorted
      ? await readBlocks(scope, { mcSeqno: values.seqno, ...place }, page)
      : await readStep(scope, values.seqno, page);
    if (rows.length === 0 && !scan?.after) throw new HttpError(404, 'blocks not found');
    return {
      blocks: rows.map(blockAnswer),
      ...nextCursor(STEP_BLOCKS, scan, page, rows.map(blockPlace)),
    };
  },
});
