/**
 * Why signatures do not prove a block. `validators`: made by another group of validators than the one asked for.
 * `candidate`: of another block. `signer`: a signer that is unknown or appears twice. `signature`: not the signer's.
 * `weight`: two thirds of the weight or less, or another weight than stated.
 */
export type SignatureErrorCode = 'validators' | 'candidate' | 'signer' | 'signature' | 'weight';

/** Signatures do not prove the block. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
  readonly code: SignatureErrorCode;
  /** Seqno of the masterchain block. */
  readonly seqno: number;
  readonly expected: string;
  readonly found: string;

  constructor(
    code: SignatureErrorCode,
    facts: { seqno: number; what: string; expected: string; found: string },
  ) {
    const { seqno, what, expected, found } = facts;
    super(`signatures of masterchain block ${seqno}: ${what}: expected ${expected}, found ${found}`);
    this.code = code;
    this.seqno = seqno;
    this.expected = expected;
    this.found = found;
  }
}
