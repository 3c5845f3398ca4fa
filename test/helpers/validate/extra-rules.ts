import { addMoney, type Money, moneyText, NO_MONEY, sameMoney } from '../../../src/ton/currencies/money.ts';
import { loadDepthBalanceInfo } from '../../../src/ton/tlb/account/depth-balance-info.ts';
import { loadShardFeeCreated } from '../../../src/ton/tlb/block/shard-fees.ts';
import { loadCurrencyCollection } from '../../../src/ton/tlb/currency-collection.ts';
import { loadImportFees } from '../../../src/ton/tlb/message/import-fees.ts';
import type { ExtraRules } from './walk-augmented.ts';

/** CurrencyCollection: the sum. */
export const MONEY: ExtraRules<Money> = {
  load: loadCurrencyCollection,
  fork: addMoney,
  empty: NO_MONEY,
  same: sameMoney,
  text: moneyText,
};

export interface Imported {
  readonly fees: bigint;
  readonly value: Money;
}

/** ImportFees: both sums. */
export const IMPORTED: ExtraRules<Imported> = {
  load: (slice) => {
    const { feesCollected, valueImported } = loadImportFees(slice);
    return { fees: feesCollected, value: valueImported };
  },
  fork: (a, b) => ({ fees: a.fees + b.fees, value: addMoney(a.value, b.value) }),
  empty: { fees: 0n, value: NO_MONEY },
  same: (a, b) => a.fees === b.fees && sameMoney(a.value, b.value),
  text: ({ fees, value }) => `fees ${fees}, value ${moneyText(value)}`,
};

export interface DepthBalance {
  readonly depth: number;
  readonly balance: Money;
}

/** DepthBalanceInfo: the deepest and the sum. */
export const DEPTH_BALANCE: ExtraRules<DepthBalance> = {
  load: (slice) => {
    const { splitDepth, balance } = loadDepthBalanceInfo(slice);
    return { depth: splitDepth, balance };
  },
  fork: (a, b) => ({ depth: Math.max(a.depth, b.depth), balance: addMoney(a.balance, b.balance) }),
  empty: { depth: 0, balance: NO_MONEY },
  same: (a, b) => a.depth === b.depth && sameMoney(a.balance, b.balance),
  text: ({ depth, balance }) => `depth ${depth}, balance ${moneyText(balance)}`,
};

/** The lowest lt of a queue. */
export const LOWEST_LT: ExtraRules<bigint> = {
  load: (slice) => slice.u64(),
  fork: (a, b) => (a < b ? a : b),
  empty: 0n,
  same: (a, b) => a === b,
  text: String,
};

export interface KeyMaxLt {
  readonly key: boolean;
  readonly maxEndLt: bigint;
}

// _ key:Bool max_end_lt:uint64 = KeyMaxLt;
export const KEY_MAX_LT: ExtraRules<KeyMaxLt> = {
  load: (slice) => ({ key: slice.bit(), maxEndLt: slice.u64() }),
  fork: (a, b) => ({ key: a.key || b.key, maxEndLt: a.maxEndLt > b.maxEndLt ? a.maxEndLt : b.maxEndLt }),
  empty: { key: false, maxEndLt: 0n },
  same: (a, b) => a.key === b.key && a.maxEndLt === b.maxEndLt,
  text: ({ key, maxEndLt }) => `key ${key}, max_end_lt ${maxEndLt}`,
};

export interface FeesCreated {
  readonly fees: Money;
  readonly create: Money;
}

/** ShardFeeCreated: both sums. */
export const FEES_CREATED: ExtraRules<FeesCreated> = {
  load: loadShardFeeCreated,
  fork: (a, b) => ({ fees: addMoney(a.fees, b.fees), create: addMoney(a.create, b.create) }),
  empty: { fees: NO_MONEY, create: NO_MONEY },
  same: (a, b) => sameMoney(a.fees, b.fees) && sameMoney(a.create, b.create),
  text: ({ fees, create }) => `fees ${moneyText(fees)}, created ${moneyText(create)}`,
};
