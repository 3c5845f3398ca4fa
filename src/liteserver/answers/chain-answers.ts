import type { TlAnswer } from '../../liteapi/schema/values.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { sha256 } from '../../ton/hash/sha256.ts';
import { blockKey, type LiteBlock } from '../chain/lite-block.ts';
import type { LiteContext } from '../lite-context.ts';
import { badRequest, noBlock } from '../lite-refusals.ts';
import { needBlock, needHead, needState } from '../located.ts';
import { headerProof, toBag } from '../proof-bags.ts';
import { fromTl, toTl } from '../tl-values.ts';
import type { Answers } from './answers.ts';

/** Version 1.1 of the protocol, and all of its capabilities. */
const VERSION = 0x101;
const CAPABILITIES = 7n;
/** `getState` of the reference server refuses later blocks: states are large. */
const MAX_STATE_SEQNO = 1_000;

const now = () => Math.floor(Date.now() / 1000);

/** Head of the chain, times and whole blocks. */
export const CHAIN_ANSWERS: Answers<
  | 'getMasterchainInfo'
  | 'getMasterchainInfoExt'
  | 'getTime'
  | 'getVersion'
  | 'getBlock'
  | 'getState'
  | 'getBlockHeader'
> = {
  async getMasterchainInfo(context) {
    return headInfo(context, await needHead(context));
  },
  async getMasterchainInfoExt(context, { mode }) {
    if (mode !== 0) throw badRequest(`mode 0 is needed, not ${mode}`);
    const head = await needHead(context);
    const last_utime = head.header.genUtime;
    return {
      mode,
      version: VERSION,
      capabilities: CAPABILITIES,
      last_utime,
      now: now(),
      ...headInfo(context, head),
    };
  },
  getTime: () => ({ now: now() }),
  getVersion: () => ({ mode: 0, version: VERSION, capabilities: CAPABILITIES, now: now() }),
  async getBlock(context, { id }) {
    return { id, data: (await needBlock(context, id)).boc };
  },
  async getState(context, { id }) {
    if (id.seqno > MAX_STATE_SEQNO) throw badRequest(`states up to seqno ${MAX_STATE_SEQNO} only`);
    const { state, block } = await needState(context, id);
    const zerostate = block ? null : context.chain.zerostates.get(blockKey(fromTl(id)));
    const data = zerostate?.boc ?? writeBag(state);
    return { id, root_hash: state.hash(0), file_hash: sha256(data), data };
  },
  async getBlockHeader(context, { id, mode }) {
    if (id.seqno === 0) throw noBlock('a header of a zerostate');
    return { id, mode, header_proof: toBag(headerProof(await needBlock(context, id), mode)) };
  },
};

/** @throws LiteServerError before the first block */
function headInfo(context: LiteContext, { header, root }: LiteBlock): TlAnswer<'getMasterchainInfo'> {
  const { workchain, rootHash, fileHash } = context.zerostate;
  return {
    last: toTl(header),
    state_root_hash: getStateHash(root),
    init: { workchain, root_hash: rootHash, file_hash: fileHash },
  };
}

/** Hash of the state after a block, from the data of its state update. */
function getStateHash({ refs }: Cell): Uint8Array {
  return refs[2]!.data.subarray(33, 65);
}
