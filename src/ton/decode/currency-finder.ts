import type { CurrencyEntries } from '../../tables/column-type.ts';
import { toHex } from '../hash/hex.ts';
import type { ValueFlow } from '../tlb/block/value-flow.ts';
import type { CurrencyCollection } from '../tlb/currency-collection.ts';
import { NO_CURRENCIES } from '../tlb/extra-currency-collection.ts';
import type { StateCurrencies } from '../tlb/state-currencies.ts';
import type { OpenBlock } from './open-block.ts';

/**
 * Finds the extra currencies of a balance whose dictionary did not change and is therefore pruned in the state update.
 * The block's value flow often holds the same dictionary: wherever one account has all extra currencies of its shard
 * (so in all 115 cases of the shared data). Currencies that are not found there are given as none.
 */
export class CurrencyFinder {
  private readonly open: OpenBlock;
  private readonly flow: ValueFlow;
  private known: Map<string, CurrencyEntries> | null = null;

  constructor(open: OpenBlock, flow: ValueFlow) {
    this.open = open;
    this.flow = flow;
  }

  of(balance: StateCurrencies): CurrencyEntries {
    return this.find(balance) ?? NO_CURRENCIES;
  }

  /** null if nothing in the block shows the currencies. */
  find(balance: StateCurrencies): CurrencyEntries | null {
    if (balance.extra) return balance.extra;
    this.known ??= this.dictionaries();
    return this.known.get(toHex(this.open.hashes.hash(balance.extraRoot, 0))) ?? null;
  }

  /** The dictionaries of the totals before and after the block, by hash. */
  private dictionaries(): Map<string, CurrencyEntries> {
    const known = new Map<string, CurrencyEntries>();
    const add = ({ extra, extraRoot }: CurrencyCollection) => {
      if (extraRoot >= 0) known.set(toHex(this.open.hashes.hash(extraRoot, 0)), extra);
    };
    add(this.flow.fromPrevBlk);
    add(this.flow.toNextBlk);
    return known;
  }
}
