import type { BlockFilter, BlockPlace } from '../../entities/blocks/filter.ts';
import { BLOCKS, blockPlace } from '../../entities/blocks/filter.ts';
import { readBlocks } from '../../entities/blocks/find.ts';
import { BLOCK_SELECT, type BlockRow, blockSelect } from '../../entities/blocks/model.ts';
import { readWindowFloor } from '../../entities/blocks/window-floor.ts';
import { given } from '../../parameters/parameter.ts';
import type { Page } from '../../query/page.ts';
import { type ReadScope, withSelect, withVisible } from '../../query/scope.ts';
import { blockAnswer } from '../answers/block-answer.ts';
import { endpoint } from '../endpoint.ts';
import { SELECTING } from '../fields.ts';
import { hash, i32, lt, shard, utime } from '../parameters/forms.ts';
import { PAGING, SORTING, toPage } from '../parameters/paging.ts';
import { nextCursor, parseScan, SCANNING, type Scan } from '../scan.ts';
import { type BlocksAnswer, BlocksSchema } from '../schemas/block.ts';

/** One page of a scan. */
async function scanBlocks(
  scope: ReadScope,
  filter: BlockFilter,
  page: Page,
  { window, after }: Scan<BlockPlace>,
): Promise<readonly BlockRow[]> {
  if (!window) return [];
  const scanned = withVisible(scope, window);
  const place = { ...filter, scan: { after, descending: page.descending } };
  const floor = !page.descending && !after && window.first > scope.visible.first;
  const { startUtime = 0 } = (floor && (await readWindowFloor(scanned))) || {};
  return readBlocks(scanned, { ...place, ...later(filter, startUtime) }, page);
}

function later({ startUtime = 0 }: BlockFilter, found: number): Pick<BlockFilter, 'startUtime'> {
  return startUtime === 0 && found === 0 ? {} : { startUtime: Math.max(startUtime, found) };
}

/** `/blocks` (v3-endpoints.md 2.4). */
export const blocks = endpoint({
  path: '/blocks',
  tag: 'blockchain',
  summary: 'Blocks by filter, newest first.',
  reads: ['base'],
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
    ...SCANNING,
    ...SELECTING,
  },
  answer: BlocksSchema,
  selects: 'blocks',
  cached: true,
  async handle(fullScope, values, { settings, fields }): Promise<BlocksAnswer> {
    const select = blockSelect((field) => fields.wants(field), fullScope.tables?.blocks);
    const scope = fields.isAll ? fullScope : withSelect(fullScope, BLOCK_SELECT, select);
    const page = toPage(values, settings);
    const scan = parseScan(BLOCKS, values, page, scope.visible);
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
    const rows = await (scan ? scanBlocks(scope, filter, page, scan) : readBlocks(scope, filter, page));
    return {
      blocks: rows.map(blockAnswer),
      ...nextCursor(BLOCKS, scan, page, rows.map(blockPlace)),
    };
  },
});
