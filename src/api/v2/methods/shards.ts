import { readShards } from '../../entities/blocks/shards.ts';
import { blockIdExt } from '../format/block-id.ts';
import { SHARDS } from '../format/schemas.ts';
import { MASTERCHAIN_SEQNO } from '../parameters/block-parameters.ts';
import { readMasterchain } from '../read/block.ts';
import { defineMethod, requireScope } from './method.ts';

/** The top shard blocks that a masterchain block names, itself left out. */
export const shards = defineMethod({
  name: 'shards',
  aliases: ['getShards'],
  group: 'blocks',
  reads: ['base'],
  isFinished: true,
  summary: 'Shard blocks of a masterchain block',
  parameters: { seqno: MASTERCHAIN_SEQNO },
  result: SHARDS,
  async answer(request, { seqno }) {
    const scope = requireScope(request);
    const blocks = await readShards(scope, seqno);
    // The blocks of some networks name none, such as one that has only its masterchain.
    if (blocks.length === 0) await readMasterchain(scope, seqno);
    return { '@type': 'blocks.shards', shards: blocks.map((block) => blockIdExt(request.blockIdTag, block)) };
  },
});
