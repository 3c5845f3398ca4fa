import type { BlockId } from '../decode/block-header.ts';

/** Bytes of a bare `tonNode.blockIdExt workchain:int shard:long seqno:int root_hash:int256 file_hash:int256`. */
const BLOCK_ID = 4 + 8 + 4 + 32 + 32;
/** Bytes of a bare `consensus.candidateId slot:int hash:int256`. */
const CANDIDATE_ID = 4 + 32;

const ORDINARY = 0xe8f9bcdc;
const EMPTY = 0x72b4d933;
const PARENT = 0x1a4b9af1;
const WITHOUT_PARENTS = 0x22cbcca9;
const PARENT_ID = 0xb691cd3f;

/** Where the parent of an ordinary candidate begins: after tag, block and collated_file_hash. */
const PARENT_AT = 4 + BLOCK_ID + 32;

// consensus.candidateParent id:consensus.CandidateId = consensus.CandidateParent;
// consensus.candidateWithoutParents = consensus.CandidateParent;
// consensus.candidateHashDataOrdinary block:tonNode.blockIdExt collated_file_hash:int256
//   parent:consensus.CandidateParent = consensus.CandidateHashData;
// consensus.candidateHashDataEmpty block:tonNode.blockIdExt parent:consensus.candidateId = consensus.CandidateHashData;
/** Reads the block that the data of a candidate names; null for bytes of another form. */
export function readCandidateBlock(candidate: Uint8Array): BlockId | null {
  if (!isCandidate(candidate)) return null;
  const view = new DataView(candidate.buffer, candidate.byteOffset, candidate.byteLength);
  return {
    workchain: view.getInt32(4, true),
    shard: view.getBigUint64(8, true),
    seqno: view.getUint32(16, true),
    rootHash: candidate.slice(20, 52),
    fileHash: candidate.slice(52, 84),
  };
}

function isCandidate(candidate: Uint8Array): boolean {
  const view = new DataView(candidate.buffer, candidate.byteOffset, candidate.byteLength);
  const tag = (at: number) => (at + 4 <= candidate.length ? view.getUint32(at, true) : null);
  if (tag(0) === EMPTY) return candidate.length === 4 + BLOCK_ID + CANDIDATE_ID;
  if (tag(0) !== ORDINARY) return false;
  if (tag(PARENT_AT) === WITHOUT_PARENTS) return candidate.length === PARENT_AT + 4;
  const isParent = tag(PARENT_AT) === PARENT && tag(PARENT_AT + 4) === PARENT_ID;
  return isParent && candidate.length === PARENT_AT + 4 + 4 + CANDIDATE_ID;
}

/** Data of a candidate with a block and no collated data, as the first one of a session. */
export function writeCandidate(block: BlockId): Uint8Array {
  const candidate = new Uint8Array(PARENT_AT + 4);
  const view = new DataView(candidate.buffer);
  view.setUint32(0, ORDINARY, true);
  view.setInt32(4, block.workchain, true);
  view.setBigUint64(8, block.shard, true);
  view.setUint32(16, block.seqno, true);
  candidate.set(block.rootHash, 20);
  candidate.set(block.fileHash, 52);
  view.setUint32(PARENT_AT, WITHOUT_PARENTS, true);
  return candidate;
}
