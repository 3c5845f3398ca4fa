import { onlyRoot, parseBoc } from '../../../ton/boc/boc.ts';
import type { CellSlice } from '../../../ton/boc/cell-slice.ts';
import { forEachLeaf } from '../../../ton/boc/hashmap.ts';
import { openBag } from '../../../ton/boc/open-bag.ts';
import { numberKey } from '../../../ton/cell/key-bits.ts';
import { writeBag } from '../../../ton/cell/write-bag.ts';
import type { ChainConfig } from '../../ledger/chain-config.ts';

/** Price of a second of storage in the basechain, in 1 / 65,536 nanotons. */
export interface StoragePrices {
  /** Unix time from which on these are the prices. */
  readonly since: number;
  readonly bit: bigint;
  readonly cell: bigint;
}

/** Gas prices of the basechain. */
export interface GasPrices {
  /** Up to so much gas costs `flatPrice`. */
  readonly flatLimit: bigint;
  readonly flatPrice: bigint;
  /** Price of one gas beyond it, in 1 / 65,536 nanotons. */
  readonly price: bigint;
}

/** Prices of a message between accounts of the basechain. */
export interface ForwardPrices {
  readonly lump: bigint;
  /** In 1 / 65,536 nanotons. */
  readonly bit: bigint;
  readonly cell: bigint;
  /** The part, in 1 / 65,536, that the sender's shard keeps. */
  readonly firstPart: bigint;
}

/** Prices and limits of transactions that need no TVM. */
export interface DirectTerms {
  readonly now: number;
  readonly storage: StoragePrices;
  readonly gas: GasPrices;
  readonly forward: ForwardPrices;
}

/** The terms of a configuration; null if a parameter is missing or has another form. */
export function directTerms(config: ChainConfig, now: number): DirectTerms | null {
  const [storage, gas, forward] = [storagePrices(config), gasPrices(config), forwardPrices(config)];
  return storage && gas && forward && { now, storage, gas, forward };
}

function param({ dict }: ChainConfig, number: number): CellSlice | null {
  const cell = dict.get(numberKey(number, 32));
  if (!cell) return null;
  return openBag(writeBag(cell));
}

// storage_prices#cc utime_since:uint32 bit_price_ps:uint64 cell_price_ps:uint64
//   mc_bit_price_ps:uint64 mc_cell_price_ps:uint64 = StoragePrices;
// _ (Hashmap 32 StoragePrices) = ConfigParam 18;     the newest are the last
function storagePrices(config: ChainConfig): StoragePrices | null {
  const cell = config.dict.get(numberKey(18, 32));
  if (!cell) return null;
  const boc = parseBoc(writeBag(cell));
  let newest: StoragePrices | null = null;
  forEachLeaf(boc, onlyRoot(boc), 32, (_key, slice) => {
    slice.skipBits(8);
    newest = { since: slice.uint(32), bit: slice.bigUint(64), cell: slice.bigUint(64) };
    slice.skipBits(2 * 64);
  });
  return newest;
}

// gas_flat_pfx#d1 flat_gas_limit:uint64 flat_gas_price:uint64 other:GasLimitsPrices = GasLimitsPrices;
// gas_prices_ext#de gas_price:uint64 … = GasLimitsPrices;     ConfigParam 21
function gasPrices(config: ChainConfig): GasPrices | null {
  const slice = param(config, 21);
  if (slice?.uint(8) !== 0xd1) return null;
  const flat = { flatLimit: slice.bigUint(64), flatPrice: slice.bigUint(64) };
  return slice.uint(8) === 0xde ? { ...flat, price: slice.bigUint(64) } : null;
}

// msg_forward_prices#ea lump_price:uint64 bit_price:uint64 cell_price:uint64 ihr_price_factor:uint32
//   first_frac:uint16 next_frac:uint16 = MsgForwardPrices;     ConfigParam 25
function forwardPrices(config: ChainConfig): ForwardPrices | null {
  const slice = param(config, 25);
  if (slice?.uint(8) !== 0xea) return null;
  const [lump, bit, cell] = [slice.bigUint(64), slice.bigUint(64), slice.bigUint(64)];
  slice.skipBits(32);
  return { lump, bit, cell, firstPart: slice.bigUint(16) };
}
