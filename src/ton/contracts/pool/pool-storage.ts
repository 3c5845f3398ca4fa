import { onlyRoot, parseBoc } from '../../boc/boc.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { rawText } from '../custody/custody-state.ts';
import { readDictionary } from '../read-accounts.ts';

/** Coins of a nominator, nanotons. */
export interface PoolEntry {
  /** Coins that are staked, or can be. */
  readonly active: bigint;
  /** A deposit that counts from the next round on. */
  readonly pending: bigint;
}

/** Storage of a nominator pool (v3-more.md 5.1), as to its parties. Addresses are raw; nominators in their order. */
export interface PoolStorage {
  /** 0 not validating, 1 stake sent, 2 stake accepted. */
  readonly state: number;
  readonly stakeSent: bigint;
  readonly validatorAmount: bigint;
  readonly validator: string;
  /** Parts of 10000. */
  readonly rewardShare: number;
  readonly nominators: ReadonlyMap<string, PoolEntry>;
  /** Nominators who wait for their coins. */
  readonly withdrawals: ReadonlySet<string>;
  /** The round that the stake was sent for; 0 for none. */
  readonly stakeAt: number;
}

/**
 * Reads the bag of a pool's complete data cell. nominator-pool.ts has its layout, which continues:
 *
 *     … withdraw_requests:(HashmapE 256 True) stake_at:uint32 …
 *
 * @throws CellError, BocError
 */
export function readPoolStorage(bag: Uint8Array): PoolStorage {
  const boc = parseBoc(bag);
  const slice = new CellSlice(boc, onlyRoot(boc));
  const state = slice.uint(8);
  slice.skipBits(16);
  const [stakeSent, validatorAmount] = [slice.coins(), slice.coins()];
  const config = new CellSlice(boc, slice.ref());
  const nominators = new Map<string, PoolEntry>();
  readDictionary(boc, slice.maybeRef(), 256, (key, value) =>
    nominators.set(nominatorName(key), { active: value.coins(), pending: value.coins() }),
  );
  const withdrawals = new Set<string>();
  readDictionary(boc, slice.maybeRef(), 256, (key) => withdrawals.add(nominatorName(key)));
  return {
    state,
    stakeSent,
    validatorAmount,
    validator: rawText({ workchain: -1, address: config.bytes(32) }),
    rewardShare: config.uint(16),
    nominators,
    withdrawals,
    stakeAt: slice.uint(32),
  };
}

/** The raw address of a key: nominators are in the basechain. */
export function nominatorName(key: Uint8Array): string {
  return rawText({ workchain: 0, address: key });
}

/** Active and pending coins together; 0n for no entry. */
export function getTotal(entry: PoolEntry | undefined): bigint {
  return entry ? entry.active + entry.pending : 0n;
}
