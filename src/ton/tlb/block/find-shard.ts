import { CellSlice } from '../../boc/cell-slice.ts';
import { findLeaf } from '../../boc/find-leaf.ts';
import { childShards } from '../shard-ident.ts';
import { badValue } from '../tag.ts';

/** Opens the next reference of a slice. */
type OpenNext = (slice: CellSlice) => CellSlice;
const openNextOfBag: OpenNext = (slice) => new CellSlice(slice.boc, slice.ref());

/** A shard's identity and a slice at its ShardDescr. */
export interface FoundShard {
  readonly workchain: number;
  /** Unsigned 64 bits. */
  readonly shard: bigint;
  readonly descr: CellSlice;
}

const WHOLE_WORKCHAIN = 0x8000000000000000n;
/** A shard's prefix has at most 60 bits. */
const MAX_SPLITS = 60;

/**
 * Follows ShardHashes to the shard that contains a point of a workchain. Reads only the cells on the path.
 *
 * @param root slice at the root edge of the dictionary
 * @param prefix the first 64 bits of an address, or a shard: then the path ends at the shard or at one that contains it
 * @returns null if the workchain has no shards
 * @throws CellError exotic: a pruned cell on the path
 */
export function findShard(
  root: CellSlice,
  { workchain, prefix }: { readonly workchain: number; readonly prefix: bigint },
  openNext: OpenNext = openNextOfBag,
): FoundShard | null {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setInt32(0, workchain);
  const leaf = findLeaf(root, { bytes, bits: 32 }, openNext);
  if (!leaf) return null;
  let shard = WHOLE_WORKCHAIN;
  for (let depth = 0, slice = openNext(leaf); ; depth++) {
    if (!slice.bit()) return { workchain, shard, descr: slice };
    if (depth === MAX_SPLITS) throw badValue(slice, 'BinTree depth', `at most ${MAX_SPLITS}`, depth + 1);
    // The end bit of the shard is the first bit that its halves differ in.
    const isRight = (prefix & shard & -shard) !== 0n;
    if (isRight) slice.skipRefs(1);
    shard = childShards(shard)[isRight ? 1 : 0];
    slice = openNext(slice);
  }
}
