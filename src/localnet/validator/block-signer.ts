import { sha256 } from '../../ton/hash/sha256.ts';
import { writeCandidate } from '../../ton/proofs/candidate.ts';
import type { BlockToProve } from '../../ton/proofs/check-signatures.ts';
import { keyId } from '../../ton/proofs/key-id.ts';
import type { SignatureSet } from '../../ton/proofs/signature-set.ts';
import { ordinarySignedBytes, simplexSignedBytes } from '../../ton/proofs/signed-bytes.ts';
import type { KeyPair } from '../wallets/key-pair.ts';
import { VALIDATOR_WEIGHT, validatorKey } from './validator-rounds.ts';

/** Form of the signatures that the local chain makes. */
export type SignatureForm = SignatureSet['kind'];

/**
 * Signs masterchain blocks as their only validator. The same seed, form and block give the same signatures, so that
 * they are made when they are needed and are not stored (docs/decisions/0107-validator-of-the-local-chain.md).
 */
export class BlockSigner {
  private readonly key: KeyPair;
  private readonly nodeId: Uint8Array;
  private readonly form: SignatureForm;

  constructor(seed: string, form: SignatureForm) {
    this.key = validatorKey(seed);
    this.nodeId = keyId(this.key.publicKey);
    this.form = form;
  }

  /** Returns null for a block of a chain without validators: versions before the development validator made it. */
  sign(block: BlockToProve): SignatureSet | null {
    const { genValidatorListHashShort: listHash, genCatchainSeqno: catchainSeqno } = block;
    if (listHash === 0) return null;
    const facts = { listHash, catchainSeqno, statedWeight: VALIDATOR_WEIGHT };
    if (this.form === 'ordinary')
      return { kind: 'ordinary', ...facts, signatures: this.signatures(ordinarySignedBytes(block)) };
    const vote = { sessionId: getSessionId(block), slot: block.seqno, candidate: writeCandidate(block) };
    return { kind: 'simplex', ...facts, signatures: this.signatures(simplexSignedBytes(vote)), ...vote };
  }

  private signatures(bytes: Uint8Array): SignatureSet['signatures'] {
    return [{ nodeId: this.nodeId, signature: this.key.sign(bytes) }];
  }
}

/** Id of the session of a group. A node hashes facts of its own here; no client can compute the id. */
function getSessionId({ genValidatorListHashShort, genCatchainSeqno }: BlockToProve): Uint8Array {
  return sha256(new TextEncoder().encode(`session|${genValidatorListHashShort}|${genCatchainSeqno}`));
}
