import { BURN_NOTIFICATION_OP, JETTON_BURN_OP } from '../../../../ton/messages/jetton-burn.ts';
import {
  INTERNAL_TRANSFER_OP,
  loadInternalTransfer,
} from '../../../../ton/messages/jetton-internal-transfer.ts';
import { JETTON_NOTIFICATION_OP } from '../../../../ton/messages/jetton-notification.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { anyOf, call, optional } from '../../match/pattern.ts';
import type { Block } from '../../tree/block.ts';
import { depositKind, requestKind, type StakeWithdrawal, withdrawalKind } from './staking-kinds.ts';

/** Ops of ton-blockchain/liquid-staking-contract. */
const DEPOSIT = 0x47d54391;
const MINT = 0x1674b0a0;
const WITHDRAW = 0x319b0cdc;
const WITHDRAWAL = 0x0a77535c;
const NFT_INIT = 0x132f9a45;
const NFT_BURN = 0xf127fe4e;
const NFT_BURN_NOTIFICATION = 0xed58b0b2;
const NFT_PAYOUT = 0xdb3b8abd;
const START_DISTRIBUTION = 0x1140a64f;
const DISTRIBUTION: ReadonlySet<number | null> = new Set([NFT_BURN, NFT_BURN_NOTIFICATION, NFT_PAYOUT]);

/** Part of a deposit that the pool keeps for its fees, nanotons. */
const DEPOSIT_FEE = 1_000_000_000n;

const STAKE_DEPOSIT = depositKind('tonstakers_deposit');
const REQUEST = requestKind('tonstakers_withdraw_request');
const WITHDRAWAL_KIND = withdrawalKind('tonstakers_withdraw');

function buildDeposit(block: Block, found: Found, context: Context): Block {
  const minted = found.get('minted');
  return context.merge({
    kind: STAKE_DEPOSIT,
    parts: [block, ...found.blocks],
    failed: block.aborted,
    data: {
      provider: 'liquid_staking',
      holder: block.source,
      wallet: null,
      pool: block.destination,
      asset: minted.source,
      amount: block.value - DEPOSIT_FEE,
      tokensMinted: block.aborted ? null : loadInternalTransfer(minted.body().slice).amount,
      sourceAsset: null,
    },
  });
}

/** The item that represents a later payout; it stays a separate action. */
function payoutNftBelow(mint: Block): string | null {
  const item = mint.children.find(
    ({ kind, opcode }) => kind.name === 'nft_mint' || (kind.name === 'call_contract' && opcode === NFT_INIT),
  );
  return item?.destination ?? null;
}

/** burn#595f07bc query amount:Coins … */
function buildWithdrawal(block: Block, found: Found, context: Context): Block {
  const request = found.get('request');
  const tokens = block.body().skip(64).coins();
  const common = {
    provider: 'liquid_staking' as const,
    holder: block.source,
    wallet: block.destination,
    pool: request.destination,
    asset: request.source,
  };
  const parts = [block, ...found.blocks];
  const paid = found.maybe('paid');
  if (paid) {
    const amount = paid.value - request.value;
    const data = { ...common, amount, payoutNft: null, tokensBurnt: tokens };
    return context.merge({ kind: WITHDRAWAL_KIND, parts, failed: block.aborted, data });
  }
  const payoutNft = payoutNftBelow(found.get('delayed'));
  const data = { ...common, amount: tokens, payoutNft, tokensMinted: null };
  return context.merge({ kind: REQUEST, parts, failed: block.aborted || payoutNft === null, data });
}

/** Payouts of a round form a chain: the message that started it, or the payout before, identifies the pool. */
function distributingPool(start: Block | null): string | null {
  for (let block = start; block; block = block.previous) {
    if (block.is(WITHDRAWAL_KIND)) return (block.data as StakeWithdrawal).pool;
    if (block.opcode === START_DISTRIBUTION) return block.source;
    if (!DISTRIBUTION.has(block.opcode)) return null;
  }
  return null;
}

/** burn_notification#ed58b0b2 query amount:Coins owner:MsgAddress */
function buildDelayed(block: Block, found: Found, context: Context): Block {
  const [notified, burnt] = [found.get('notified'), found.get('burnt')];
  const body = notified.body().skip(64);
  const [tokensBurnt, holder] = [body.coins(), body.address()];
  return context.merge({
    kind: WITHDRAWAL_KIND,
    parts: [block, notified, burnt],
    data: {
      provider: 'liquid_staking',
      holder,
      pool: distributingPool(burnt.previous),
      asset: null,
      amount: block.value,
      payoutNft: notified.source,
      tokensBurnt,
    },
  });
}

const internalTransfer = call(INTERNAL_TRANSFER_OP, {
  label: 'minted',
  child: optional(call(JETTON_NOTIFICATION_OP)),
});

/**
 * Liquid staking: pools that give tokens for TON (v3-actions 3, v3-actions-rules 4.2).
 *
 * Deposit: 0x47d54391 (→ 0x1674b0a0) → 0x178d4519. Withdrawal: 0x595f07bc → 0x7bdd97de → 0x319b0cdc → 0x0a77535c (paid
 * at once) or 0x1674b0a0 (an item represents the payout). Delayed payout: 0xf127fe4e → 0xed58b0b2 → 0xdb3b8abd.
 */
export const liquidStaking: readonly Matcher[] = [
  {
    name: 'liquid_staking_delayed',
    after: ['nft_mint'],
    before: ['jetton_transfer'],
    pattern: call(NFT_PAYOUT, {
      excesses: 'leave',
      parent: call(NFT_BURN_NOTIFICATION, {
        label: 'notified',
        parent: call(NFT_BURN, { label: 'burnt', excesses: 'leave' }),
        excesses: 'leave',
      }),
      build: buildDelayed,
    }),
  },
  {
    name: 'liquid_staking_deposit',
    after: ['liquid_staking_delayed'],
    before: ['jetton_transfer'],
    pattern: call(DEPOSIT, {
      child: anyOf([call(MINT, { child: internalTransfer }), internalTransfer]),
      build: buildDeposit,
    }),
  },
  {
    name: 'liquid_staking_withdrawal',
    after: ['liquid_staking_deposit'],
    before: ['jetton_transfer', 'jetton_burn'],
    pattern: call(JETTON_BURN_OP, {
      child: call(BURN_NOTIFICATION_OP, {
        child: call(WITHDRAW, {
          label: 'request',
          child: anyOf([
            call(WITHDRAWAL, { label: 'paid' }),
            call(MINT, {
              label: 'delayed',
            }),
          ]),
        }),
      }),
      build: buildWithdrawal,
    }),
  },
];
