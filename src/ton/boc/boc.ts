import { BocError } from './boc-error.ts';
import type { BocHeader } from './boc-header.ts';
import { readHeader } from './boc-header.ts';
import { checkIndex, readCells } from './read-cells.ts';
import { resolveCells } from './resolve-cells.ts';

export { LIBRARY, MERKLE_PROOF, MERKLE_UPDATE, ORDINARY, PRUNED } from './cell-type.ts';

/** One parsed bag of cells: arrays by cell index, never an object per cell. All offsets count bytes of `bytes`. */
export interface Boc {
  /** The whole file. */
  readonly bytes: Uint8Array;
  readonly cellCount: number;
  /** Indexes of the root cells, in the order of the file. */
  readonly roots: readonly number[];
  /** Byte offset of the cell's data in `bytes`. */
  readonly dataStart: Uint32Array;
  /** Bits of data, 0…1023, without the completion tag; of an exotic cell including the type byte. */
  readonly bitLength: Uint16Array;
  readonly refCount: Uint8Array;
  /** Cell i's k-th reference is `refs[i * 4 + k]`; it is always greater than i. */
  readonly refs: Uint32Array;
  /** ORDINARY | PRUNED | LIBRARY | MERKLE_PROOF | MERKLE_UPDATE. */
  readonly type: Uint8Array;
  /** Computed from the cells below and equal to the one that the cell's descriptor states. */
  readonly levelMask: Uint8Array;
  /** 1 if the cell's tree has no pruned branch. */
  readonly complete: Uint8Array;
  /** Refuse a VarUInteger with a leading zero byte: validation; readers take what is there. Default false. */
  readonly canonical?: boolean;
}

/** Limits of the reader. */
export interface BocLimits {
  /** Default 16,777,216: a shard state of the largest workchain today has fewer. */
  readonly maxCells?: number;
  /** References on the longest path down. Default 1024, which is the network's. */
  readonly maxDepth?: number;
}

const DEFAULT_MAX_CELLS = 1 << 24;
/** `CellTraits::max_depth` of the reference node. */
export const MAX_DEPTH = 1024;

/**
 * Reads a bag of cells in any of its three forms (`serialized_boc`, `serialized_boc_idx`, `serialized_boc_idx_crc32c`
 * of crypto/tl/boc.tlb). Checks everything that needs no hashing: checksum, index, descriptors, references, level
 * masks, the shape of exotic cells, depth. `checkExotics` checks the stored hashes of Merkle cells.
 *
 * The result keeps `bytes` (no copy): the caller must not change them afterwards.
 *
 * @throws BocError
 */
export function parseBoc(bytes: Uint8Array, limits: BocLimits = {}): Boc {
  const header: BocHeader = readHeader(bytes, limits.maxCells ?? DEFAULT_MAX_CELLS);
  const cells = readCells(bytes, header);
  if (header.indexStart !== null) checkIndex(bytes, header, header.indexStart, cells);
  const { levelMask, complete } = resolveCells(bytes, cells, limits.maxDepth ?? MAX_DEPTH);
  const { cellCount, roots } = header;
  const { dataStart, bitLength, refCount, refs, type } = cells;
  return { bytes, cellCount, roots, dataStart, bitLength, refCount, refs, type, levelMask, complete };
}

/**
 * The one root of a bag that must have exactly one.
 * @throws BocError root
 */
export function onlyRoot(boc: Boc): number {
  const [root, ...others] = boc.roots;
  if (root === undefined || others.length > 0) {
    throw new BocError('root', { offset: 0, expected: 'one root', found: boc.roots.length });
  }
  return root;
}
