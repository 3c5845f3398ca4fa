import type { BlockId } from '../decode/block-header.ts';
import { toHex } from '../hash/hex.ts';
import type { ValidatorDescr } from '../tlb/validator-set.ts';
import { readCandidateBlock } from './candidate.ts';
import type { ConfiguredValidators } from './configured-validators.ts';
import { isSignedBy } from './ed25519.ts';
import { keyId } from './key-id.ts';
import { SignatureError } from './signature-error.ts';
import type { SignatureSet, SimplexSignatures } from './signature-set.ts';
import { ordinarySignedBytes, simplexSignedBytes } from './signed-bytes.ts';
import { masterchainSubset, type ValidatorSubset } from './validator-subset.ts';

/** The masterchain block that signatures are to prove, with two fields of its header. */
export interface BlockToProve extends BlockId {
  readonly genValidatorListHashShort: number;
  readonly genCatchainSeqno: number;
}

/**
 * Checks that more than two thirds of the weight of the validators of the masterchain signed the block. The rules are
 * `BlockProofLink::validate` and `BlockSignatureSet::check_signatures` of the reference node.
 * @throws SignatureError
 */
export function checkSignatures(
  signatures: SignatureSet,
  block: BlockToProve,
  { set, catchain }: ConfiguredValidators,
): void {
  const { genCatchainSeqno, genValidatorListHashShort } = block;
  const subset = masterchainSubset(set, catchain, genCatchainSeqno);
  const must = (what: string, expected: number, found: number) => {
    if (expected !== found)
      throw refusal('validators', block, { what, expected: `${expected}`, found: `${found}` });
  };
  must('catchain seqno', genCatchainSeqno, signatures.catchainSeqno >>> 0);
  must('validator list hash of the block', subset.listHash, genValidatorListHashShort);
  must('validator list hash', subset.listHash, signatures.listHash >>> 0);
  if (signatures.kind === 'simplex') checkCandidate(signatures, block);
  const bytes = signatures.kind === 'simplex' ? simplexSignedBytes(signatures) : ordinarySignedBytes(block);
  const weight = signedWeight(signatures, subset, { block, bytes });
  if (weight * 3n <= subset.totalWeight * 2n) {
    const expected = `more than two thirds of ${subset.totalWeight}`;
    throw refusal('weight', block, { what: 'weight', expected, found: `${weight}` });
  }
  const { statedWeight } = signatures;
  if (statedWeight !== null && statedWeight !== weight)
    throw refusal('weight', block, { what: 'sig_weight', expected: `${weight}`, found: `${statedWeight}` });
}

function checkCandidate({ candidate }: SimplexSignatures, block: BlockId): void {
  const named = readCandidateBlock(candidate);
  const [expected, found] = [blockText(block), named ? blockText(named) : 'data of another form'];
  if (expected !== found)
    throw refusal('candidate', block, { what: 'block of the candidate', expected, found });
}

function blockText({ workchain, shard, seqno, rootHash, fileHash }: BlockId): string {
  return `(${workchain},${shard.toString(16)},${seqno}):${toHex(rootHash)}:${toHex(fileHash)}`;
}

/** Weight of the signers, each of which is a member, appears once, and signed the bytes. */
function signedWeight(
  { signatures }: SignatureSet,
  { members }: ValidatorSubset,
  { block, bytes }: { block: BlockId; bytes: Uint8Array },
): bigint {
  const left = new Map<string, ValidatorDescr>();
  for (const member of members) left.set(toHex(keyId(member.publicKey)), member);
  let weight = 0n;
  for (const { nodeId, signature } of signatures) {
    const id = toHex(nodeId);
    const member = left.get(id);
    const signer = `signer ${id}`;
    if (!member) {
      const expected = 'a validator of the masterchain, once';
      throw refusal('signer', block, { what: signer, expected, found: 'unknown, or a second time' });
    }
    left.delete(id);
    if (!isSignedBy(member.publicKey, bytes, signature)) {
      const expected = 'a signature of its key';
      throw refusal('signature', block, { what: signer, expected, found: toHex(signature) });
    }
    weight += member.weight;
  }
  return weight;
}

function refusal(
  code: SignatureError['code'],
  { seqno }: BlockId,
  facts: { what: string; expected: string; found: string },
): SignatureError {
  return new SignatureError(code, { seqno, ...facts });
}
