import type { Augmentation } from '../cell/trie.ts';
import { addMoney, type Money, NO_MONEY } from '../currencies/money.ts';
import { storeCurrencies } from './store-currencies.ts';

/** CurrencyCollection, summed up. */
export function moneyExtra<V>(ofLeaf: (value: V) => Money): Augmentation<V, Money> {
  return { ofLeaf, ofFork: addMoney, ofEmpty: NO_MONEY, store: storeCurrencies };
}

export interface ImportSum {
  readonly fees: bigint;
  readonly value: Money;
}

// import_fees$_ fees_collected:Grams value_imported:CurrencyCollection = ImportFees;
export function importExtra<V>(ofLeaf: (value: V) => ImportSum): Augmentation<V, ImportSum> {
  return {
    ofLeaf,
    ofFork: (a, b) => ({ fees: a.fees + b.fees, value: addMoney(a.value, b.value) }),
    ofEmpty: { fees: 0n, value: NO_MONEY },
    store: (builder, { fees, value }) => builder.coins(fees).with(storeCurrencies, value),
  };
}

// depth_balance$_ split_depth:(#<= 30) balance:CurrencyCollection = DepthBalanceInfo;
//
// The depth is that of split_depth in StateInit, which since version 10 is a fixed prefix length and counts as 0.
export function balanceExtra<V>(ofLeaf: (value: V) => Money): Augmentation<V, Money> {
  const store: Augmentation<V, Money>['store'] = (builder, sum) =>
    builder.uint(0, 5).with(storeCurrencies, sum);
  return { ...moneyExtra(ofLeaf), store };
}

/** The lowest lt; 0 for none. */
export function lowestLtExtra<V>(ofLeaf: (value: V) => bigint): Augmentation<V, bigint> {
  return { ofLeaf, ofFork: (a, b) => (a < b ? a : b), ofEmpty: 0n, store: (builder, lt) => builder.u64(lt) };
}

export interface KeyMaxLt {
  readonly key: boolean;
  readonly maxEndLt: bigint;
}

// _ key:Bool max_end_lt:uint64 = KeyMaxLt;
export function keyMaxLtExtra<V>(ofLeaf: (value: V) => KeyMaxLt): Augmentation<V, KeyMaxLt> {
  return {
    ofLeaf,
    ofFork: (a, b) => ({ key: a.key || b.key, maxEndLt: a.maxEndLt > b.maxEndLt ? a.maxEndLt : b.maxEndLt }),
    ofEmpty: { key: false, maxEndLt: 0n },
    store: (builder, { key, maxEndLt }) => builder.bit(key).u64(maxEndLt),
  };
}

export interface FeesCreatedSum {
  readonly fees: Money;
  readonly create: Money;
}

// _ fees:CurrencyCollection create:CurrencyCollection = ShardFeeCreated;
export function feesCreatedExtra<V>(ofLeaf: (value: V) => FeesCreatedSum): Augmentation<V, FeesCreatedSum> {
  return {
    ofLeaf,
    ofFork: (a, b) => ({ fees: addMoney(a.fees, b.fees), create: addMoney(a.create, b.create) }),
    ofEmpty: { fees: NO_MONEY, create: NO_MONEY },
    store: (builder, { fees, create }) => builder.with(storeCurrencies, fees).with(storeCurrencies, create),
  };
}
