import { CellBuilder } from '../cell/cell-builder.ts';
import type { Money } from '../currencies/money.ts';
import type { ValueFlow } from '../tlb/block/value-flow.ts';
import { type Currencies, storeCurrencies } from './store-currencies.ts';

/** A ValueFlow as it is made; the tag follows from whether something is burned. */
export type NewValueFlow = { readonly [K in Exclude<keyof ValueFlow, 'tag'>]: Money };

// value_flow#b8e48dfb …, value_flow_v2#3ebf98b7 …: see tlb/value-flow.ts.
export function storeValueFlow(builder: CellBuilder, flow: NewValueFlow): void {
  const burns = flow.burned.grams > 0n || flow.burned.extra?.length !== 0;
  const together = (amounts: readonly Currencies[]) => {
    const part = new CellBuilder();
    for (const amount of amounts) part.with(storeCurrencies, amount);
    return part.cell();
  };
  builder.uint(burns ? 0x3ebf98b7 : 0xb8e48dfb, 32);
  builder.ref(together([flow.fromPrevBlk, flow.toNextBlk, flow.imported, flow.exported]));
  builder.with(storeCurrencies, flow.feesCollected);
  if (burns) builder.with(storeCurrencies, flow.burned);
  builder.ref(together([flow.feesImported, flow.recovered, flow.created, flow.minted]));
}
