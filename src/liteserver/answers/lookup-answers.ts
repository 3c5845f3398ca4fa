import type { TlParameters } from '../../liteapi/schema/values.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { visitExtra, visitOldBlock } from '../../ton/proofs/visit-state.ts';
import { shardLinks } from '../block-links.ts';
import type { LiteBlock } from '../chain/lite-block.ts';
import type { BlockSought } from '../chain/lite-chain.ts';
import type { LiteContext } from '../lite-context.ts';
import { badRequest } from '../lite-refusals.ts';
import { findBlock, needBlock, needMasterState, stateProof } from '../located.ts';
import { headerProof, toBag } from '../proof-bags.ts';
import { fromTl, toTl } from '../tl-values.ts';
import type { Answers } from './answers.ts';

/** Blocks by seqno, lt or time, and the way from a masterchain block to a shard block. */
export const LOOKUP_ANSWERS: Answers<'lookupBlock' | 'lookupBlockWithProof' | 'getShardBlockProof'> = {
  async lookupBlock(context, parameters) {
    const block = await findBlock(context, toSought(parameters));
    const { mode } = parameters;
    return { id: toTl(block.header), mode, header_proof: toBag(headerProof(block, mode & ~7)) };
  },
  async lookupBlockWithProof(context, parameters) {
    const block = await findBlock(context, toSought(parameters));
    const { master, links } = await shardLinks(context, block);
    const inMaster = await masterProof(context, parameters.mc_block_id, master);
    const isExact = (parameters.mode & 1) !== 0;
    return {
      id: toTl(block.header),
      mode: parameters.mode,
      mc_block_id: toTl(master.header),
      client_mc_state_proof: inMaster ? toBag(inMaster.header) : new Uint8Array(),
      mc_block_proof: inMaster ? toBag(inMaster.proof) : new Uint8Array(),
      shard_links: links,
      header: toBag(headerProof(block)),
      prev_header: isExact ? new Uint8Array() : await previousHeader(context, block),
    };
  },
  async getShardBlockProof(context, { id }) {
    const { master, links } = await shardLinks(context, await needBlock(context, id));
    return { masterchain_id: toTl(master.header), links };
  },
};

/** Proof that a masterchain block is one of those before the client's; null if it is the client's. */
async function masterProof(
  context: LiteContext,
  clientId: TlParameters<'lookupBlockWithProof'>['mc_block_id'],
  { header: { seqno } }: LiteBlock,
): Promise<{ readonly header: Cell; readonly proof: Cell } | null> {
  if (fromTl(clientId).seqno === seqno) return null;
  const client = await needMasterState(context, clientId);
  if (seqno > client.id.seqno)
    throw badRequest(`masterchain block ${seqno} is after the client's ${client.id.seqno}`);
  return stateProof(client, (visits) =>
    visitOldBlock(visits, visitExtra(visits, client.state).history, seqno),
  );
}

/** Proof that the block before ends before the lt or time that was asked for; empty after a zerostate. */
async function previousHeader(context: LiteContext, { header }: LiteBlock): Promise<Uint8Array> {
  const [prev] = header.prevRefs;
  if (!prev || prev.seqno === 0) return new Uint8Array();
  return toBag(headerProof(await findBlock(context, prev)));
}

/** @throws LiteServerError no bit of the look-up is set */
function toSought({ mode, id, lt, utime }: TlParameters<'lookupBlock'>): BlockSought {
  const workchain = id.workchain;
  const shard = BigInt.asUintN(64, id.shard);
  if (shard === 0n) throw badRequest('shard 0 contains no account');
  if (mode & 1) return { workchain, shard, seqno: id.seqno >>> 0 };
  if (mode & 2 && lt !== undefined) return { workchain, shard, lt: BigInt.asUintN(64, lt) };
  if (mode & 4 && utime !== undefined) return { workchain, shard, utime: utime >>> 0 };
  throw badRequest(`mode ${mode} names no seqno, lt or time`);
}
