import type { BlockRow } from '../../entities/blocks/model.ts';
import { blockIdText, readRawBlocks } from '../../entities/blocks/raw.ts';
import { readShards } from '../../entities/blocks/shards.ts';
import { NotHeldError } from '../../http/errors/http-error.ts';
import type { ReadScope } from '../../query/scope.ts';
import { blockIdExt, blockName } from '../format/block-id.ts';
import { OUT_MSG_QUEUE_SIZES } from '../format/chain-schemas.ts';
import { readBlock, readNewestMasterchain } from '../read/block.ts';
import { queueSizeAfter } from '../read/queue-size.ts';
import { defineMethod, requireScope } from './method.ts';

/** External messages that wait in this server: none, it hands them to its source. */
const OWN_QUEUE_LIMIT = 0;

/** Sizes of the outgoing queues after the newest masterchain block and the shard blocks that it names. */
export const getOutMsgQueueSize = defineMethod({
  name: 'getOutMsgQueueSize',
  aliases: ['getOutMsgQueueSizes'],
  group: 'blocks',
  reads: ['base'],
  summary: 'Messages in the outgoing queues of all shards',
  parameters: {},
  result: OUT_MSG_QUEUE_SIZES,
  async answer(request) {
    const blocks = await topBlocks(requireScope(request));
    const bytes = await readRawBlocks(requireScope(request), blocks.map(toKey));
    const shards = blocks.map((block) => ({
      '@type': 'blocks.outMsgQueueSize',
      id: blockIdExt(request.blockIdTag, block),
      size: sizeAfter(block, bytes.get(blockIdText(toKey(block)))),
    }));
    return { '@type': 'blocks.outMsgQueueSizes', shards, ext_msg_queue_size_limit: OWN_QUEUE_LIMIT };
  },
});

/** The newest masterchain block first. @throws NotHeldError */
async function topBlocks(scope: ReadScope): Promise<readonly BlockRow[]> {
  const masterchain = await readNewestMasterchain(scope);
  const shards = await readShards(scope, masterchain.seqno);
  const found = shards.map(({ workchain, shard, seqno }) =>
    readBlock(scope, { workchain, shard: BigInt(shard), seqno, root_hash: undefined, file_hash: undefined }),
  );
  return [masterchain, ...(await Promise.all(found))];
}

function toKey({ mc_seqno: mcSeqno, workchain, shard, seqno }: BlockRow) {
  return { mcSeqno, workchain, shard: BigInt(shard), seqno };
}

/** @throws NotHeldError */
function sizeAfter(block: BlockRow, bytes: Uint8Array | undefined): number {
  const size = bytes && queueSizeAfter(bytes);
  if (size !== undefined && size !== null) return Number(size);
  const name = blockName(block.workchain, BigInt(block.shard), block.seqno);
  throw new NotHeldError(`block ${name} does not contain the size of its queue`);
}
