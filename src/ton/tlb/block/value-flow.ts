import type { CellSlice } from '../../boc/cell-slice.ts';
import { type CurrencyCollection, loadCurrencyCollection } from '../currency-collection.ts';
import { NO_CURRENCIES } from '../extra-currency-collection.ts';
import { unknownTag } from '../tag.ts';
import { loadWholeCell } from '../whole-cell.ts';

export interface ValueFlow {
  readonly tag: number;
  readonly fromPrevBlk: CurrencyCollection;
  readonly toNextBlk: CurrencyCollection;
  readonly imported: CurrencyCollection;
  readonly exported: CurrencyCollection;
  readonly feesCollected: CurrencyCollection;
  /** Absent in the older form. */
  readonly burned: CurrencyCollection;
  readonly feesImported: CurrencyCollection;
  readonly recovered: CurrencyCollection;
  readonly created: CurrencyCollection;
  readonly minted: CurrencyCollection;
}

const NOTHING: CurrencyCollection = { grams: 0n, extra: NO_CURRENCIES, extraRoot: -1 };

const VALUE_FLOW = 0xb8e48dfb;
const VALUE_FLOW_V2 = 0x3ebf98b7;

// value_flow#b8e48dfb ^[ from_prev_blk:CurrencyCollection to_next_blk:CurrencyCollection
//     imported:CurrencyCollection exported:CurrencyCollection ]
//   fees_collected:CurrencyCollection
//   ^[ fees_imported:CurrencyCollection recovered:CurrencyCollection
//     created:CurrencyCollection minted:CurrencyCollection ] = ValueFlow;
// value_flow_v2#3ebf98b7 is the same with burned:CurrencyCollection after fees_collected.
export function loadValueFlow(slice: CellSlice): ValueFlow {
  const { boc } = slice;
  const tag = slice.uint(32);
  if (tag !== VALUE_FLOW && tag !== VALUE_FLOW_V2) throw unknownTag(slice, 'ValueFlow', tag);
  const first = loadWholeCell(boc, slice.ref(), 'ValueFlow', (cell) => ({
    fromPrevBlk: loadCurrencyCollection(cell),
    toNextBlk: loadCurrencyCollection(cell),
    imported: loadCurrencyCollection(cell),
    exported: loadCurrencyCollection(cell),
  }));
  const feesCollected = loadCurrencyCollection(slice);
  const burned = tag === VALUE_FLOW_V2 ? loadCurrencyCollection(slice) : NOTHING;
  const second = loadWholeCell(boc, slice.ref(), 'ValueFlow', (cell) => ({
    feesImported: loadCurrencyCollection(cell),
    recovered: loadCurrencyCollection(cell),
    created: loadCurrencyCollection(cell),
    minted: loadCurrencyCollection(cell),
  }));
  return { tag, ...first, feesCollected, burned, ...second };
}
