import type { Boc } from '../boc/boc.ts';
import type { CellSlice } from '../boc/cell-slice.ts';
import { forEachLeaf } from '../boc/hashmap.ts';

/** A library of an account or state init; `root` is a cell index. */
export interface SimpleLib {
  readonly public: boolean;
  readonly root: number;
}

// simple_lib$_ public:Bool root:^Cell = SimpleLib;
export function loadSimpleLib(slice: CellSlice): SimpleLib {
  return { public: slice.bit(), root: slice.ref() };
}

// library:(HashmapE 256 SimpleLib), from the root cell of the dictionary
export function loadSimpleLibs(boc: Boc, root: number): { hash: Uint8Array; lib: SimpleLib }[] {
  const libs: { hash: Uint8Array; lib: SimpleLib }[] = [];
  forEachLeaf(boc, root, 256, (key, value) => {
    libs.push({ hash: key.slice(), lib: loadSimpleLib(value) });
    value.end('SimpleLib');
  });
  return libs;
}
