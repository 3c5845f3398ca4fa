import { formatRaw } from '../../../../ton/address/address.ts';
import { forEachLeaf } from '../../../../ton/boc/hashmap.ts';
import { Body } from '../../body/body.ts';
import { demand, isRefusal, needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { anyOf, blockOfKind, call, optional, repeat } from '../../match/pattern.ts';
import type { Columns, Fields } from '../../model/action.ts';
import { TON_TRANSFER } from '../../tree/basic-blocks.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { JETTON_TRANSFER, type JettonTransfer } from '../jetton/jetton-transfer.ts';

const RECEIVE_JETTONS = 0xd68a4ac1;
const UPDATE_REWARDS_REQUEST = 0xf5c5baa3;
const UPDATE_REWARDS = 0xae9307ce;
const CANCEL_STAKE = 0x9eada1d9;
const SET_DATA = 0x383411ea;
const UNSTAKE = 0x499a9262;
const UNSTAKE_REQUEST = 0x0168d4b7;
const CLAIM = 0x78d9f109;
const SEND_CLAIMED = 0x44bc1fe3;

const transfer = blockOfKind(JETTON_TRANSFER, { label: 'transfer' });
const updated = call(UPDATE_REWARDS);
/** Updates of referrers, one after the other. */
const referrals = optional(repeat(call(0x55c35b40), call(0x076ee4e0)));

/** Tokens laid into a pool. */
interface Stake {
  readonly transfer: JettonTransfer;
  readonly pool: string | null;
  readonly stakeWallet: string | null;
  /** Seconds. */
  readonly period: number;
}

const STAKE: BlockKind<Stake> = {
  name: 'jvault_stake',
  type: 'jvault_stake',
  columns: ({ transfer: { sender, senderWallet, asset, request }, pool, stakeWallet, period }) => ({
    source: sender,
    source_secondary: senderWallet,
    destination: pool,
    asset,
    amount: request.amount,
    jvault_stake_data: { period, stake_wallet: stakeWallet },
  }),
  details: ({ transfer: { sender, senderWallet, asset, request }, pool, stakeWallet, period }) => ({
    period,
    minted_stake_jettons: null,
    stake_wallet: stakeWallet,
    source: sender,
    source_jetton_wallet: senderWallet,
    asset,
    pool,
    amount: request.amount,
  }),
};

function buildStake(block: Block, found: Found, context: Context): Block {
  const { data } = block as Block<JettonTransfer>;
  const received = found.get('received');
  const update = found.maybe('update');
  const payload = needed(data.request.forwardPayload, 'the payload of a stake').clone();
  return context.merge({
    kind: STAKE,
    parts: [block, ...found.blocks],
    failed: received.aborted || update === null || update.aborted,
    data: {
      transfer: data,
      pool: received.source,
      stakeWallet: received.destination,
      period: payload.skip(32).uint(32),
    },
  });
}

/** Facts in the data of a stake wallet and of its pool. */
interface StakeFacts {
  readonly pool: string | null;
  readonly minter: string | null;
  readonly asset: string;
}

function neededData(address: string | null, context: Context): Body {
  return Body.of(context.neededData(address));
}

/** Pool: Bool uint32 admin creator lock_wallet … */
function findLockWallet(pool: string | null, context: Context): string | null {
  const known = context.account(pool)?.lockWallet;
  if (known !== undefined) return known;
  const data = neededData(pool, context).skip(1 + 32);
  data.address();
  data.address();
  return data.address();
}

/**
 * Stake wallet: pool minter …
 * @throws Refusal: an account that is needed is not known
 */
function stakeFacts(wallet: string | null, context: Context): StakeFacts {
  const data = neededData(wallet, context);
  const [pool, minter] = [data.address(), data.address()];
  return { pool, minter, asset: context.neededWallet(findLockWallet(pool, context)).jetton };
}

/** A stake taken back, or asked back. */
interface Unstake {
  readonly source: string | null;
  readonly stakeWallet: string | null;
  readonly pool: string | null;
  readonly asset: string | null;
  readonly stakingAsset: string | null;
  readonly amount: bigint;
  /** Exit code of a request that was cut short; null if it ended normally. */
  readonly exitCode: number | null;
}

function unstakeKind(type: string): BlockKind<Unstake> {
  return {
    name: type,
    type,
    columns: (one): Columns => ({
      source: one.source,
      source_secondary: one.stakeWallet,
      destination: one.pool,
      asset: one.asset,
      asset2: one.stakingAsset,
      amount: one.amount,
      opcode: one.exitCode,
    }),
    details: (one): Fields => ({
      source: one.source,
      stake_wallet: one.stakeWallet,
      pool: one.pool,
      amount: one.amount,
      exit_code: one.exitCode,
      asset: one.asset,
      staking_asset: one.stakingAsset,
    }),
  };
}

const UNSTAKE_KIND = unstakeKind('jvault_unstake');
const REQUEST_KIND = unstakeKind('jvault_unstake_request');

/** query amount:Coins */
function readUnstake(block: Block) {
  const amount = block.body().skip(64).coins();
  return { source: block.source, stakeWallet: block.destination, amount };
}

function buildUnstake(block: Block, found: Found, context: Context): Block {
  const { pool, minter, asset } = stakeFacts(block.destination, context);
  const update = found.maybe('update');
  const paid = found.maybe('transfer') as Block<JettonTransfer> | null;
  demand(update === null || paid?.data.asset === asset, 'the pool pays its own jetton');
  const exitCode = update ? null : block.first.transaction.exitCode;
  return context.merge({
    kind: UNSTAKE_KIND,
    parts: [block, ...found.blocks],
    data: {
      ...readUnstake(block),
      pool: update?.destination ?? pool,
      asset,
      stakingAsset: minter,
      exitCode,
    },
  });
}

/**
 * null if an account is unknown.
 * @throws Refusal: an account is unknown, and the rule needs it
 */
function stakeFactsIfKnown(block: Block, isNeeded: boolean, context: Context): StakeFacts | null {
  try {
    return stakeFacts(block.destination, context);
  } catch (error) {
    if (isNeeded || !isRefusal(error)) throw error;
    return null;
  }
}

function buildRequest(block: Block, found: Found, context: Context): Block {
  const update = found.maybe('update');
  const facts = stakeFactsIfKnown(block, update === null, context);
  return context.merge({
    kind: REQUEST_KIND,
    parts: [block, ...found.blocks],
    failed: update === null || update.aborted || block.aborted,
    data: {
      ...readUnstake(block),
      pool: update?.destination ?? facts?.pool ?? null,
      asset: facts?.asset ?? null,
      stakingAsset: facts?.minter ?? null,
      exitCode: update ? null : block.first.transaction.exitCode,
    },
  });
}

/** Rewards that were paid out. */
interface Claim {
  readonly source: string | null;
  readonly stakeWallet: string | null;
  readonly pool: string | null;
  readonly jettons: readonly string[];
  /** Amount of the one transfer that is looked at. */
  readonly amounts: readonly bigint[];
}

const CLAIM_KIND: BlockKind<Claim> = {
  name: 'jvault_claim',
  type: 'jvault_claim',
  columns: ({ source, stakeWallet, pool, jettons, amounts }) => ({
    source,
    source_secondary: stakeWallet,
    destination: pool,
    jvault_claim_data: { claimed_jettons: jettons, claimed_amounts: amounts },
  }),
  details: ({ source, stakeWallet, pool, jettons, amounts }) => ({
    claimed_rewards:
      jettons.length === amounts.length
        ? jettons.map((jetton, at) => ({ jetton, amount: amounts[at]! }))
        : [],
    source,
    stake_wallet: stakeWallet,
    pool,
  }),
};

/** Bits of `addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256`. */
const ADDRESS_BITS = 267;

/** Standard addresses that are the keys of a dictionary, in its order. */
function addressKeys({ slice }: Body): string[] {
  const root = slice.maybeRef();
  const addresses: string[] = [];
  if (root === -1) return addresses;
  forEachLeaf(slice.boc, root, ADDRESS_BITS, (key) => {
    // The three bits before the workchain are the constructor's bits.
    const bits = BigInt(`0x${key.toHex()}`) >> 5n;
    const workchain = Number(BigInt.asIntN(8, bits >> 256n));
    const account = BigInt.asUintN(256, bits).toString(16).padStart(64, '0');
    addresses.push(formatRaw(workchain, Uint8Array.fromHex(account)));
  });
  return addresses;
}

/** query jettons:(HashmapE 267 …) */
function buildClaim(block: Block, found: Found, context: Context): Block {
  const paid = found.get('transfer') as Block<JettonTransfer>;
  return context.merge({
    kind: CLAIM_KIND,
    parts: [block, ...found.blocks],
    failed: block.aborted,
    data: {
      source: block.source,
      stakeWallet: block.destination,
      pool: found.get('claimed').destination,
      jettons: addressKeys(block.body().skip(64)),
      amounts: [paid.data.request.amount],
    },
  });
}

/**
 * jvault staking pools (v3-actions 4.7, v3-actions-rules 8). Every rule includes the chains of referral updates. Pool,
 * minter and asset of a stake come from the data cells of the stake wallet and of its pool.
 */
export const jvault: readonly Matcher[] = [
  {
    name: 'jvault_stake',
    after: ['proxy_ton_transfer'],
    pattern: blockOfKind(JETTON_TRANSFER, {
      children: [
        call(RECEIVE_JETTONS, {
          label: 'received',
          child: anyOf([
            call(UPDATE_REWARDS_REQUEST, { label: 'update', children: [referrals, updated] }),
            call(CANCEL_STAKE, { child: optional(blockOfKind(JETTON_TRANSFER)) }),
          ]),
        }),
        optional(call(SET_DATA)),
      ],
      build: buildStake,
    }),
  },
  {
    name: 'jvault_unstake',
    after: ['jvault_stake'],
    pattern: call(UNSTAKE, {
      child: optional(
        call(UPDATE_REWARDS_REQUEST, {
          label: 'update',
          children: [referrals, optional(blockOfKind(TON_TRANSFER)), transfer, updated],
        }),
      ),
      build: buildUnstake,
    }),
  },
  {
    name: 'jvault_claim',
    after: ['jvault_unstake'],
    pattern: call(CLAIM, {
      child: call(SEND_CLAIMED, { label: 'claimed', children: [transfer, updated] }),
      build: buildClaim,
    }),
  },
  {
    name: 'jvault_unstake_request',
    after: ['jvault_claim'],
    pattern: call(UNSTAKE_REQUEST, {
      child: optional(call(UPDATE_REWARDS_REQUEST, { label: 'update', children: [referrals, updated] })),
      build: buildRequest,
    }),
  },
];
