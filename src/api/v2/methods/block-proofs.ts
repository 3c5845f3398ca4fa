import { int32 } from '../../parameters/integer.ts';
import { optional } from '../../parameters/parameter.ts';
import { NotInIndex } from '../errors.ts';
import { BLOCK_SIGNATURES, SHARD_BLOCK_PROOF } from '../format/chain-schemas.ts';
import { MASTERCHAIN_SEQNO, SHARD_ID, WORKCHAIN } from '../parameters/block-parameters.ts';
import { readBlock, readMasterchain } from '../read/block.ts';
import { defineMethod, requireScope } from './method.ts';

/*
 * Proofs are not part of a block: validators' signatures and links between key blocks travel separately, and the log
 * has only blocks (none of 284 real masterchain blocks has prev_blk_signatures).
 */

/** The block is looked up first, so that an unknown block differs from missing proofs. */
export const getMasterchainBlockSignatures = defineMethod({
  name: 'getMasterchainBlockSignatures',
  group: 'blocks',
  reads: ['base'],
  summary: 'Signatures of a masterchain block: not available here, always LITE_SERVER_NOTREADY',
  parameters: { seqno: MASTERCHAIN_SEQNO },
  result: BLOCK_SIGNATURES,
  async answer(request, { seqno }) {
    await readMasterchain(requireScope(request), seqno);
    throw new NotInIndex('blocks do not contain the signatures of validators, and this source has no others');
  },
});

/** As `getMasterchainBlockSignatures`. */
export const getShardBlockProof = defineMethod({
  name: 'getShardBlockProof',
  group: 'blocks',
  reads: ['base'],
  summary: 'Proof of a shard block: not available here, always LITE_SERVER_NOTREADY',
  parameters: {
    workchain: WORKCHAIN,
    shard: SHARD_ID,
    seqno: MASTERCHAIN_SEQNO,
    from_seqno: optional(int32({ sign: 'non-negative' }), 'masterchain block that the proof begins at'),
  },
  result: SHARD_BLOCK_PROOF,
  async answer(request, { workchain, shard, seqno }) {
    const query = { workchain, shard, seqno, root_hash: undefined, file_hash: undefined };
    await readBlock(requireScope(request), query);
    throw new NotInIndex('blocks do not contain the links between key blocks, and this source has no others');
  },
});
