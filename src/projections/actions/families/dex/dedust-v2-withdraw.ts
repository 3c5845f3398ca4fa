import { demand } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { call, log, optional, type Pattern } from '../../match/pattern.ts';
import type { Columns } from '../../model/action.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { ownExcess, paidOut, payout, sinceRelease13 } from './dedust-v2-messages.ts';
import { type DexPayout, NO_PAYOUT, payoutColumns, withdrawalKind } from './exchange-withdrawals.ts';

const WITHDRAW = 0x20b5ef89;
const BURN = 0xbc1531a9;
const BURNT = 0xf6f6a3aa;
const WITHDRAWN = 0xc0d77b54;
const CLAIM_FEES = 0x5652f1df;
const TAKE_FEES = 0x25f19752;
const FEES = 0x29ff1bcf;
const CLAIM_REWARD = 0x909fdb65;
const TAKE_REWARD = 0x2e0cccba;
const REWARD = 0x9e17fbbe;

const WITHDRAWAL = withdrawalKind('dex_withdraw_liquidity');

/** withdraw#20b5ef89 query liquidity:Coins min_x:Coins min_y:Coins auto_claim:Bool … */
function readRequest(block: Block) {
  const body = block.body().skip(64);
  const liquidity = body.coins();
  body.coins();
  body.coins();
  return { liquidity, isAutoClaim: body.bit() };
}

function buildWithdrawal(block: Block, found: Found, context: Context): Block {
  const { liquidity, isAutoClaim } = readRequest(block);
  demand(!isAutoClaim, 'liquidity alone');
  const withdrawn = found.maybe('withdrawn');
  const [first, second] = found.all('out');
  return context.merge({
    kind: WITHDRAWAL,
    parts: [block, ...found.blocks],
    failed: !withdrawn,
    data: {
      dex: 'dedust_v2',
      source: block.source,
      pool: block.destination,
      lpWallet: null,
      lpJetton: null,
      // withdrawal#c0d77b54 liquidity:Coins …
      lpTokensBurnt: withdrawn ? withdrawn.body().coins() : liquidity,
      first: paidOut(first),
      second: paidOut(second),
      isRefund: !withdrawn,
    },
  });
}

/** Fees or reward that a position in a pool has earned. */
interface Claim {
  readonly source: string | null;
  readonly pool: string | null;
  readonly position: string | null;
  readonly first: DexPayout;
  readonly second: DexPayout;
}

function claimColumns({ source, pool, position, first, second }: Claim): Columns {
  return {
    source,
    destination: pool,
    destination_secondary: position,
    dex_withdraw_liquidity_data: { dex: 'dedust_v2', ...payoutColumns(first, second) },
  };
}

const CLAIMED_FEES: BlockKind<Claim> = {
  name: 'dedust_v2_claim_fees',
  type: 'dedust_v2_claim_fees',
  columns: claimColumns,
  details: ({ source, pool, position, first, second }) => ({
    dex: 'dedust_v2',
    source,
    pool,
    position,
    asset_1: first.asset,
    asset_2: second.asset,
    amount_1: first.amount,
    amount_2: second.amount,
    user_jetton_wallet_1: first.userWallet,
    user_jetton_wallet_2: second.userWallet,
    dex_jetton_wallet_1: first.dexJettonWallet,
    dex_jetton_wallet_2: second.dexJettonWallet,
  }),
};

const CLAIMED_REWARD: BlockKind<Claim> = {
  name: 'dedust_v2_claim_reward',
  type: 'dedust_v2_claim_reward',
  columns: claimColumns,
  details: ({ source, pool, position, first }) => ({
    dex: 'dedust_v2',
    source,
    pool,
    position,
    asset: first.asset,
    amount: first.amount,
    user_jetton_wallet: first.userWallet,
    dex_jetton_wallet: first.dexJettonWallet,
  }),
};

function buildFees(block: Block, found: Found, context: Context): Block {
  const fees = found.get('earned');
  const open = found.all('out').map(paidOut);
  /** The payment of a side: the first of its amount that the other side has not taken. */
  const take = (amount: bigint): DexPayout => {
    const at = open.findIndex((one) => one.amount === amount);
    return at === -1 ? { ...NO_PAYOUT, amount } : open.splice(at, 1)[0]!;
  };
  // fees#29ff1bcf query x:Coins y:Coins owner excess
  const body = fees.body().skip(64);
  const { source: position, destination: pool } = fees;
  return context.merge({
    kind: CLAIMED_FEES,
    parts: [block, ...found.blocks],
    data: { source: block.source, pool, position, first: take(body.coins()), second: take(body.coins()) },
  });
}

function buildReward(block: Block, found: Found, context: Context): Block {
  const reward = found.get('earned');
  const paid = paidOut(found.all('out')[0]);
  // reward#9e17fbbe query amount:Coins index:uint2 owner excess
  const amount = reward.body().skip(64).coins();
  const { source: position, destination: pool } = reward;
  return context.merge({
    kind: CLAIMED_REWARD,
    parts: [block, ...found.blocks],
    data: { source: block.source, pool, position, first: { ...paid, amount }, second: NO_PAYOUT },
  });
}

/** A claim: the pool asks the position, which reports what it has earned; the pool pays. */
function earned(ask: number, answer: number, payments: readonly Pattern[]): Pattern {
  return call(ask, { child: call(answer, { label: 'earned', children: [...payments, ownExcess] }) });
}

const paid = optional(payout);

/**
 * DeDust V2 (v3-actions-rules 12.2). Withdrawals: 0x20b5ef89 → 0xbc1531a9 → 0xf6f6a3aa, refunded if the log 0xc0d77b54
 * is missing. Fees: 0x5652f1df → 0x25f19752 → 0x29ff1bcf. Rewards: 0x909fdb65 → 0x2e0cccba → 0x9e17fbbe.
 */
export const dedustV2Withdraw: readonly Matcher[] = [
  {
    name: 'dedust_v2_withdraw',
    after: ['dedust_v2_failed_swap'],
    before: ['stonfi_swap'],
    pattern: sinceRelease13(
      call(WITHDRAW, {
        child: call(BURN, {
          child: call(BURNT, {
            children: [optional(log(WITHDRAWN, { label: 'withdrawn' })), paid, paid],
          }),
        }),
        build: buildWithdrawal,
      }),
    ),
  },
  {
    name: 'dedust_v2_claim_fees',
    after: ['dedust_v2_withdraw'],
    before: ['stonfi_swap'],
    pattern: sinceRelease13(
      call(CLAIM_FEES, { child: earned(TAKE_FEES, FEES, [paid, paid]), build: buildFees }),
    ),
  },
  {
    name: 'dedust_v2_claim_reward',
    after: ['dedust_v2_claim_fees'],
    before: ['stonfi_swap'],
    pattern: sinceRelease13(
      call(CLAIM_REWARD, { child: earned(TAKE_REWARD, REWARD, [paid]), build: buildReward }),
    ),
  },
];
