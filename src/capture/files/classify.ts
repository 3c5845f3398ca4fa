import { extname } from 'node:path';
import { type Boc, onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { CellSlice } from '../../ton/boc/cell-slice.ts';
import { MERKLE_PROOF } from '../../ton/boc/cell-type.ts';
import { readSourceBlock } from '../read-block.ts';
import { readSourceState, STATE_TAG } from '../read-state.ts';
import type { SourceBlock, SourceState } from '../source.ts';
import { UnreadableError } from '../unreadable-error.ts';

/** Kind of a file by its bytes; its name matters only for the message about bytes that are no bag of cells. */
export type Classified =
  | { readonly kind: 'block'; readonly block: SourceBlock }
  | { readonly kind: 'state'; readonly state: SourceState }
  /** Other content that is common next to blocks. */
  | { readonly kind: 'other'; readonly reason: string }
  /** It should be a block or a state and is none. */
  | { readonly kind: 'bad'; readonly error: UnreadableError };

/** `serialized_boc`, `serialized_boc_idx` and `serialized_boc_idx_crc32c` of crypto/tl/boc.tlb. */
const BOC_MAGICS = [0xb5ee9c72, 0x68ff65f3, 0xacc3a728];
/** `block_proof#c3` of block.tlb. */
const BLOCK_PROOF_TAG = 0xc3;

export function isBocMagic(bytes: Uint8Array): boolean {
  if (bytes.length < 4) return false;
  return BOC_MAGICS.includes(new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0));
}

/** True if a file should be a bag of cells by its name. */
export function hasBagName(file: string): boolean {
  return extname(file) === '.boc';
}

export function classify(bytes: Uint8Array, file: string): Classified {
  if (!isBocMagic(bytes)) {
    if (!hasBagName(file)) return { kind: 'other', reason: 'not a bag of cells' };
    const found = Buffer.from(bytes.subarray(0, 4)).toString('hex') || 'an empty file';
    return {
      kind: 'bad',
      error: new UnreadableError(file, new Error(`no bag of cells: begins with ${found}`)),
    };
  }
  try {
    return classifyBoc(bytes, file);
  } catch (cause) {
    return { kind: 'bad', error: new UnreadableError(file, cause) };
  }
}

function classifyBoc(bytes: Uint8Array, file: string): Classified {
  const boc = parseBoc(bytes);
  const reason = otherThanBlock(boc);
  if (reason) return { kind: 'other', reason };
  const root = new CellSlice(boc, onlyRoot(boc));
  if (root.bitsLeft >= 32 && root.peekUint(32) === STATE_TAG)
    return { kind: 'state', state: readSourceState(boc, file) };
  return { kind: 'block', block: readSourceBlock(bytes, file) };
}

/** Many collections contain proofs next to blocks. */
function otherThanBlock(boc: Boc): string | null {
  const [root] = boc.roots;
  if (boc.roots.length !== 1 || root === undefined) return `a bag of ${boc.roots.length} cells`;
  if (boc.type[root] === MERKLE_PROOF) return 'a Merkle proof';
  const slice = new CellSlice(boc, root).resetAny(root);
  return slice.bitsLeft >= 8 && slice.peekUint(8) === BLOCK_PROOF_TAG ? 'a block proof' : null;
}
