import { formatRaw } from '../address/address.ts';
import { BocError } from '../boc/boc-error.ts';
import { CellError } from '../boc/cell-error.ts';
import type { CellSlice } from '../boc/cell-slice.ts';
import { openBag } from '../boc/open-bag.ts';
import { JETTON_TRANSFER_OP } from '../messages/jetton-transfer.ts';

/** Logs in which dedust pools, v1 and v2, report a swap. */
export const SWAP_LOG = 0x9c610de3;
export const SWAP_LOG_V2 = 0x78e79ba4;
/** Ops by which a v2 pool pays TON: to the receiver, or to the next pool. */
export const PAYOUT_V2 = 0x3216ca09;
export const PAY_NATIVE_V2 = 0xa5a7cbf8;

/** Opcodes of a pool's messages that identify its assets. */
export const TELLING_OPS: readonly number[] = [
  SWAP_LOG,
  SWAP_LOG_V2,
  JETTON_TRANSFER_OP,
  PAYOUT_V2,
  PAY_NATIVE_V2,
];

/** A pool's first messages, among which its first swaps are looked for. */
export const FIRST_MESSAGES = 256;

/** A message that a pool has sent, of `TELLING_OPS`. */
export interface PoolMessage {
  /** Masterchain step and logical time of its transaction. */
  readonly step: number;
  readonly txLt: bigint;
  readonly opcode: number;
  /** Raw address; null for a log. */
  readonly destination: string | null;
  /** Body of a log, a bag. */
  readonly body: Uint8Array;
}

/** Jetton masters in the pool's own order, null for TON. */
export type PoolAssets = readonly [string | null, string | null];

/** Assets of a pool that its messages identify from a step on, or its own wallets of them (null for TON). */
export type DetectedPool = { readonly step: number } & (
  | { readonly assets: PoolAssets }
  | { readonly wallets: readonly [string | null, string | null] }
);

/** native$0000 = Asset; jetton$0001 workchain_id:int8 address:uint256 = Asset; null for TON. @throws CellError */
export function loadAsset(slice: CellSlice): string | null {
  if (slice.uint(4) === 0) return null;
  const workchain = slice.int(8);
  return formatRaw(workchain, slice.bytes(32));
}

/**
 * Assets of a v1 pool by its log of a swap, a bag: swap#9c610de3 asset_in asset_out …; null for a log of another contract that
 * begins the same.
 */
export function assetsOfSwap(log: Uint8Array): PoolAssets | null {
  return readLog(log, (slice) => [loadAsset(slice), loadAsset(slice)]);
}

function readLog<T>(log: Uint8Array, read: (slice: CellSlice) => T): T | null {
  try {
    const slice = openBag(log);
    slice.skipBits(32);
    return read(slice);
  } catch (error) {
    if (error instanceof CellError || error instanceof BocError) return null;
    throw error;
  }
}

/**
 * Identifies a pool's assets from its messages, oldest first; null if they are not enough. Logs of v2 pools contain
 * only the direction (swap#78e79ba4 x_to_y:Bool …): the asset paid in the same transaction is y, or x.
 */
export function detectPool(messages: readonly PoolMessage[]): DetectedPool | null {
  const payments = Map.groupBy(
    messages.filter(({ destination }) => destination !== null),
    ({ txLt }) => txLt,
  );
  const paid: [x: string | null | undefined, y: string | null | undefined] = [undefined, undefined];
  for (const { opcode, destination, body, step, txLt } of messages) {
    if (destination !== null) continue;
    const assets = opcode === SWAP_LOG ? assetsOfSwap(body) : null;
    if (assets) return { step, assets };
    const isXToY = opcode === SWAP_LOG_V2 ? readLog(body, (slice) => slice.bit()) : null;
    const [payment, ...others] = payments.get(txLt) ?? [];
    if (isXToY === null || !payment || others.length > 0) continue;
    const side = isXToY ? 1 : 0;
    if (paid[side] === undefined)
      paid[side] = payment.opcode === JETTON_TRANSFER_OP ? payment.destination : null;
    const [x, y] = paid;
    if (x !== undefined && y !== undefined) return { step, wallets: [x, y] };
  }
  return null;
}
