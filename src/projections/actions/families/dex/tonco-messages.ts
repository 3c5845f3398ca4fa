import type { Body } from '../../body/body.ts';
import type { Block } from '../../tree/block.ts';

export const TONCO_SWAP = 0xa7fb58f8;
export const TONCO_PAY = 0xa1daa96d;
export const FUND_ACCOUNT = 0x4468de77;

/** A sum in the asset of one of the router's wallets. */
export interface WalletSum {
  readonly amount: bigint;
  readonly wallet: string | null;
}

/** pay_to#a1daa96d from the pool. */
export interface ToncoPay {
  readonly exitCode: number;
  /** Whom each sum is for. */
  readonly receivers: readonly [string | null, string | null];
  /** null if the message has no sums. */
  readonly sums: readonly [WalletSum, WalletSum] | null;
}

/** query receiver0 receiver1 exit_code:uint32 seqno:uint64 (Maybe ^(amount0:Coins wallet0 amount1:Coins wallet1)) … */
export function readToncoPay(block: Block): ToncoPay {
  const body = block.body().skip(64);
  const receivers = [body.address(), body.address()] as const;
  const exitCode = body.uint(32);
  const sums = body.skip(64).maybeRef();
  if (!sums) return { exitCode, receivers, sums: null };
  const first = { amount: sums.coins(), wallet: sums.address() };
  return { exitCode, receivers, sums: [first, { amount: sums.coins(), wallet: sums.address() }] };
}

/** Last step of the payload a7fb58f8: wallet limit:uint160 min_out:Coins recipient next:(Maybe ^Payload) */
export function lastWish(payload: Body): WalletSum {
  let last: WalletSum = { amount: 0n, wallet: null };
  for (let step: Body | null = payload; step && step.peekOp() === TONCO_SWAP; ) {
    const body: Body = step.skip(32);
    const wallet = body.address();
    last = { wallet, amount: body.skip(160).coins() };
    body.address();
    step = body.maybeRef();
  }
  return last;
}

/** add_liquidity#3ebe5431 from the pool to the user's account. */
export interface AddLiquidity {
  readonly isFirst: boolean;
  readonly enough: readonly [bigint, bigint];
  readonly tickLower: number;
  readonly tickUpper: number;
}

/** query new0:Coins new1:Coins enough0:Coins enough1:Coins liquidity:uint128 lower:int24 upper:int24 */
export function readAddLiquidity(block: Block): AddLiquidity {
  const body = block.body().skip(64);
  const isFirst = body.coins() > 0n;
  body.coins();
  const enough = [body.coins(), body.coins()] as const;
  body.skip(128);
  return { isFirst, enough, tickLower: body.int(24), tickUpper: body.int(24) };
}

/** A position as an item: init#d5ecca2a query user liquidity:uint128 lower upper:int24 ^(256 256 index:uint64 …) */
export function readPosition(block: Block): { readonly liquidity: bigint; readonly index: bigint } {
  const body = block.body().skip(64);
  body.address();
  const liquidity = body.big(128);
  return { liquidity, index: body.ref().skip(256).skip(256).u64() };
}
