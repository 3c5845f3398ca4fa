import type { TlAnswer, TlValue } from '../../liteapi/schema/values.ts';
import { checkHeader } from '../../ton/proofs/check-header.ts';
import { checkMcExtra } from '../../ton/proofs/check-shards.ts';
import { checkSignatures } from '../../ton/proofs/check-signatures.ts';
import { checkSeparateState, findOldBlock, masterchainExtra } from '../../ton/proofs/check-state.ts';
import {
  type ConfiguredValidators,
  readConfiguredValidators,
} from '../../ton/proofs/configured-validators.ts';
import { ProofError, proving } from '../../ton/proofs/proof-error.ts';
import { type BlockIdExt, blockIdExtText, sameBlock } from '../block-id.ts';
import { readSignatureSet } from './signature-set.ts';
import { fromTlId } from './tl-block-id.ts';

/** A masterchain block that is proven, and the validators that its configuration names, if they were read. */
export interface ProvenBlock {
  readonly id: BlockIdExt;
  /** Null: not read yet, or not a key block. */
  readonly validators: ConfiguredValidators | null;
}

/** Where a chain of links ends, and the newest key block that it passed. */
export interface LinkedTo {
  readonly reached: BlockIdExt;
  /** Null if no link led to a key block. */
  readonly keyBlock: BlockIdExt | null;
}

/**
 * Checks the links of `getBlockProof`, one after the other, from a proven block on.
 * @throws ProofError, SignatureError
 */
export function checkLinks({ steps, from }: TlAnswer<'getBlockProof'>, start: ProvenBlock): LinkedTo {
  if (!sameBlock(fromTlId(from), start.id))
    throw new ProofError('block links', `from ${blockIdExtText(start.id)}`, blockIdExtText(fromTlId(from)));
  let reached = start.id;
  let keyBlock: BlockIdExt | null = null;
  for (const { type, value } of steps) {
    const linkFrom = fromTlId(value.from);
    if (!sameBlock(linkFrom, reached))
      throw new ProofError('a block link', `from ${blockIdExtText(reached)}`, blockIdExtText(linkFrom));
    reached = fromTlId(value.to);
    if (type === 'blockLinkBack') checkBack(value, linkFrom, reached);
    else checkForward(value, linkFrom, reached, start);
    if (value.to_key_block && (keyBlock === null || reached.seqno > keyBlock.seqno)) keyBlock = reached;
  }
  return { reached, keyBlock };
}

/** The state after `from` names the older block `to`. */
function checkBack(link: TlValue<'blockLinkBack'>, from: BlockIdExt, to: BlockIdExt): void {
  const what = `a link back to masterchain block ${to.seqno}`;
  if (to.seqno >= from.seqno) throw new ProofError(what, `below ${from.seqno}`, `${to.seqno}`);
  const state = checkSeparateState(link.proof, link.state_proof, from);
  const old = findOldBlock(state, to.seqno);
  if (!old || !sameBlock(old, to))
    throw new ProofError(what, old ? blockIdExtText(old) : 'a known block', blockIdExtText(to));
  if (to.seqno > 0) checkKeyFlag(link.dest_proof, to, link.to_key_block);
}

/** The validators of the configuration in `from`, a key block or the zerostate, signed `to`. */
function checkForward(
  link: TlValue<'blockLinkForward'>,
  from: BlockIdExt,
  to: BlockIdExt,
  start: ProvenBlock,
): void {
  const what = `a link to masterchain block ${to.seqno}`;
  if (to.seqno <= from.seqno) throw new ProofError(what, `above ${from.seqno}`, `${to.seqno}`);
  const { info } = checkHeader(link.dest_proof, to);
  if (info.keyBlock !== link.to_key_block)
    throw new ProofError(what, `key block ${link.to_key_block}`, `${info.keyBlock}`);
  // Otherwise validators of the past could sign a fork after they were replaced.
  if (info.prevKeyBlockSeqno !== from.seqno)
    throw new ProofError(what, `from key block ${info.prevKeyBlockSeqno}`, `from block ${from.seqno}`);
  const known = sameBlock(from, start.id) ? start.validators : null;
  const { genValidatorListHashShort, genCatchainSeqno } = info;
  const block = { ...to, genValidatorListHashShort, genCatchainSeqno };
  checkSignatures(
    readSignatureSet(link.signatures),
    block,
    known ?? readProvenValidators(link.config_proof, from),
  );
}

function checkKeyFlag(proof: Uint8Array, id: BlockIdExt, isKey: boolean): void {
  const { info } = checkHeader(proof, id);
  if (info.keyBlock !== isKey) throw new ProofError('a block link', `key block ${isKey}`, `${info.keyBlock}`);
}

/** Validators of a key block by a proof of the block, or of the zerostate by a proof of the state. @throws ProofError */
export function readProvenValidators(proof: Uint8Array, { seqno, ...id }: BlockIdExt): ConfiguredValidators {
  return proving(`the validators of masterchain block ${seqno}`, () => {
    if (seqno > 0) {
      const { tree, config } = checkMcExtra(proof, { seqno, ...id });
      if (config < 0) throw new ProofError('validators', 'a key block', `block ${seqno}`);
      return readConfiguredValidators(tree.boc, config);
    }
    const state = checkSeparateState(proof, proof, { seqno, ...id });
    return readConfiguredValidators(state.tree.boc, masterchainExtra(state).config);
  });
}
