import type { Cell } from '../ton/cell/cell.ts';
import { CellBuilder } from '../ton/cell/cell-builder.ts';
import { writeBag } from '../ton/cell/write-bag.ts';

/** A masterchain block as contracts see it. */
export interface PrevBlock {
  readonly seqno: number;
  readonly rootHash: Uint8Array;
  readonly fileHash: Uint8Array;
}

/** Values of PREVMCBLOCKS, PREVKEYBLOCK and PREVMCBLOCKS_100: newest first. */
export interface PrevBlocks {
  readonly last: readonly PrevBlock[];
  readonly key: PrevBlock;
}

/** Tags of `VmStackValue`: an integer of 64 bits, one of 257 (with seven bits of it to spare), a tuple. */
const TINY_INT = 0x01;
const INT = 0x0100;
const INT_BITS = 15;
const TUPLE = 0x07;
/** Bytes of a hash before the last 64 bits. */
const HIGH_BYTES = 24;

/** Workchain -1, and the whole workchain's shard as the signed number that it is on the stack. */
const MASTERCHAIN = tinyInt(0xffff_ffff, 0xffff_ffff);
const SHARD = tinyInt(0x8000_0000, 0);

/** A block is shown to contracts until sixteen others follow it: each is written once. */
const written = new WeakMap<PrevBlock, Cell>();

/**
 * The stack entry `[last_mc_blocks, prev_key_block]` as a BoC in base64, as the emulator wants it. Element 13 of c7 of
 * the TVM; a block is `[workchain, shard, seqno, root_hash, file_hash]`.
 */
export function encodePrevBlocks({ last, key }: PrevBlocks): string {
  const entry = tuple([tuple(last.map(blockTuple)), blockTuple(key)]);
  return writeBag(entry, { index: false }).toBase64();
}

function blockTuple(block: PrevBlock): Cell {
  const known = written.get(block);
  if (known) return known;
  const { seqno, rootHash, fileHash } = block;
  const made = tuple([MASTERCHAIN, SHARD, tinyInt(0, seqno), hashInt(rootHash), hashInt(fileHash)]);
  written.set(block, made);
  return made;
}

/**
 * Values, each in a cell of its own, as a tuple:
 *
 *     vm_tupref_nil$_ = VmTupleRef 0;
 *     vm_tupref_single$_ entry:^VmStackValue = VmTupleRef 1;
 *     vm_tupref_any$_ {n:#} ref:^(VmTuple (n + 2)) = VmTupleRef (n + 2);
 *     vm_tuple_nil$_ = VmTuple 0;
 *     vm_tuple_tcons$_ {n:#} head:(VmTupleRef n) tail:^VmStackValue = VmTuple (n + 1);
 *     vm_stk_tuple#07 len:(## 16) data:(VmTuple len) = VmStackValue;
 */
function tuple(values: readonly Cell[]): Cell {
  let head: Cell | undefined;
  for (const value of values.slice(0, -1))
    head = head ? new CellBuilder().ref(head).ref(value).cell() : value;
  const builder = new CellBuilder().uint(TUPLE, 8).uint(values.length, 16);
  for (const cell of [head, values.at(-1)]) if (cell) builder.ref(cell);
  return builder.cell();
}

function tinyInt(high: number, low: number): Cell {
  return new CellBuilder().uint(TINY_INT, 8).uint(high, 32).uint(low, 32).cell();
}

/** A hash as a number: never negative, and in the shorter form where it happens to fit there. */
function hashInt(hash: Uint8Array): Cell {
  const low = new DataView(hash.buffer, hash.byteOffset + HIGH_BYTES);
  if (hash.subarray(0, HIGH_BYTES).every((byte) => byte === 0) && low.getInt32(0) >= 0)
    return tinyInt(low.getUint32(0), low.getUint32(4));
  return new CellBuilder().uint(INT, INT_BITS).bit(false).bytes(hash).cell();
}
