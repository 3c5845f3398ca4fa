/**
 * Walks dictionaries leaf by leaf in the order of their keys, mirroring boc/hashmap.ts and tlb/inline-hashmap.ts:
 *
 *     openWalk(root, 256, false);
 *     while (nextLeaf()) { … }       // the cursor is at the leaf's value, `walkKey()` is the key
 *
 * A nested walk must finish before the outer one continues. The cursor is not saved: `keep` it.
 */
import { cellType, PRUNED } from './bag';
import { bad, bit, copyKeyBits, open, ref, uint } from './cursor';

const MAX_EDGES: i32 = 1 << 24;
/** One edge waits for each fork above, and the one that is taken. */
const MAX_WAITING: i32 = 264;
const KEY_BYTES: usize = 32;
/** A key with room behind it for whole words, numbers of the walk, and the edges that wait: cell and position. */
const WALK_BYTES: usize = 64 + 16 + 264 * 8;
const MAX_WALKS: i32 = 6;
const WALKS: usize = memory.data(6 * (64 + 16 + 264 * 8), 16);
let walks: i32 = 0;
/** The walk that is going on. */
let walk: usize = WALKS - WALK_BYTES;

export function resetWalks(): void {
  walks = 0;
  walk = WALKS - WALK_BYTES;
}

@inline
function waitingAt(index: i32): usize {
  return walk + 80 + ((<usize>index) << 3);
}

/** `root`: the cell of the root edge; `keyBits` at most 256; pruned edges are passed over or refused. */
export function openWalk(root: i32, keyBits: i32, skipPruned: bool): void {
  if (walks == MAX_WALKS) bad('dictionaries nested too deep', MAX_WALKS, walks);
  walks++;
  walk += WALK_BYTES;
  memory.fill(walk, 0, KEY_BYTES);
  store<i32>(walk, keyBits, 64);
  store<i32>(walk, skipPruned ? 1 : 0, 68);
  store<i32>(walk, 1, 72);
  store<i32>(walk, 0, 76);
  store<i32>(waitingAt(0), root);
  store<i32>(waitingAt(0), 0, 4);
}

/** The key, padded with zero bits, until the next leaf. */
@inline
export function walkKey(): usize {
  return walk;
}

@inline
function setKeyBit(at: i32, one: bool): void {
  const to = walk + <usize>(at >> 3);
  const mask = <u32>0x80 >>> (at & 7);
  const old = <u32>load<u8>(to);
  store<u8>(to, <u8>(one ? old | mask : old & ~mask));
}

/** Reads an edge's label into the key from bit `at` on, of which `left` are still open; gives its length. */
function readLabel(at: i32, left: i32): i32 {
  const width = 32 - clz<i32>(left);
  let length = 0;
  if (!bit()) {
    while (bit()) length++;
  } else if (!bit()) {
    length = <i32>uint(width);
  } else {
    const same = bit();
    length = <i32>uint(width);
    if (<u32>length > <u32>left) bad('HmLabel', left, length);
    for (let i = 0; i < length; i++) setKeyBit(at + i, same);
    return length;
  }
  if (<u32>length > <u32>left) bad('HmLabel', left, length);
  copyKeyBits(walk, at, length);
  return length;
}

/** A key with room for whole words, the numbers of the walk, and pending edges: cell and position. */
export function nextLeaf(): bool {
  const keyBits = load<i32>(walk, 64);
  let waiting = load<i32>(walk, 72);
  let edges = load<i32>(walk, 76);
  while (waiting > 0) {
    waiting--;
    const edge = load<i32>(waitingAt(waiting));
    if (edges++ == MAX_EDGES) bad('Hashmap: too many edges', MAX_EDGES, edges);
    const above = load<i32>(waitingAt(waiting), 4);
    const from = above < 0 ? -above : above;
    if (above < 0) setKeyBit(from - 1, true);
    if (load<i32>(walk, 68) != 0 && cellType(edge) == PRUNED) continue;
    open(edge);
    const at = from + readLabel(from, keyBits - from);
    if (at == keyBits) {
      store<i32>(walk, waiting, 72);
      store<i32>(walk, edges, 76);
      return true;
    }
    const left = ref();
    const right = ref();
    setKeyBit(at, false);
    store<i32>(waitingAt(waiting), right);
    store<i32>(waitingAt(waiting), -(at + 1), 4);
    store<i32>(waitingAt(waiting + 1), left);
    store<i32>(waitingAt(waiting + 1), at + 1, 4);
    waiting += 2;
  }
  closeWalk();
  return false;
}

function closeWalk(): void {
  walks--;
  walk -= WALK_BYTES;
}

/** Skips the label of a root edge inside a cell with other fields; returns its length. */
export function skipInlineLabel(keyBits: i32): i32 {
  openWalk(0, keyBits, false);
  const length = readLabel(0, keyBits);
  closeWalk();
  return length;
}
