import { CellError } from '../boc/cell-error.ts';
import type { CellSlice } from '../boc/cell-slice.ts';
import { MERKLE_UPDATE } from '../boc/cell-type.ts';

/** Two states with the cells that they do not differ in, or that nobody touched, pruned. */
export interface MerkleUpdate {
  readonly oldHash: Uint8Array;
  readonly newHash: Uint8Array;
  readonly oldDepth: number;
  readonly newDepth: number;
  /** Cells of the two sides; their hashes are meant at level 0. */
  readonly old: number;
  readonly new: number;
}

// !merkle_update#04 {X:Type} old_hash:bits256 new_hash:bits256 old_depth:uint16 new_depth:uint16
//   old:^X new:^X = MERKLE_UPDATE X;
//
// The slice stands at the start of the cell (`resetAny`, since it is an exotic one).
export function loadMerkleUpdate(slice: CellSlice): MerkleUpdate {
  const { boc, cell } = slice;
  if (boc.type[cell] !== MERKLE_UPDATE) {
    throw new CellError('exotic', {
      cell,
      bit: 0,
      what: 'MERKLE_UPDATE',
      expected: `type ${MERKLE_UPDATE}`,
      found: `type ${boc.type[cell]}`,
    });
  }
  slice.skipBits(8);
  const update = {
    oldHash: slice.bytes(32),
    newHash: slice.bytes(32),
    oldDepth: slice.uint(16),
    newDepth: slice.uint(16),
    old: slice.ref(),
    new: slice.ref(),
  };
  slice.end('MERKLE_UPDATE');
  return update;
}
