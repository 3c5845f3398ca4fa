import { loadAsset } from '../../../../ton/contracts/dedust-pool.ts';
import type { Body } from '../../body/body.ts';
import type { Block } from '../../tree/block.ts';

export const NATIVE_SWAP = 0xea06185d;
export const SWAP_PAYLOAD = 0xe3a0d482;
export const SWAP_EXTERNAL = 0x61ee542d;
export const SWAP_PEER = 0x72aca8aa;
export const PAY_FROM_POOL = 0xad4eb6f5;
export const PAYOUT = 0x474f86cf;

/** Asset of dedust; null for TON. */
export const readAsset = ({ slice }: Body): string | null => loadAsset(slice);

/** Swap of a pool, by its log. */
export interface SwapLog {
  readonly assetIn: string | null;
  readonly assetOut: string | null;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
}

/** swap#9c610de3 asset_in asset_out amount_in:Coins amount_out:Coins ^(…) */
export function readSwapLog(body: Body): SwapLog {
  return {
    assetIn: readAsset(body),
    assetOut: readAsset(body),
    amountIn: body.coins(),
    amountOut: body.coins(),
  };
}

/** Pools of a route: step pool kind:Bool limit:Coins next:(Maybe ^Step) */
export function readRoute(body: Body): string[] {
  const pools: string[] = [];
  for (let step: Body | null = body; step; step = step.maybeRef()) {
    const pool = step.address();
    step.skip(1).coins();
    if (pool !== null) pools.push(pool);
  }
  return pools;
}

/** pay_out_from_pool#ad4eb6f5, payout#474f86cf: query ^proof amount:Coins */
export function readPaid(block: Block): bigint {
  const body = block.body().skip(64);
  body.ref();
  return body.coins();
}
