import { type Boc, LIBRARY } from '../../boc/boc.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { Cell } from '../../cell/cell.ts';
import { sha256 } from '../../hash/sha256.ts';

const HASH_BYTES = 32;
/** Descriptors and type of a library cell: exotic, no references, 33 bytes of data that begin with the type. */
const HEAD = Uint8Array.of(8, 2 * (1 + HASH_BYTES), LIBRARY);

/** Hash of the library cell for the cell with this hash (32 bytes). */
export function libraryCellHash(hash: Uint8Array): Uint8Array {
  const cell = new Uint8Array(HEAD.length + HASH_BYTES);
  cell.set(HEAD);
  cell.set(hash, HEAD.length);
  return sha256(cell);
}

/** The library cell that stands for the cell with this hash (32 bytes). */
export function libraryCell(hash: Uint8Array): Cell {
  const data = new Uint8Array(1 + HASH_BYTES);
  data[0] = LIBRARY;
  data.set(hash, 1);
  return new Cell(8 * data.length, data, [], LIBRARY);
}

/** Hash that a library cell refers to; null for any other cell. */
export function readLibraryHash(boc: Boc, cell: number): Uint8Array | null {
  if (boc.type[cell] !== LIBRARY) return null;
  const slice = new CellSlice(boc, -1).resetAny(cell);
  slice.skipBits(8);
  return slice.bytes(HASH_BYTES).slice();
}

/**
 * A table by code hash with a second entry for each code: accounts may hold it by a library cell, whose hash follows from its
 * own. Entries that the table has itself stay.
 */
export function withLibraryCells<T>(
  table: Readonly<Record<string, T>>,
  encoding: 'hex' | 'base64',
): ReadonlyMap<string, T> {
  const entries = Object.entries(table);
  const read = encoding === 'hex' ? Uint8Array.fromHex : Uint8Array.fromBase64;
  const held = entries.map(([code, value]) => {
    const hash = libraryCellHash(read(code));
    return [encoding === 'hex' ? hash.toHex() : hash.toBase64(), value] as const;
  });
  return new Map([...held, ...entries]);
}
