import { needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { anyOf, blockOfKind, call } from '../../match/pattern.ts';
import { TON_TRANSFER } from '../../tree/basic-blocks.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { JETTON_TRANSFER, type JettonTransfer } from '../jetton/jetton-transfer.ts';
import { assetText, commentTransfer, isTon, userCall } from './evaa-messages.ts';

const WITHDRAW = 0x00000002;
const WITHDRAW_USER = 0x00000021;
const COLLATERALIZED = 0x00000211;
const WITHDRAW_SUCCESS = 0x0000211a;
const WITHDRAW_FAIL = 0x0000211f;
const NO_FUNDS = 0x00211fe8;

/** Answers of the user's contract that refuse at once. */
const REFUSALS: Readonly<Record<number, string>> = {
  8678: 'withdraw_locked_excess',
  8679: 'withdraw_not_collateralized_excess',
  8680: 'withdraw_missing_prices_excess',
  8684: 'withdraw_execution_crashed',
};

/** Assets taken out of the protocol. */
interface Withdrawal {
  readonly owner: string | null;
  readonly recipient: string | null;
  readonly contract: string | null;
  readonly master: string | null;
  readonly asset: string | null;
  readonly amount: bigint;
  readonly assetId: bigint;
  readonly recipientWallet: string | null;
  readonly masterWallet: string | null;
  /** null if it was paid. */
  readonly failReason: string | null;
}

const WITHDRAWAL: BlockKind<Withdrawal> = {
  name: 'evaa_withdraw',
  type: 'evaa_withdraw',
  columns: (one) => ({
    source: one.owner,
    destination: one.recipient,
    destination_secondary: one.contract,
    asset: one.asset,
    amount: one.amount,
    evaa_withdraw_data: {
      is_ton: isTon(one.assetId),
      recipient_jetton_wallet: one.recipientWallet,
      master_jetton_wallet: one.masterWallet,
      fail_reason: one.failReason,
      master: one.master,
      asset_id: assetText(one.assetId),
    },
  }),
  details: (one) => ({
    recipient_jetton_wallet: one.recipientWallet,
    master_jetton_wallet: one.masterWallet,
    master: one.master,
    fail_reason: one.failReason,
    asset_id: assetText(one.assetId),
    source: one.owner,
    recipient: one.recipient,
    owner_contract: one.contract,
    asset: one.asset,
    amount: one.amount,
  }),
};

/** query asset_id:uint256 amount:uint64 recipient:MsgAddress … */
function readRequest(block: Block) {
  const body = block.body().skip(64);
  return { assetId: body.big(256), amount: body.u64(), recipient: body.address() };
}

/** query owner:MsgAddress asset_id:uint256 amount:uint64 … */
function paidAmount(collateralized: Block): bigint {
  const body = collateralized.body().skip(64);
  body.address();
  return body.skip(256).u64();
}

function getFailReason(found: Found): string | null {
  if (found.maybe('paid')) return null;
  if (found.maybe('no funds')) return 'withdraw_no_funds_excess';
  return needed(REFUSALS[found.get('refused').opcode as number], 'the reason');
}

function buildWithdrawal(block: Block, found: Found, context: Context): Block {
  const request = readRequest(block);
  const failReason = getFailReason(found);
  const paid = found.maybe('paid');
  const transfer = paid?.is(JETTON_TRANSFER) ? (paid as Block<JettonTransfer>).data : null;
  return context.merge({
    kind: WITHDRAWAL,
    parts: [block, ...found.blocks],
    failed: failReason !== null,
    data: {
      ...request,
      owner: block.source,
      contract: found.get('user').destination,
      master: block.destination,
      asset: transfer?.asset ?? null,
      amount: failReason === null ? paidAmount(found.get('collateralized')) : request.amount,
      recipientWallet: transfer?.receiverWallet ?? null,
      masterWallet: transfer?.senderWallet ?? null,
      failReason,
    },
  });
}

const paid = call(COLLATERALIZED, {
  label: 'collateralized',
  children: [
    anyOf([blockOfKind(JETTON_TRANSFER), call(WITHDRAW_SUCCESS, { child: commentTransfer })], {
      label: 'paid',
    }),
    userCall(WITHDRAW_SUCCESS, { child: blockOfKind(TON_TRANSFER) }),
  ],
});

const withoutFunds = call(COLLATERALIZED, {
  child: userCall(WITHDRAW_FAIL, { child: call(NO_FUNDS, { label: 'no funds' }) }),
});

/**
 * evaa_withdraw (v3-actions 4.6, v3-actions-rules 7): op 2 → 0x21 (after a header) → 0x211 with the payout and 0x211a.
 * It fails with 0x211 → 0x211f → 0x211fe8, or with a refusal of the user's contract.
 */
export const evaaWithdraw: readonly Matcher[] = [
  {
    name: 'evaa_withdraw',
    after: ['evaa_supply'],
    pattern: call(WITHDRAW, {
      child: userCall(WITHDRAW_USER, {
        label: 'user',
        child: anyOf([paid, withoutFunds, call(Object.keys(REFUSALS).map(Number), { label: 'refused' })]),
      }),
      build: buildWithdrawal,
    }),
  },
];
