import { fromBase64, toBase64 } from '../../../ton/hash/base64.ts';
import type { SignatureSet } from '../../../ton/proofs/signature-set.ts';
import type { SignedBlock } from '../../chain-port.ts';
import type { BlockRow } from '../../entities/blocks/model.ts';
import { NotHeldError } from '../../http/errors/http-error.ts';
import { int32 } from '../../parameters/integer.ts';
import { optional } from '../../parameters/parameter.ts';
import { InvalidRequest } from '../errors.ts';
import { type BlockIdExt, blockIdExt } from '../format/block-id.ts';
import { BLOCK_SIGNATURES, SHARD_BLOCK_PROOF } from '../format/chain-schemas.ts';
import { MASTERCHAIN_SEQNO, SHARD_ID, WORKCHAIN } from '../parameters/block-parameters.ts';
import { readBlock, readMasterchain, readNewestMasterchain } from '../read/block.ts';
import { readHeaderProof, readShardLinks } from '../read/shard-proof.ts';
import { defineMethod, requireScope, type V2Request } from './method.ts';

/**
 * Signatures are not part of a block: the port of the source gives them. The block is looked up first, so that an
 * unknown block differs from unknown signatures.
 */
export const getMasterchainBlockSignatures = defineMethod({
  name: 'getMasterchainBlockSignatures',
  group: 'blocks',
  reads: ['base'],
  summary:
    'Signatures of a masterchain block by its validators; LITE_SERVER_NOTREADY if this server has none',
  parameters: { seqno: MASTERCHAIN_SEQNO },
  result: BLOCK_SIGNATURES,
  async answer(request, { seqno }) {
    const row = await readMasterchain(requireScope(request), seqno);
    const signatures = await request.context.chain?.proofs?.signatures(toSignedBlock(row));
    if (!signatures)
      throw new NotHeldError(`the signatures of masterchain block ${seqno} are not known to this server`);
    return signaturesAnswer(blockIdExt(request.blockIdTag, row), signatures);
  },
});

function toSignedBlock(row: BlockRow): SignedBlock {
  return {
    workchain: row.workchain,
    shard: BigInt(row.shard),
    seqno: row.seqno,
    rootHash: fromBase64(row.root_hash)!,
    fileHash: fromBase64(row.file_hash)!,
    genValidatorListHashShort: row.validator_list_hash_short,
    genCatchainSeqno: row.gen_catchain_seqno,
    prevKeyBlockSeqno: row.prev_key_block_seqno,
  };
}

function signaturesAnswer(id: BlockIdExt, set: SignatureSet) {
  const signatures = set.signatures.map(({ nodeId, signature }) => ({
    '@type': 'blocks.signature',
    node_id_short: toBase64(nodeId),
    signature: toBase64(signature),
  }));
  if (set.kind === 'ordinary') return { '@type': 'blocks.blockSignatures', id, signatures };
  const [session_id, candidate] = [toBase64(set.sessionId), toBase64(set.candidate)];
  const tag = 'blocks.blockSignatures.simplex';
  return { '@type': tag, id, signatures, session_id, slot: set.slot | 0, candidate };
}

/**
 * The way to a block from a later masterchain block: a link back to the masterchain block that committed it, then links
 * down its shard. Links back need the state of the later block, which the source has.
 */
export const getShardBlockProof = defineMethod({
  name: 'getShardBlockProof',
  group: 'blocks',
  reads: ['base'],
  summary:
    'Proof of a block, from the newest masterchain block or `from_seqno`; LITE_SERVER_NOTREADY if this server lacks a part',
  parameters: {
    workchain: WORKCHAIN,
    shard: SHARD_ID,
    seqno: MASTERCHAIN_SEQNO,
    from_seqno: optional(int32({ sign: 'non-negative' }), 'masterchain block that the proof begins at'),
  },
  result: SHARD_BLOCK_PROOF,
  async answer(request, { workchain, shard, seqno, from_seqno }) {
    const scope = requireScope(request);
    const query = { workchain, shard, seqno, root_hash: undefined, file_hash: undefined };
    const block = await readBlock(scope, query);
    const master = await readMasterchain(scope, block.mc_seqno);
    const from = await (from_seqno === undefined
      ? readNewestMasterchain(scope)
      : readMasterchain(scope, from_seqno));
    if (from.seqno < master.seqno)
      throw new InvalidRequest(
        `from_seqno: the block is committed by masterchain block ${master.seqno}, after ${from.seqno}`,
      );
    const tag = request.blockIdTag;
    const links = await readShardLinks(scope, master, block);
    return {
      '@type': 'blocks.shardBlockProof',
      from: blockIdExt(tag, from),
      mc_id: blockIdExt(tag, master),
      links: links.map(({ id, proof }) => ({
        '@type': 'blocks.shardBlockLink',
        id: blockIdExt(tag, id),
        proof,
      })),
      mc_proof: from.seqno === master.seqno ? [] : [await linkBack(request, from, master)],
    };
  },
});

async function linkBack(request: V2Request, from: BlockRow, to: BlockRow) {
  const scope = requireScope(request);
  const stateProof = await request.context.chain?.proofs?.oldBlock?.(toSignedBlock(from), toSignedBlock(to));
  if (!stateProof)
    throw new NotHeldError(`the state of masterchain block ${from.seqno} is not known to this server`);
  const tag = request.blockIdTag;
  return {
    '@type': 'blocks.blockLinkBack',
    to_key_block: to.key_block,
    from: blockIdExt(tag, from),
    to: blockIdExt(tag, to),
    dest_proof: await readHeaderProof(scope, to),
    proof: await readHeaderProof(scope, from),
    state_proof: toBase64(stateProof),
  };
}
