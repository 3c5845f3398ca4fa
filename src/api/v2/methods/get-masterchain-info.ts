import { toBase64 } from '../../../ton/hash/base64.ts';
import { type BlockId, blockIdExt } from '../format/block-id.ts';
import { MASTERCHAIN_INFO } from '../format/schemas.ts';
import { ZERO_HASH_TEXT } from '../format/transaction-id.ts';
import { readNewestMasterchain } from '../read/block.ts';
import { defineMethod, requireScope, type V2Request } from './method.ts';

/** The newest visible masterchain block, and the zero state that the chain began from. */
export const getMasterchainInfo = defineMethod({
  name: 'getMasterchainInfo',
  group: 'blocks',
  reads: ['base'],
  summary: 'Newest masterchain block',
  parameters: {},
  result: MASTERCHAIN_INFO,
  async answer(request) {
    const scope = requireScope(request);
    const last = await readNewestMasterchain(scope);
    return {
      '@type': 'blocks.masterchainInfo',
      last: blockIdExt(request.blockIdTag, last),
      state_root_hash: last.state_hash_after,
      init: blockIdExt(request.blockIdTag, zerostateId(request)),
    };
  },
});

/** Shard 0 is how the public servers name the zero state; zero hashes while the network's is not known. */
function zerostateId({ context }: V2Request): BlockId {
  const { zerostate } = context.network;
  return {
    workchain: -1,
    shard: 0n,
    seqno: 0,
    root_hash: zerostate ? toBase64(zerostate.rootHash) : ZERO_HASH_TEXT,
    file_hash: zerostate ? toBase64(zerostate.fileHash) : ZERO_HASH_TEXT,
  };
}
