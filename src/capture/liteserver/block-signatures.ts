import { ProofError } from '../../ton/proofs/proof-error.ts';
import type { SignatureSet } from '../../ton/proofs/signature-set.ts';
import { type BlockIdExt, blockIdText, sameBlock } from '../block-id.ts';
import { checkLinks } from './proof-links.ts';
import type { ServerPool } from './server-pool.ts';
import { readSignatureSet } from './signature-set.ts';
import { toTlId } from './tl-block-id.ts';

/** Rounds over all servers. */
const ROUNDS = 2;

/**
 * Asks servers for the signatures of a masterchain block: those of the link from the key block before it. The validators
 * that the key block names must have made them.
 * @throws NoServerError; the reason of the signal
 */
export async function fetchSignatures(
  pool: ServerPool,
  keyBlock: BlockIdExt,
  target: BlockIdExt,
  signal: AbortSignal,
): Promise<SignatureSet> {
  const { value } = await pool.ask(
    'getBlockProof',
    { mode: 1, known_block: toTlId(keyBlock), target_block: toTlId(target) },
    {
      signal,
      what: `the signatures of masterchain block ${blockIdText(target)}`,
      rounds: ROUNDS,
      check: (answer) => {
        const { reached } = checkLinks(answer, { id: keyBlock, validators: null });
        const last = answer.steps.at(-1);
        if (sameBlock(reached, target) && last?.type === 'blockLinkForward')
          return readSignatureSet(last.value.signatures);
        throw new ProofError('signatures', `a link to ${blockIdText(target)}`, blockIdText(reached));
      },
    },
  );
  return value;
}

/**
 * Asks servers for the proof in the state after a masterchain block that an earlier one is before it.
 * @returns a bag with one Merkle proof of the state
 * @throws NoServerError; the reason of the signal
 */
export async function fetchOldBlock(
  pool: ServerPool,
  block: BlockIdExt,
  earlier: BlockIdExt,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { value } = await pool.ask(
    'getBlockProof',
    { mode: 1, known_block: toTlId(block), target_block: toTlId(earlier) },
    {
      signal,
      what: `a link back to masterchain block ${blockIdText(earlier)}`,
      rounds: ROUNDS,
      check: (answer) => {
        const { reached } = checkLinks(answer, { id: block, validators: null });
        const [link] = answer.steps;
        if (answer.steps.length === 1 && link?.type === 'blockLinkBack' && sameBlock(reached, earlier))
          return link.value.state_proof;
        throw new ProofError('a link back', `one to ${blockIdText(earlier)}`, `${answer.steps.length} links`);
      },
    },
  );
  return value;
}
