import { demand } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { blockOfKind, call, optional } from '../../match/pattern.ts';
import type { Columns, Fields } from '../../model/action.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { JETTON_TRANSFER, shownAsset } from '../jetton/jetton-transfer.ts';
import { type DexPayout, getPayout, withdrawalKind } from './exchange-withdrawals.ts';
import { readTonArrival, TON_TRANSFER_OP } from './stonfi-v2-messages.ts';
import { readToncoPay, TONCO_PAY, type WalletSum } from './tonco-messages.ts';

const START_BURN = 0x530b5f2c;
const POSITION_BURN = 0x46ca335a;
const POOL_BURN = 0xd73ac09d;
const CREATE_POOL = 0x2e3034ef;
const INIT_POOL = 0x441c39ed;
const BURNT = 201;

/** The router's own wallet of proxy-TON: its payments are TON, which has no wallet. */
const ROUTER_PROXY_TON = '0:871DA9215B14902166F0EA2A16DB56278D528108377F8158C5F4CCFDFDD22E17';

const WITHDRAWAL = withdrawalKind('tonco_withdraw_liquidity');

const shownWallet = (wallet: string | null): string | null => (wallet === ROUTER_PROXY_TON ? null : wallet);

/** start_burn#530b5f2c query index:uint64 liquidity:uint128 lower:int24 upper:int24 */
function readStart(block: Block) {
  const body = block.body().skip(64);
  return { index: body.u64(), liquidity: body.big(128), tickLower: body.int(24), tickUpper: body.int(24) };
}

/** pool_burn#d73ac09d query recipient index:uint64 …; zero if absent */
function readBurntIndex(block: Block): bigint {
  const body = block.body().skip(64);
  body.address();
  return body.u64();
}

/** Payout of a transfer of the router; TON as in the message after its wallet. */
function paidBy(transfer: Block, found: Found): DexPayout {
  const paid = getPayout(transfer);
  const left = found.all('left').find(({ previous }) => previous === transfer);
  const dexJettonWallet = shownWallet(paid.dexJettonWallet);
  return { ...paid, dexJettonWallet, amount: left ? readTonArrival(left).amount : paid.amount };
}

/** Payout that the pool ordered from the router, if no payment is seen. */
function owed(
  pay: Block,
  { amount, wallet }: WalletSum,
  receiver: string | null,
  context: Context,
): DexPayout {
  return {
    asset: shownAsset(context.jettonWallet(wallet)?.jetton ?? null),
    amount,
    userWallet: receiver,
    dexJettonWallet: shownWallet(wallet),
    dexWallet: pay.source,
  };
}

function buildPayouts(pay: Block, found: Found, context: Context): readonly [DexPayout, DexPayout] {
  const { sums, receivers } = readToncoPay(pay);
  const transfers = [...found.all('payout')];
  demand(sums !== null || transfers.length === 2, 'two payments');
  if (!sums) return [paidBy(transfers[0]!, found), paidBy(transfers[1]!, found)];
  const take = (sum: WalletSum, receiver: string | null): DexPayout => {
    const at = transfers.findIndex(({ destination }) => destination === sum.wallet);
    return at === -1 ? owed(pay, sum, receiver, context) : paidBy(transfers.splice(at, 1)[0]!, found);
  };
  return [take(sums[0], receivers[0]), take(sums[1], receivers[1])];
}

function buildWithdrawal(block: Block, found: Found, context: Context): Block {
  const [burnt, pay] = [found.get('position'), found.get('pay')];
  const start = readStart(block);
  const { exitCode } = readToncoPay(pay);
  const [first, second] = buildPayouts(pay, found, context);
  return context.merge({
    kind: WITHDRAWAL,
    parts: [block, ...found.blocks],
    failed: exitCode !== 0 && exitCode !== BURNT,
    data: {
      dex: 'tonco',
      source: burnt.body().skip(64).address(),
      pool: pay.source,
      lpWallet: null,
      lpJetton: null,
      lpTokensBurnt: start.liquidity,
      first,
      second,
      isRefund: false,
      position: {
        nftIndex: readBurntIndex(found.get('pool')) || start.index,
        nftAddress: burnt.destination,
        tickLower: start.tickLower,
        tickUpper: start.tickUpper,
      },
    },
  });
}

/** A pool that the router is asked to create. */
interface PoolDeployment {
  readonly source: string | null;
  readonly router: string | null;
  readonly pool: string | null;
  readonly wallets: readonly [string | null, string | null];
  readonly minters: readonly [string | null, string | null];
  readonly tickSpacing: bigint;
  /** Square root of the price, times 2^96. */
  readonly initialPrice: bigint;
  readonly protocolFee: bigint;
  readonly lpFeeBase: bigint;
  readonly lpFeeCurrent: bigint;
  readonly isActive: boolean;
}

/** Settings of a pool in the order to the router, under the names that columns and answer share. */
function poolFields(one: PoolDeployment): Fields {
  return {
    tick_spacing: one.tickSpacing,
    initial_price_x96: one.initialPrice,
    protocol_fee: one.protocolFee,
    lp_fee_base: one.lpFeeBase,
    lp_fee_current: one.lpFeeCurrent,
    pool_active: one.isActive,
  };
}

function deploymentColumns(one: PoolDeployment): Columns {
  return {
    source: one.source,
    destination: one.router,
    destination_secondary: one.pool,
    tonco_deploy_pool_data: {
      ...poolFields(one),
      jetton0_router_wallet: one.wallets[0],
      jetton1_router_wallet: one.wallets[1],
      jetton0_minter: one.minters[0],
      jetton1_minter: one.minters[1],
    },
  };
}

const DEPLOYMENT: BlockKind<PoolDeployment> = {
  name: 'tonco_deploy_pool',
  type: 'tonco_deploy_pool',
  columns: deploymentColumns,
  details: (one) => ({
    ...poolFields(one),
    source: one.source,
    pool: one.pool,
    router: one.router,
    router_jetton_wallet_1: one.wallets[0],
    router_jetton_wallet_2: one.wallets[1],
    jetton_minter_1: one.minters[0],
    jetton_minter_2: one.minters[1],
  }),
};

/**
 * create_pool#2e3034ef query wallet0 wallet1 spacing:int24 price:uint160 protocol_fee:uint16 fee_base:uint16
 * fee_current:uint16 ^Cell ^Cell ^(minter0 minter1 controller)
 */
function readCreation(block: Block) {
  const body = block.body().skip(64);
  const wallets = [body.address(), body.address()] as const;
  const terms = {
    tickSpacing: BigInt(body.int(24)),
    initialPrice: body.big(160),
    protocolFee: body.big(16),
    lpFeeBase: body.big(16),
    lpFeeCurrent: body.big(16),
  };
  body.ref();
  body.ref();
  const names = body.ref();
  return { ...terms, wallets, minters: [names.address(), names.address()] as const };
}

/**
 * init#441c39ed query from_admin:Bool set_admin:Bool admin set_controller:Bool controller set_spacing:Bool spacing:int24
 * set_price:Bool price:uint160 set_active:Bool active:Bool …
 */
function readIsActive(block: Block): boolean {
  const body = block.body().skip(64 + 2);
  body.address();
  body.skip(1).address();
  return body.skip(1 + 24 + 1 + 160 + 1).bit();
}

function buildDeployment(block: Block, found: Found, context: Context): Block {
  const init = found.get('init');
  return context.merge({
    kind: DEPLOYMENT,
    parts: [block, ...found.blocks],
    data: {
      ...readCreation(block),
      source: block.source,
      router: block.destination,
      pool: init.destination,
      isActive: readIsActive(init),
    },
  });
}

const payout = optional(
  blockOfKind(JETTON_TRANSFER, {
    label: 'payout',
    child: optional(call(TON_TRANSFER_OP, { label: 'left' })),
  }),
);

/**
 * tonco pool creation: 0x2e3034ef → 0x441c39ed. tonco withdrawal: 0x530b5f2c → 0x46ca335a to the position → 0xd73ac09d →
 * 0xa1daa96d with up to two payments, in the pool's order; failed when the code is neither 0 nor 201.
 */
export const toncoPools: readonly Matcher[] = [
  {
    name: 'tonco_deploy_pool',
    after: ['tonco_deposit'],
    pattern: call(CREATE_POOL, { child: call(INIT_POOL, { label: 'init' }), build: buildDeployment }),
  },
  {
    name: 'tonco_withdraw',
    after: ['tonco_deploy_pool'],
    pattern: call(START_BURN, {
      child: call(POSITION_BURN, {
        label: 'position',
        child: call(POOL_BURN, {
          label: 'pool',
          child: call(TONCO_PAY, { label: 'pay', children: [payout, payout] }),
        }),
      }),
      build: buildWithdrawal,
    }),
  },
];
