import type { Body } from '../../body/body.ts';
import type { Block } from '../../tree/block.ts';

export const SWAP_V2 = 0x6664de2a;
export const PAY_V2 = 0x657b54f5;
/** Proxy-TON that arrives at the router's wallet. */
export const TON_TRANSFER_OP = 0x01f3835d;
const CROSS_SWAP = 0x69cf1a5b;

/** swap#6664de2a to the pool: the fields of the user's intent. */
export interface SwapV2 {
  /** Wallet of the router for the token wanted of this pool. */
  readonly tokenWallet: string | null;
  /** Wallet wanted at the end of the whole chain. */
  readonly lastWallet: string | null;
  readonly minOut: bigint;
}

/**
 * query user left:Coins right:Coins ^(op:uint32 token_wallet refund excess deadline:uint64 ^(min_out:Coins receiver
 * fwd_gas:Coins custom_payload:(Maybe ^Cell) …))
 *
 * @throws CellError
 */
export function readSwapV2(block: Block): SwapV2 {
  const body = block.body().skip(64);
  body.address();
  body.coins();
  body.coins();
  const wish = body.ref().skip(32);
  const tokenWallet = wish.address();
  wish.address();
  wish.address();
  const terms = wish.skip(64).ref();
  const minOut = terms.coins();
  terms.address();
  terms.coins();
  return { tokenWallet, minOut, lastWallet: findLastWallet(tokenWallet, terms.maybeRef()) };
}

/**
 * Follows custom payloads to further swaps: op token_wallet … ^(min_out:Coins receiver fwd_gas:Coins next:(Maybe ^Cell) …).
 * The written rules leave the receiver out; recorded chains are read to their last bit with it.
 */
function findLastWallet(first: string | null, payload: Body | null): string | null {
  let wallet = first;
  for (let next = payload; next; ) {
    const op = next.peekOp();
    if (op !== SWAP_V2 && op !== CROSS_SWAP) break;
    wallet = next.skip(32).address();
    const terms: Body = next.ref();
    terms.coins();
    terms.address();
    terms.coins();
    next = terms.maybeRef();
  }
  return wallet;
}

/** pay_to#657b54f5 from the pool: how a step ended, and the larger of the two sums. */
export interface PayV2 {
  readonly exitCode: number;
  readonly amount: bigint;
  readonly wallet: string | null;
}

/**
 * query to excess caller exit_code:uint32 custom_payload:(Maybe ^Cell) ^(fwd:Coins amount0:Coins token0 amount1:Coins token1)
 *
 * @throws CellError
 */
export function readPayV2(block: Block): PayV2 {
  const body = block.body().skip(64);
  for (let address = 0; address < 3; address++) body.address();
  const exitCode = body.uint(32);
  body.maybeRef();
  const sums = body.ref();
  sums.coins();
  const first = { amount: sums.coins(), wallet: sums.address() };
  const second = { amount: sums.coins(), wallet: sums.address() };
  return { exitCode, ...(first.amount >= second.amount ? first : second) };
}

/** ton_transfer#01f3835d query ton_amount:Coins refund payload: proxy-TON, which carries TON itself. */
export interface TonArrival {
  readonly amount: bigint;
  /** Op of what is to be done with it. */
  readonly payloadOp: number | null;
}

/** @throws CellError */
export function readTonArrival(block: Block): TonArrival {
  const body = block.body().skip(64);
  const amount = body.coins();
  body.address();
  const payload = body.bitsLeft > 0 && body.bit() ? body.ref() : body;
  return { amount, payloadOp: payload.peekOp() };
}
