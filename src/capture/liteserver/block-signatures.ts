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
