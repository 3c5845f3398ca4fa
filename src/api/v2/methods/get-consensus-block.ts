import { CONSENSUS_BLOCK } from '../format/schemas.ts';
import { readNewestMasterchain } from '../read/block.ts';
import { defineMethod, requireScope } from './method.ts';

/** The newest visible masterchain seqno, and the server's time in seconds: an index is the only server asked. */
export const getConsensusBlock = defineMethod({
  name: 'getConsensusBlock',
  group: 'blocks',
  reads: ['base'],
  summary: 'Newest masterchain seqno, and the time of the server',
  parameters: {},
  result: CONSENSUS_BLOCK,
  async answer(request) {
    const { seqno } = await readNewestMasterchain(requireScope(request));
    const timestamp = Math.floor(Date.now() / 1_000);
    return { '@type': 'ext.blocks.consensusBlock', consensus_block: seqno, timestamp };
  },
});
