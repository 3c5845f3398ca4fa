import { formatRaw } from '../../../../ton/address/address.ts';
import type { Body } from '../../body/body.ts';
import { Refusal } from '../../body/refusal.ts';
import { anyOf, blockOfKind, call } from '../../match/pattern.ts';
import { JETTON_TRANSFER } from '../jetton/jetton-transfer.ts';

export const DEPLOY = 0xc0ffee22;
export const DEPOSITED = 0xc0ffee33;
const PAYOUT_INTERNAL = 0xc0ffee21;
export const PAYOUT = 0xc0ffee32;
export const NOTIFICATION = 0xc0ffee36;

/**
 * native$00, jetton$01 workchain:int8 address:bits256, extra$10: a jetton master, or null for TON.
 *
 * @throws Refusal: an extra currency
 */
export function readAsset(body: Body): string | null {
  const kind = body.uint(2);
  if (kind === 0) return null;
  if (kind === 1) return formatRaw(body.int(8), body.bytes(32));
  throw new Refusal('an asset that is neither TON nor a jetton');
}

/** Two assets of a pool, in its order. */
export type PoolAssets = readonly [string | null, string | null];

/** first:Asset second:Asset kind:uint3 settings:(Maybe ^Cell) */
export function readPoolParameters(body: Body): PoolAssets {
  const assets: PoolAssets = [readAsset(body), readAsset(body)];
  body.skip(3).maybeRef();
  return assets;
}

/** payout#c0ffee21 query recipient:MsgAddress amount:Coins … */
export function readPayout(body: Body) {
  body.skip(64);
  return { recipient: body.address(), amount: body.coins() };
}

/** log query amount1:Coins amount2:Coins lp:Coins: of a deposit and of a withdrawal */
export function readLiquidity(body: Body) {
  body.skip(64);
  return { amount1: body.coins(), amount2: body.coins(), lpTokens: body.coins() };
}

/** A payment that a vault is ordered to make, and its path to the receiver. */
export const payout = call(PAYOUT_INTERNAL, {
  label: 'paid',
  child: anyOf([blockOfKind(JETTON_TRANSFER), call([PAYOUT, NOTIFICATION])], { label: 'out' }),
});
