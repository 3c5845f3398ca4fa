import type { Boc } from '../../boc/boc.ts';
import { onlyRoot, parseBoc } from '../../boc/boc.ts';
import { CellError } from '../../boc/cell-error.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { findLeaf } from '../../boc/find-leaf.ts';
import { numberKey } from '../../cell/key-bits.ts';
import { toBase64 } from '../../hash/base64.ts';
import { sha256 } from '../../hash/sha256.ts';
import { readSnake, snakeBits } from '../../tlb/snake-text.ts';

/** Metadata of a token (TEP-64): its location, or the attributes themselves. */
export type TokenContent =
  | { readonly type: 'offchain'; readonly data: string }
  | { readonly type: 'onchain'; readonly data: Readonly<Record<string, string>> };

/** The attributes of TEP-64 with texts; `image_data` are bytes. */
const TEXTS = ['uri', 'name', 'description', 'image', 'symbol', 'decimals', 'amount_style', 'render_type'];
const BYTES = 'image_data';
/** More chunks than any value has: keys are read until one is missing. */
const MAX_CHUNKS = 1_000;
/** Bytes of a value; the rest is cut off (v3-rules.md 7). */
const MAX_BYTES = 8_192;
const NOTHING = new Uint8Array(0);

/** Reads a FullContent cell, a bag of cells. @returns null if it has another form, or its text is not UTF-8 */
export function readTokenContent(bytes: Uint8Array): TokenContent | null {
  const boc = parseBoc(bytes);
  return readContentCell(boc, onlyRoot(boc));
}

/**
 * Reads a FullContent cell of a bag.
 *
 *     onchain#00 data:(HashmapE 256 ^ContentData) = FullContent;
 *     offchain#01 uri:SnakeText = FullContent;
 *
 * @returns null if it is neither, or its text is not UTF-8
 */
export function readContentCell(boc: Boc, root: number): TokenContent | null {
  try {
    const slice = new CellSlice(boc, root);
    const tag = slice.uint(8);
    if (tag === 0) return { type: 'onchain', data: attributes(slice) };
    const uri = tag === 1 ? readText(readSnake(boc, root, 8)) : null;
    return uri === null ? null : { type: 'offchain', data: uri };
  } catch (error) {
    if (error instanceof CellError) return null;
    throw error;
  }
}

function attributes(slice: CellSlice): Record<string, string> {
  const root = slice.maybeRef();
  const found: Record<string, string> = {};
  if (root < 0) return found;
  // Not a dictionary at all: no content either.
  findLeaf(new CellSlice(slice.boc, root), { bytes: new Uint8Array(32), bits: 256 });
  for (const name of [...TEXTS, BYTES]) {
    const value = attribute(new CellSlice(slice.boc, root), name);
    const shown = name === BYTES ? value && toBase64(value.subarray(0, MAX_BYTES)) : readText(value);
    if (shown !== null) found[name] = shown;
  }
  return found;
}

/** Returns the value of an attribute, or null if it is unreadable: the other attributes remain valid. */
function attribute(root: CellSlice, name: string): Uint8Array | null {
  const key = { bytes: sha256(new TextEncoder().encode(name)), bits: 256 };
  try {
    const leaf = findLeaf(root, key);
    return leaf && contentData(leaf);
  } catch (error) {
    if (error instanceof CellError) return null;
    throw error;
  }
}

// snake#00 data:(SnakeData ~n) = ContentData;
// chunks#01 data:ChunkedData = ContentData;
function contentData(leaf: CellSlice): Uint8Array | null {
  const { boc } = leaf;
  // A value inside the leaf is tolerated; it has no reference before its own.
  const cell = leaf.bitsLeft === 0 && leaf.refsLeft > 0 ? leaf.ref() : -1;
  if (cell < 0) return inlineData(leaf);
  const slice = new CellSlice(boc, cell);
  const tag = slice.uint(8);
  if (tag === 0) return readSnake(boc, cell, 8);
  return tag === 1 ? chunks(boc, slice) : null;
}

function inlineData(leaf: CellSlice): Uint8Array | null {
  const tag = leaf.uint(8);
  if (tag === 1) return chunks(leaf.boc, leaf);
  return tag === 0 && leaf.bitsLeft % 8 === 0 ? inlineSnake(leaf) : null;
}

/** A snake string that starts in the leaf and continues in cells below. */
function inlineSnake(leaf: CellSlice): Uint8Array | null {
  const beginning = leaf.bytes(leaf.bitsLeft / 8);
  if (leaf.refsLeft === 0) return beginning;
  const rest = readSnake(leaf.boc, leaf.ref(), 0);
  return rest && Buffer.concat([beginning, rest]);
}

// chunked_data#_ data:(HashmapE 32 ^(SnakeData ~0)) = ChunkedData;
function chunks(boc: Boc, slice: CellSlice): Uint8Array | null {
  const root = slice.maybeRef();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (let index = 0; root >= 0 && index < MAX_CHUNKS; index++) {
    const leaf = findLeaf(new CellSlice(boc, root), { bytes: numberKey(index, 32), bits: 32 });
    if (!leaf) break;
    const cell = leaf.ref();
    // Bytes that are cut off anyway are not copied: all chunks may be one and the same long chain of cells.
    if (snakeBits(boc, cell, 0) === null) break;
    const part = (bytes < MAX_BYTES && readSnake(boc, cell, 0)) || NOTHING;
    parts.push(part);
    bytes += part.length;
  }
  return Buffer.concat(parts);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes as UTF-8 text, cut at 8 KiB; null if they are not UTF-8. */
export function readText(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  try {
    return UTF8.decode(bytes.subarray(0, MAX_BYTES));
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
