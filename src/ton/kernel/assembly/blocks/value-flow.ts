/** ValueFlow into the row of `blocks`; mirrors tlb/block/value-flow.ts. */
import {
  blocks_burned, blocks_created, blocks_exported, blocks_fees_collected, blocks_fees_imported, blocks_from_prev_blk,
  blocks_imported, blocks_minted, blocks_recovered, blocks_to_next_blk, blocks_value_flow_tag,
} from '../../build/columns';
import { currencies } from '../currencies';
import { knowCurrencies } from '../currency-finder';
import { bad, enter, leave, ref, uint } from '../bags/cursor';
import { place, put32 } from '../streams';

const VALUE_FLOW: u32 = 0xb8e48dfb;
const VALUE_FLOW_V2: u32 = 0x3ebf98b7;

@inline
function grams(stream: i32, row: i32): i32 {
  return currencies(place(stream, row, 16));
}

/**
 *     value_flow#b8e48dfb ^[ from_prev_blk:CurrencyCollection to_next_blk:CurrencyCollection
 *         imported:CurrencyCollection exported:CurrencyCollection ]
 *       fees_collected:CurrencyCollection
 *       ^[ fees_imported:CurrencyCollection recovered:CurrencyCollection
 *         created:CurrencyCollection minted:CurrencyCollection ] = ValueFlow;
 *     value_flow_v2#3ebf98b7 is the same with burned:CurrencyCollection after fees_collected.
 */
export function readValueFlow(cell: i32, row: i32): void {
  enter(cell);
  const tag = uint(32);
  if (tag != VALUE_FLOW && tag != VALUE_FLOW_V2) bad('ValueFlow', VALUE_FLOW, tag);
  put32(blocks_value_flow_tag, row, tag);
  enter(ref());
  const before = grams(blocks_from_prev_blk, row);
  const after = grams(blocks_to_next_blk, row);
  knowCurrencies(before, after);
  grams(blocks_imported, row);
  grams(blocks_exported, row);
  leave('ValueFlow');
  grams(blocks_fees_collected, row);
  if (tag == VALUE_FLOW_V2) grams(blocks_burned, row);
  enter(ref());
  grams(blocks_fees_imported, row);
  grams(blocks_recovered, row);
  grams(blocks_created, row);
  grams(blocks_minted, row);
  leave('ValueFlow');
  leave('ValueFlow');
}
