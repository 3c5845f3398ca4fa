import type { Cell } from '../../ton/cell/cell.ts';
import { expectTag } from '../../ton/tlb/tag.ts';
import { configParam } from './config-param.ts';

/** Parameters with the prices of messages in the masterchain and in other workchains. */
const MASTERCHAIN_PRICES = 24;
const PRICES = 25;

/**
 * Cost of bringing an external message to its account: all its cells but the root count, each once.
 *
 *     msg_forward_prices#ea lump_price:uint64 bit_price:uint64 cell_price:uint64
 *       ihr_price_factor:uint32 first_frac:uint16 next_frac:uint16 = MsgForwardPrices;
 */
export function importFee(config: string, message: Cell, workchain: number): bigint {
  const prices = configParam(config, workchain === -1 ? MASTERCHAIN_PRICES : PRICES);
  if (!prices) return 0n;
  expectTag(prices, 8, 0xea, 'MsgForwardPrices');
  const [lump, perBit, perCell] = [prices.u64(), prices.u64(), prices.u64()];
  const seen = new Map<string, Cell>();
  const add = (cell: Cell) => {
    for (const ref of cell.refs) {
      if (seen.has(ref.key)) continue;
      seen.set(ref.key, ref);
      add(ref);
    }
  };
  add(message);
  let bits = 0n;
  for (const { bitLength } of seen.values()) bits += BigInt(bitLength);
  return lump + ((perBit * bits + perCell * BigInt(seen.size) + 0xffffn) >> 16n);
}
