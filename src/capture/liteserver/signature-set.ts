import type { TlBoxed } from '../../liteapi/schema/values.ts';
import type { SignatureSet } from '../../ton/proofs/signature-set.ts';

type TlSignatureSet = TlBoxed<'signatureSet.ordinary' | 'signatureSet.simplex'>;

/** Signatures of the lite server protocol in the form that the check takes. */
export function readSignatureSet(set: TlSignatureSet): SignatureSet {
  const signatures = set.value.signatures.map(({ node_id_short, signature }) => ({
    nodeId: node_id_short,
    signature,
  }));
  const listHash = set.value.validator_set_hash >>> 0;
  if (set.type === 'signatureSet.ordinary') {
    const catchainSeqno = set.value.catchain_seqno >>> 0;
    return { kind: 'ordinary', listHash, catchainSeqno, signatures, statedWeight: null };
  }
  const { cc_seqno, session_id: sessionId, slot, candidate } = set.value;
  return {
    kind: 'simplex',
    listHash,
    catchainSeqno: cc_seqno >>> 0,
    signatures,
    statedWeight: null,
    sessionId,
    slot: slot >>> 0,
    candidate,
  };
}
