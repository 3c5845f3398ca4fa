import type { CellSlice } from '../boc/cell-slice.ts';
import { forEachLeaf } from '../boc/hashmap.ts';

/** A configuration parameter: its number, and its value as a cell index. */
export interface ConfigParam {
  readonly param: number;
  readonly cell: number;
}

export interface ConfigParams {
  readonly configAddr: Uint8Array;
  /** In the order of the dictionary: 0, 1, … and negative numbers after them. */
  readonly params: readonly ConfigParam[];
}

// _ config_addr:bits256 config:^(Hashmap 32 ^Cell) = ConfigParams;
export function loadConfigParams(slice: CellSlice): ConfigParams {
  const configAddr = slice.bytes(32);
  const params: ConfigParam[] = [];
  forEachLeaf(slice.boc, slice.ref(), 32, (key, value) => {
    const param = new DataView(key.buffer, key.byteOffset).getInt32(0);
    params.push({ param, cell: value.ref() });
    value.end('ConfigParams');
  });
  return { configAddr, params };
}
