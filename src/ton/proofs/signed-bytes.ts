import type { BlockId } from '../decode/block-header.ts';
import { sha256 } from '../hash/sha256.ts';
import type { SimplexSignatures } from './signature-set.ts';

const BLOCK_ID = 0xc50b6e70;
const DATA_TO_SIGN = 0xa8e33df8;
const FINALIZE_VOTE = 0x40a7e105;
const CANDIDATE_ID = 0xb691cd3f;
/** Bytes of a boxed vote: its tag, then a boxed candidate id. */
const VOTE = 4 + 4 + 4 + 32;

/** Bytes that an ordinary signature is of: TL `ton.blockId root_cell_hash:int256 file_hash:int256`. */
export function ordinarySignedBytes({ rootHash, fileHash }: BlockId): Uint8Array {
  const bytes = new Uint8Array(68);
  new DataView(bytes.buffer).setUint32(0, BLOCK_ID, true);
  bytes.set(rootHash, 4);
  bytes.set(fileHash, 36);
  return bytes;
}

/**
 * Bytes that a simplex signature is of: TL `consensus.dataToSign session_id:int256 data:bytes`, whose data is
 * `consensus.simplex.finalizeVote id:consensus.CandidateId` with the slot and the hash of the candidate's data.
 */
export function simplexSignedBytes(
  set: Pick<SimplexSignatures, 'sessionId' | 'slot' | 'candidate'>,
): Uint8Array {
  // The data has one byte of length before it; with it 45 bytes, padded to 48.
  const bytes = new Uint8Array(4 + 32 + 48);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, DATA_TO_SIGN, true);
  bytes.set(set.sessionId, 4);
  bytes[36] = VOTE;
  view.setUint32(37, FINALIZE_VOTE, true);
  view.setUint32(41, CANDIDATE_ID, true);
  view.setUint32(45, set.slot, true);
  bytes.set(sha256(set.candidate), 49);
  return bytes;
}
