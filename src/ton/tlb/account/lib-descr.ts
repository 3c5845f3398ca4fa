import type { Boc } from '../../boc/boc.ts';
import type { CellSlice } from '../../boc/cell-slice.ts';
import { forEachLeaf } from '../../boc/hashmap.ts';
import { forEachInlineLeaf } from '../inline-hashmap.ts';
import { expectTag } from '../tag.ts';

/** A public library of the masterchain: its cell and the accounts that publish it. */
export interface LibDescr {
  readonly lib: number;
  readonly publishers: readonly Uint8Array[];
}

// shared_lib_descr$00 lib:^Cell publishers:(Hashmap 256 True) = LibDescr;
export function loadLibDescr(slice: CellSlice): LibDescr {
  expectTag(slice, 2, 0, 'LibDescr');
  const lib = slice.ref();
  const publishers: Uint8Array[] = [];
  forEachInlineLeaf(slice, 256, (key, value) => {
    if (value !== slice) value.end('LibDescr.publishers');
    publishers.push(key.slice());
  });
  return { lib, publishers };
}

/** The libraries of a state from the root of their dictionary; for whole states, pruned ones throw. */
// libraries:(HashmapE 256 LibDescr)
export function loadLibraries(boc: Boc, root: number): { hash: Uint8Array; descr: LibDescr }[] {
  const libraries: { hash: Uint8Array; descr: LibDescr }[] = [];
  forEachLeaf(boc, root, 256, (key, value) => {
    libraries.push({ hash: key.slice(), descr: loadLibDescr(value) });
    value.end('LibDescr');
  });
  return libraries;
}
