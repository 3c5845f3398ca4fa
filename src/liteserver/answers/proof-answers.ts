import type { TlBoxed, TlValue } from '../../liteapi/schema/values.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import type { BlockId } from '../../ton/decode/block-header.ts';
import type { SignatureSet } from '../../ton/proofs/signature-set.ts';
import { visitHeader, visitMcExtra } from '../../ton/proofs/visit-block.ts';
import { visitConfig, visitExtra, visitOldBlock } from '../../ton/proofs/visit-state.ts';
import { Visits } from '../../ton/proofs/visits.ts';
import type { LiteBlock } from '../chain/lite-block.ts';
import type { LiteContext } from '../lite-context.ts';
import { badRequest, noBlock } from '../lite-refusals.ts';
import {
  findBlock,
  needHead,
  needMasterBlock,
  needMasterState,
  statedBlock,
  stateProof,
} from '../located.ts';
import { headerProof, prove, toBag } from '../proof-bags.ts';
import { fromTl, toTl } from '../tl-values.ts';
import type { Answers } from './answers.ts';

type Link = TlBoxed<'blockLinkBack' | 'blockLinkForward'>;

/** Links of one answer; the client asks again from the last one. */
const MAX_LINKS = 16;
/** Catchain configuration, and the validators of now. */
const VALIDATOR_PARAMS = [28, 34, 35];
const MASTERCHAIN = { workchain: -1, shard: 1n << 63n } as const;

/** Way from a block that the client trusts to another one. */
export const PROOF_ANSWERS: Answers<'getBlockProof'> = {
  async getBlockProof(context, { known_block, target_block }) {
    const known = fromTl(known_block);
    const target = target_block ? await needTarget(context, target_block) : (await needHead(context)).header;
    const steps: Link[] = [];
    if (target.seqno < known.seqno) steps.push(await backLink(context, known, target));
    else if (target.seqno > known.seqno) await addForward(context, steps, { known, target });
    const end = steps.at(-1)?.value.to;
    return {
      complete: end === undefined || end.seqno === target.seqno,
      from: known_block,
      to: end ?? toTl(target),
      steps,
    };
  },
};

async function needTarget(context: LiteContext, id: TlValue<'blockIdExt'>): Promise<BlockId> {
  if (id.seqno === 0) return (await needMasterState(context, id)).id;
  return (await needMasterBlock(context, id)).header;
}

/** Links from key block to key block, then to the target. A start that is no key block goes back to one first. */
async function addForward(
  context: LiteContext,
  steps: Link[],
  { known, target }: { readonly known: BlockId; readonly target: BlockId },
): Promise<void> {
  let from = known;
  if (known.seqno !== 0) {
    const { header } = await needMasterBlock(context, toTl(known));
    if (!header.keyBlock) {
      from = await masterId(context, header.prevKeyBlockSeqno);
      steps.push(await backLink(context, known, from));
    }
  }
  const last = await findBlock(context, target);
  for (const seqno of await keyBlocksBetween(context, from.seqno, last)) {
    if (steps.length === MAX_LINKS) return;
    const to = await findBlock(context, { ...MASTERCHAIN, seqno });
    steps.push(await forwardLink(context, from, to));
    from = to.header;
  }
  if (from.seqno !== target.seqno && steps.length < MAX_LINKS)
    steps.push(await forwardLink(context, from, last));
}

async function masterId(context: LiteContext, seqno: number): Promise<BlockId> {
  return seqno === 0 ? context.zerostate : (await findBlock(context, { ...MASTERCHAIN, seqno })).header;
}

/** Seqnos of the key blocks after one block and before another, in order. */
async function keyBlocksBetween(context: LiteContext, after: number, last: LiteBlock): Promise<number[]> {
  const seqnos: number[] = [];
  for (let seqno = last.header.prevKeyBlockSeqno; seqno > after; ) {
    seqnos.unshift(seqno);
    seqno = (await findBlock(context, { ...MASTERCHAIN, seqno })).header.prevKeyBlockSeqno;
  }
  return seqnos;
}

async function forwardLink(context: LiteContext, from: BlockId, to: LiteBlock): Promise<Link> {
  const { genValidatorListHashShort, genCatchainSeqno } = visitHeader(new Visits(), to.root).info;
  const signatures = await context.signatures({ ...to.header, genValidatorListHashShort, genCatchainSeqno });
  if (!signatures) throw noBlock(`signatures of masterchain block ${to.header.seqno}`);
  return {
    type: 'blockLinkForward',
    value: {
      to_key_block: to.header.keyBlock,
      from: toTl(from),
      to: toTl(to.header),
      dest_proof: toBag(headerProof(to)),
      config_proof: toBag(await configProof(context, from)),
      signatures: toTlSignatures(signatures),
    },
  };
}

/** The validators as the key block, or the zerostate, configures them. */
async function configProof(context: LiteContext, from: BlockId): Promise<Cell> {
  if (from.seqno === 0) {
    const { state } = await needMasterState(context, toTl(from));
    return prove(state, (visits) => visitConfig(visits, visitExtra(visits, state).config, VALIDATOR_PARAMS))
      .proof;
  }
  const { root } = await needMasterBlock(context, toTl(from));
  return prove(root, (visits) => {
    const { config } = visitMcExtra(visits, visitHeader(visits, root).extra);
    if (!config) throw badRequest(`masterchain block ${from.seqno} is no key block`);
    visitConfig(visits, config, VALIDATOR_PARAMS);
  }).proof;
}

async function backLink(context: LiteContext, from: BlockId, to: BlockId): Promise<Link> {
  const later = statedBlock(context, await needMasterBlock(context, toTl(from)));
  const { header, proof, result } = stateProof(later, (visits) => {
    const { history } = visitExtra(visits, later.state);
    // The official client looks for the last key block too.
    visitOldBlock(visits, history, later.block!.header.prevKeyBlockSeqno);
    return visitOldBlock(visits, history, to.seqno);
  });
  if (!result) throw noBlock(`masterchain block ${to.seqno} in the state of ${from.seqno}`);
  return {
    type: 'blockLinkBack',
    value: {
      to_key_block: result.isKey || to.seqno === 0,
      from: toTl(from),
      to: toTl(to),
      dest_proof: await destinationProof(context, to),
      proof: toBag(header),
      state_proof: toBag(proof),
    },
  };
}

/** Empty for the zerostate, whose state is its own proof. */
async function destinationProof(context: LiteContext, to: BlockId): Promise<Uint8Array> {
  if (to.seqno !== 0) return toBag(headerProof(await needMasterBlock(context, toTl(to))));
  return new Uint8Array();
}

function toTlSignatures(set: SignatureSet): TlBoxed<'signatureSet.ordinary' | 'signatureSet.simplex'> {
  const signatures = set.signatures.map(({ nodeId, signature }) => ({ node_id_short: nodeId, signature }));
  const facts = { validator_set_hash: set.listHash | 0, signatures };
  if (set.kind === 'ordinary')
    return { type: 'signatureSet.ordinary', value: { ...facts, catchain_seqno: set.catchainSeqno } };
  const { catchainSeqno: cc_seqno, sessionId: session_id, slot, candidate } = set;
  return { type: 'signatureSet.simplex', value: { ...facts, cc_seqno, session_id, slot, candidate } };
}
