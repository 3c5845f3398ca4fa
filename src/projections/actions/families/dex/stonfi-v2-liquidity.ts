import {
  INTERNAL_TRANSFER_OP,
  loadInternalTransfer,
} from '../../../../ton/messages/jetton-internal-transfer.ts';
import { JETTON_NOTIFICATION_OP } from '../../../../ton/messages/jetton-notification.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { anyOf, blockOfKind, call, optional, type Pattern } from '../../match/pattern.ts';
import type { Block } from '../../tree/block.ts';
import { JETTON_BURN, type JettonBurn } from '../jetton/jetton-supply.ts';
import { JETTON_TRANSFER, type JettonTransfer, shownAsset } from '../jetton/jetton-transfer.ts';
import { type DexDeposit, type DexShare, depositKind, NO_SHARE } from './exchange-kinds.ts';
import { type DexPayout, getPayout, NO_PAYOUT, withdrawalKind } from './exchange-withdrawals.ts';
import { arrivesAtRouter } from './stonfi-v2.ts';
import { PAY_V2, readTonArrival, TON_TRANSFER_OP } from './stonfi-v2-messages.ts';

const PROVIDE = 0x37c096df;
const ADD_LIQUIDITY = 0x50c6a654;
const ADDED = 0x06ecd527;
const LP_BURNT = 0x297437cf;
const REFUND_ME = 0x132b9a2c;
const REFUNDED = 0x0f98e2b8;

const DEPOSIT = depositKind('dex_deposit_liquidity');
const WITHDRAWAL = withdrawalKind('dex_withdraw_liquidity');

const NO_TARGET = { asset: null, amount: null };

/** provide_lp#37c096df query user amount1:Coins amount2:Coins: whose deposit it is; one of the amounts is zero */
function readProvided(block: Block) {
  const body = block.body().skip(64);
  return { user: body.address(), amount: body.coins() || body.coins() };
}

/** Asset that was sent, its wallet, and the block by which it came to the router. */
function getArrival(found: Found) {
  const transfer = found.maybe('incoming') as Block<JettonTransfer> | null;
  if (!transfer) {
    return { block: found.get('arrival'), asset: null, wallet: null };
  }
  const { senderWallet, asset } = transfer.data;
  return { block: transfer as Block, asset: shownAsset(asset), wallet: senderWallet };
}

function getMinted(found: Found): bigint | null {
  const minted = found.maybe('minted');
  return minted && loadInternalTransfer(minted.body().slice).amount;
}

function toDeposit(sender: string | null, pool: string | null, share: DexShare): DexDeposit {
  return {
    dex: 'stonfi_v2',
    sender,
    pool,
    depositContract: null,
    first: share,
    second: NO_SHARE,
    targets: [NO_TARGET, NO_TARGET],
    lpTokens: null,
    excesses: [],
  };
}

/** The other asset of the same deposit, sent by the user separately. */
function otherHalf(own: DexDeposit, arrival: Block): Block<DexDeposit> | null {
  for (const block of arrival.previous?.children ?? []) {
    if (!block.is(DEPOSIT)) continue;
    const { sender, pool, lpTokens } = block.data;
    if (sender === own.sender && pool === own.pool && lpTokens !== own.lpTokens) return block;
  }
  return null;
}

function buildDeposit(block: Block, found: Found, context: Context): Block {
  const { block: arrival, asset, wallet } = getArrival(found);
  const { user, amount } = readProvided(block);
  const share = { asset, amount, wallet };
  const own = { ...toDeposit(user, block.destination, share), lpTokens: getMinted(found) };
  const failed = found.maybe('refund') !== null;
  const parts = [block, ...found.blocks];
  const other = otherHalf(own, arrival);
  if (!other) return context.merge({ kind: DEPOSIT, parts, failed, data: own });
  const { first, lpTokens } = other.data;
  return context.merge({
    kind: DEPOSIT,
    parts: [...parts, other as Block],
    siblings: true,
    failed: failed || other.failed,
    data: { ...own, second: first, lpTokens: own.lpTokens ?? lpTokens },
  });
}

/** Payout of one payment of the pool to the user; TON as in the message after the router's wallet. */
function paidBy(pay: Block, found: Found): DexPayout {
  const transfer = found.all('payout').find(({ previous }) => previous === pay);
  if (!transfer) return NO_PAYOUT;
  const left = found.all('left').find(({ previous }) => previous === transfer);
  const paid = getPayout(transfer);
  return left ? { ...paid, amount: readTonArrival(left).amount } : paid;
}

/** The owner of the liquidity: whoever burnt the pool's tokens, or requests an unused deposit. */
function getOwner(found: Found) {
  const burn = found.maybe('burn') as Block<JettonBurn> | null;
  if (!burn)
    return { source: found.get('asked').source, lpWallet: null, lpJetton: null, lpTokensBurnt: null };
  const { owner, wallet, asset, amount } = burn.data;
  return { source: owner, lpWallet: wallet, lpJetton: asset, lpTokensBurnt: amount };
}

function buildWithdrawal(block: Block, found: Found, context: Context): Block {
  const [second] = found.all('pay').filter((pay) => pay !== block);
  return context.merge({
    kind: WITHDRAWAL,
    parts: [block, ...found.blocks],
    data: {
      ...getOwner(found),
      dex: 'stonfi_v2',
      pool: block.source,
      first: paidBy(block, found),
      second: second ? paidBy(second, found) : NO_PAYOUT,
      isRefund: found.maybe('burn') === null,
    },
  });
}

/** As a swap's money comes, or with a notification of its own below the transfer. */
const arrives: Pattern = anyOf([
  arrivesAtRouter,
  call(JETTON_NOTIFICATION_OP, {
    parent: call(INTERNAL_TRANSFER_OP, { parent: blockOfKind(JETTON_TRANSFER, { label: 'incoming' }) }),
  }),
]);

const payout = blockOfKind(JETTON_TRANSFER, {
  label: 'payout',
  child: optional(call(TON_TRANSFER_OP, { label: 'left' })),
});
/** Every payment of the pool, the one that is offered too. */
const payments = call(PAY_V2, { label: 'pay', child: payout });

/**
 * stonfi_v2 provide: money at the router → 0x37c096df → 0x50c6a654 → 0x06ecd527 → 0x178d4519 (minted) or 0x50c6a654 again
 * (given back: failed). Two halves under one block, of one sender and pool, become one deposit.
 * stonfi_v2 withdraw: jetton_burn → 0x297437cf, or 0x132b9a2c → 0x0f98e2b8 for an unused deposit, then one or two
 * 0x657b54f5 → jetton_transfer.
 */
export const stonfiV2Liquidity: readonly Matcher[] = [
  {
    name: 'stonfi_v2_provide',
    after: ['jetton_mint'],
    pattern: call(PROVIDE, {
      parent: arrives,
      child: call(ADD_LIQUIDITY, {
        child: optional(
          call(ADDED, {
            child: anyOf([
              call(INTERNAL_TRANSFER_OP, { label: 'minted' }),
              call(ADD_LIQUIDITY, { label: 'refund' }),
            ]),
          }),
        ),
      }),
      build: buildDeposit,
    }),
  },
  {
    name: 'stonfi_v2_withdraw',
    after: ['stonfi_v2_provide'],
    pattern: call(PAY_V2, {
      child: payout,
      parent: anyOf([
        call(LP_BURNT, { child: payments, parent: blockOfKind(JETTON_BURN, { label: 'burn' }) }),
        call(REFUNDED, { child: payments, parent: call(REFUND_ME, { label: 'asked' }) }),
      ]),
      build: buildWithdrawal,
    }),
  },
];
