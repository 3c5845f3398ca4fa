import { BocError } from './boc-error.ts';
import { LIBRARY, MERKLE_PROOF, MERKLE_UPDATE, ORDINARY, PRUNED } from './cell-type.ts';
import { LEVELS_IN } from './level-mask.ts';
import type { StatedCells } from './read-cells.ts';

const HASH_AND_DEPTH_BITS = 256 + 16;

/** Data bits and references that a kind of exotic cell has. */
interface ExoticShape {
  readonly name: string;
  readonly bits: number;
  readonly refs: number;
}

/** By the number of levels in the mask. */
const PRUNED_SHAPES: readonly ExoticShape[] = [0, 1, 2, 3].map((levels) => ({
  name: 'pruned branch',
  bits: 8 + 8 + levels * HASH_AND_DEPTH_BITS,
  refs: 0,
}));
const LIBRARY_SHAPE: ExoticShape = { name: 'library reference', bits: 8 + 256, refs: 0 };
const PROOF_SHAPE: ExoticShape = { name: 'Merkle proof', bits: 8 + HASH_AND_DEPTH_BITS, refs: 1 };
const UPDATE_SHAPE: ExoticShape = { name: 'Merkle update', bits: 8 + 2 * HASH_AND_DEPTH_BITS, refs: 2 };

/** Facts that follow from the cells below. */
export interface ResolvedCells {
  readonly levelMask: Uint8Array;
  readonly complete: Uint8Array;
}

/**
 * One backward sweep: level masks, whether a pruned branch is below, depth, shape of the exotic cells.
 * @throws BocError level, exotic, depth
 */
export function resolveCells(bytes: Uint8Array, cells: StatedCells, maxDepth: number): ResolvedCells {
  const { count, refCount, refs, type, statedMask, dataStart } = cells;
  const complete = new Uint8Array(count);
  // A depth of 65,535 cannot be stored, so a limit above it would let it wrap.
  const depthLimit = Math.min(maxDepth, 0xfffe);
  const depth = new Uint16Array(count);
  for (let cell = count - 1; cell >= 0; cell--) {
    let below = 0;
    let isComplete = 1;
    let deepest = 0;
    for (let at = cell * 4, end = at + refCount[cell]!; at < end; at++) {
      const child = refs[at]!;
      below |= statedMask[child]!;
      isComplete &= complete[child]!;
      if (depth[child]! >= deepest) deepest = depth[child]! + 1;
    }
    if (deepest > depthLimit) {
      throw new BocError('depth', {
        offset: dataStart[cell]!,
        cell,
        expected: `at most ${depthLimit}`,
        found: deepest,
      });
    }
    const mask = type[cell] === ORDINARY ? below : exoticMask(bytes, cells, cell, below);
    if (mask !== statedMask[cell]) {
      throw new BocError('level', {
        offset: dataStart[cell]!,
        cell,
        expected: mask,
        found: statedMask[cell]!,
      });
    }
    depth[cell] = deepest;
    complete[cell] = type[cell] === PRUNED ? 0 : isComplete;
  }
  return { levelMask: statedMask, complete };
}

/** The level mask of an exotic cell, after its shape has been checked. `below`: the masks of its children, or-ed. */
function exoticMask(bytes: Uint8Array, cells: StatedCells, cell: number, below: number): number {
  switch (cells.type[cell]) {
    case PRUNED: {
      const offset = cells.dataStart[cell]! + 1;
      const mask = cells.bitLength[cell]! < 16 ? 0 : bytes[offset]!;
      if (mask < 1 || mask > 7) {
        throw new BocError('exotic', {
          offset,
          cell,
          expected: 'a pruned branch with a mask of 1 to 7',
          found: mask,
        });
      }
      checkShape(cells, cell, PRUNED_SHAPES[LEVELS_IN[mask]!]!);
      return mask;
    }
    case LIBRARY:
      checkShape(cells, cell, LIBRARY_SHAPE);
      return 0;
    case MERKLE_PROOF:
      checkShape(cells, cell, PROOF_SHAPE);
      return below >> 1;
    case MERKLE_UPDATE:
      checkShape(cells, cell, UPDATE_SHAPE);
      return below >> 1;
    default:
      throw new BocError('exotic', {
        offset: cells.dataStart[cell]!,
        cell,
        expected: 'a type of 1 to 4',
        found: cells.type[cell]!,
      });
  }
}

function checkShape(cells: StatedCells, cell: number, { name, bits, refs }: ExoticShape): void {
  const [foundBits, foundRefs] = [cells.bitLength[cell]!, cells.refCount[cell]!];
  if (foundBits !== bits || foundRefs !== refs) {
    throw new BocError('exotic', {
      offset: cells.dataStart[cell]!,
      cell,
      expected: `${name} of ${bits} bits and ${refs} references`,
      found: `${foundBits} bits and ${foundRefs} references`,
    });
  }
}
