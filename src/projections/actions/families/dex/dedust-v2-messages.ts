import { PAY_NATIVE_V2, PAYOUT_V2 } from '../../../../ton/contracts/dedust-pool.ts';
import { EXCESS_OP } from '../../../../ton/messages/excess.ts';
import type { Body } from '../../body/body.ts';
import { anyOf, type BlockPattern, blockOfKind, call, optional } from '../../match/pattern.ts';
import type { Block } from '../../tree/block.ts';
import { JETTON_TRANSFER, shownAsset } from '../jetton/jetton-transfer.ts';
import { type DexTransfer, toDexTransfer } from './exchange-kinds.ts';
import { type DexPayout, getPayout, NO_PAYOUT } from './exchange-withdrawals.ts';

const PAY_JETTON = 0xcbc33949;
const SWAP_OPERATION = 0xc442500f;

/** Money that comes into a pool: a jetton transfer, or TON with pay_native#a5a7cbf8. */
export const carrier = anyOf([blockOfKind(JETTON_TRANSFER), call(PAY_NATIVE_V2)], { label: 'carrier' });

/** TON that a pool pays. */
export const tonPayout = call(PAYOUT_V2);

/** Payment of a pool: a jetton transfer, or TON with payout#3216ca09. */
export const payout = anyOf([blockOfKind(JETTON_TRANSFER), tonPayout], { label: 'out' });

/** Excess of the block that a rule starts with. */
export const ownExcess = optional(call(EXCESS_OP));

/** The rules of DeDust V2 came with release 1.3 (v3-actions-rules 12). */
export function sinceRelease13(pattern: BlockPattern): BlockPattern {
  return {
    ...pattern,
    test: (block, context) => context.rules.release === '1.3' && pattern.test(block, context),
  };
}

export function isNative(block: Block): boolean {
  return block.opcode === PAY_NATIVE_V2 && block.kind.name === 'call_contract';
}

/**
 * Operation that money came with, at its op; null for a transfer of another purpose. pay_native#a5a7cbf8 query amount:Coins
 * ^Operation ^Config, or the payload pay_jetton#cbc33949 ^Operation ^Config.
 *
 * @throws CellError
 */
export function findOperation(block: Block): Body | null {
  if (block.is(JETTON_TRANSFER)) {
    const { payloadOp, request } = block.data;
    return payloadOp === PAY_JETTON ? request.forwardPayload!.clone().skip(32).ref() : null;
  }
  const body = (block as Block).body().skip(64);
  body.coins();
  return body.ref();
}

/** @throws CellError */
export function asksForSwap(block: Block): boolean {
  return findOperation(block)?.peekOp() === SWAP_OPERATION;
}

/** Money of a carrier. */
export function getIncoming(block: Block): DexTransfer {
  if (block.is(JETTON_TRANSFER)) {
    const transfer = toDexTransfer(block.data);
    return { ...transfer, asset: shownAsset(transfer.asset) };
  }
  const { source, destination } = block as Block;
  const amount = (block as Block).body().skip(64).coins();
  return { asset: null, source, sourceWallet: null, destination, destinationWallet: null, amount };
}

/** payout#3216ca09 query amount:Coins exit_code:int32 … */
export interface TonPayout {
  readonly amount: bigint;
  readonly exitCode: number;
}

/** null for any other block. */
export function readTonPayout(block: Block): TonPayout | null {
  if (block.opcode !== PAYOUT_V2 || block.kind.name !== 'call_contract') return null;
  const body = block.body().skip(64);
  return { amount: body.coins(), exitCode: body.int(32) };
}

/** Payout of a pool; TON as the message states it. */
export function paidOut(block: Block | undefined): DexPayout {
  if (!block) return NO_PAYOUT;
  const paid = getPayout(block);
  return { ...paid, amount: readTonPayout(block)?.amount ?? paid.amount };
}

/**
 * min_out:Coins of the last step: swap#c442500f min_out:Coins deadline:uint40 (Maybe ^Step) …, each step
 * pool min_out:Coins deadline:uint40 (Maybe ^Step).
 */
export function lastMinOut(operation: Body): bigint {
  const first = operation.skip(32);
  let least = first.coins();
  for (let step = first.skip(40).maybeRef(); step; step = step.skip(40).maybeRef()) {
    step.address();
    least = step.coins();
  }
  return least;
}
