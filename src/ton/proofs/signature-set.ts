import type { CellSlice } from '../boc/cell-slice.ts';
import { walkLeaves } from '../boc/hashmap.ts';
import { readSnake } from '../tlb/snake-text.ts';
import { badValue, expectTag, unknownTag } from '../tlb/tag.ts';

/** One validator's signature. */
export interface BlockSignature {
  /** Short id of the validator's key (key-id.ts), 32 bytes. */
  readonly nodeId: Uint8Array;
  /** Ed25519, 64 bytes. */
  readonly signature: Uint8Array;
}

interface SetFacts {
  /** `gen_validator_list_hash_short` of the block, unsigned. */
  readonly listHash: number;
  readonly catchainSeqno: number;
  readonly signatures: readonly BlockSignature[];
  /** Sum of the signers' weights as a cell states it; null in the form of the lite server protocol, which has none. */
  readonly statedWeight: bigint | null;
}

/** Signatures of the id of the block. */
export interface OrdinarySignatures extends SetFacts {
  readonly kind: 'ordinary';
}

/** Signatures of a final vote for a candidate of a session. */
export interface SimplexSignatures extends SetFacts {
  readonly kind: 'simplex';
  readonly sessionId: Uint8Array;
  readonly slot: number;
  /** TL `consensus.CandidateHashData`, which names the block. */
  readonly candidate: Uint8Array;
}

/** Signatures of validators for one masterchain block, from a cell or from `liteServer.SignatureSet`. */
export type SignatureSet = OrdinarySignatures | SimplexSignatures;

export const ORDINARY_TAG = 0x11;
export const SIMPLEX_TAG = 0x12;
/** Tag of `CryptoSignatureSimple`, 4 bits. */
export const ED25519_TAG = 5;
/** `CellString::max_bytes` of the reference node. */
const MAX_CANDIDATE = 1024;
const MAX_EDGES = 1 << 17;

// block_signatures#11 validator_info:ValidatorBaseInfo pure_signatures:BlockSignaturesPure = BlockSignatures;
// block_signatures_simplex#12 validator_info:ValidatorBaseInfo pure_signatures:BlockSignaturesPure
//   session_id:bits256 slot:uint32 candidate_data:^Cell = BlockSignatures;
// validator_base_info$_ validator_list_hash_short:uint32 catchain_seqno:uint32 = ValidatorBaseInfo;
// block_signatures_pure#_ sig_count:uint32 sig_weight:uint64
//   signatures:(HashmapE 16 CryptoSignaturePair) = BlockSignaturesPure;
/** @throws CellError also for a count that is not the number of signatures */
export function loadBlockSignatures(slice: CellSlice): SignatureSet {
  const tag = slice.uint(8);
  if (tag !== ORDINARY_TAG && tag !== SIMPLEX_TAG) throw unknownTag(slice, 'BlockSignatures', tag);
  const [listHash, catchainSeqno, count] = [slice.uint(32), slice.uint(32), slice.uint(32)];
  const statedWeight = slice.u64();
  const signatures = loadSignatures(slice, slice.maybeRef());
  if (signatures.length !== count)
    throw badValue(slice, 'BlockSignatures sig_count', signatures.length, count);
  const facts = { listHash, catchainSeqno, signatures, statedWeight };
  if (tag === ORDINARY_TAG) return { kind: 'ordinary', ...facts };
  const [sessionId, slot] = [slice.bytes(32), slice.uint(32)];
  const candidate = readSnake(slice.boc, slice.ref(), 0);
  if (candidate === null || candidate.length > MAX_CANDIDATE)
    throw badValue(slice, 'candidate_data', `up to ${MAX_CANDIDATE} bytes`, candidate?.length ?? 'no bytes');
  return { kind: 'simplex', ...facts, sessionId, slot, candidate };
}

// sig_pair$_ node_id_short:bits256 sign:CryptoSignature = CryptoSignaturePair;
// ed25519_signature#5 R:bits256 s:bits256 = CryptoSignatureSimple;
//
// Signatures by a certified temporary key (#f) are refused: the reference node does not make or take them.
function loadSignatures(slice: CellSlice, root: number): BlockSignature[] {
  const signatures: BlockSignature[] = [];
  if (root < 0) return signatures;
  walkLeaves(slice.boc, root, { keyBits: 16, forkExtra: 'refuse', maxEdges: MAX_EDGES }, (_key, value) => {
    const nodeId = value.bytes(32);
    expectTag(value, 4, ED25519_TAG, 'CryptoSignatureSimple');
    signatures.push({ nodeId, signature: value.bytes(64) });
    value.end('CryptoSignaturePair');
  });
  return signatures;
}
