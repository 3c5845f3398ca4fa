import { INTERNAL_TRANSFER_OP } from '../../../../ton/messages/jetton-internal-transfer.ts';
import { needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { anyOf, blockOfKind, call, optional } from '../../match/pattern.ts';
import type { Columns } from '../../model/action.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { JETTON_TRANSFER } from '../jetton/jetton-transfer.ts';
import {
  DEPLOY,
  DEPOSITED,
  NOTIFICATION,
  type PoolAssets,
  readAsset,
  readLiquidity,
  readPoolParameters,
} from './coffee-messages.ts';

const CREATE_VAULT = 0xc0ffee06;
const CREATE_POOL = 0xc0ffee02;
const CREATE_POOL_PAYLOAD = 0xc0ffee11;
const CREATOR_REQUEST = 0xc0ffee23;
const POOL_REQUEST = 0xc0ffee25;

/** A vault that was made for an asset. */
interface CreatedVault {
  readonly source: string | null;
  readonly vault: string | null;
  readonly asset: string | null;
  readonly value: bigint;
}

const VAULT: BlockKind<CreatedVault> = {
  name: 'coffee_create_vault',
  type: 'coffee_create_vault',
  columns: ({ source, vault, asset, value }) => ({ source, destination: vault, asset, value }),
  details: ({ source, vault, asset, value }) => ({ source, vault, asset, value }),
};

/** query asset */
function buildVault(block: Block, found: Found, context: Context): Block {
  return context.merge({
    kind: VAULT,
    parts: [block, ...found.blocks],
    failed: block.aborted,
    data: {
      source: block.source,
      vault: found.get('deployed').destination,
      asset: readAsset(block.body().skip(64)),
      value: block.value,
    },
  });
}

/** The first of two assets for a pool, and the contract that waits for the second. */
interface PoolCreator {
  readonly source: string | null;
  readonly wallet: string | null;
  /** Asset that was sent. */
  readonly provided: string | null;
  readonly amount: bigint;
  readonly assets: PoolAssets;
  /** Who gets the pool's tokens. */
  readonly recipient: string | null;
  readonly contract: string | null;
}

const CREATOR: BlockKind<PoolCreator> = {
  name: 'coffee_create_pool_creator',
  type: 'coffee_create_pool_creator',
  columns: (one): Columns => ({
    source: one.source,
    source_secondary: one.wallet,
    destination: one.recipient,
    destination_secondary: one.contract,
    asset: one.provided,
    asset2: one.assets[0],
    asset2_secondary: one.assets[1],
    amount: one.amount,
  }),
  // The deployed servers show the columns `asset` and `asset2` as the pool's assets.
  details: (one) => ({
    source: one.source,
    source_jetton_wallet: one.wallet,
    deposit_recipient: one.recipient,
    pool_creator_contract: one.contract,
    provided_asset: null,
    asset_1: one.provided,
    asset_2: one.assets[0],
    amount: one.amount,
  }),
};

/** create_pool#c0ffee02 query amount:Coins …, or the payload c0ffee11 of a transfer; then pool and creation parameters. */
function readCreation(carrier: Block) {
  if (!carrier.is(JETTON_TRANSFER)) {
    const body = (carrier as Block).body().skip(64);
    const common = { source: (carrier as Block).source, wallet: null, provided: null, amount: body.coins() };
    return { ...common, assets: readPoolParameters(body), recipient: body.address() };
  }
  const { sender, senderWallet, asset, amount, request } = carrier.data;
  const payload = needed(request.forwardPayload, 'the payload').clone();
  needed(payload.uint(32) === CREATE_POOL_PAYLOAD || null, 'the payload of a new pool');
  const assets = readPoolParameters(payload);
  return {
    source: sender,
    wallet: senderWallet,
    provided: asset,
    amount,
    assets,
    recipient: payload.address(),
  };
}

function buildCreator(block: Block, found: Found, context: Context): Block {
  return context.merge({
    kind: CREATOR,
    parts: [block, ...found.blocks],
    failed: block.aborted,
    data: { ...readCreation(found.get('carrier')), contract: found.get('deployed').destination },
  });
}

/** A pool that both assets have reached. */
interface CreatedPool {
  readonly creator: PoolCreator;
  readonly pool: string | null;
  readonly assets: PoolAssets;
  readonly amounts: readonly [bigint, bigint];
  readonly initiators: readonly [string | null, string | null];
  readonly lpTokens: bigint;
}

function poolFields({ creator, amounts, initiators, lpTokens }: CreatedPool) {
  return {
    amount_1: amounts[0],
    amount_2: amounts[1],
    initiator_1: initiators[0],
    initiator_2: initiators[1],
    provided_asset: creator.provided,
    lp_tokens_minted: lpTokens,
  };
}

const POOL: BlockKind<CreatedPool> = {
  name: 'coffee_create_pool',
  type: 'coffee_create_pool',
  columns: (one): Columns => ({
    source: one.creator.source,
    source_secondary: one.creator.wallet,
    destination: one.pool,
    destination_secondary: one.creator.contract,
    asset: one.assets[0],
    asset2: one.assets[1],
    amount: one.creator.amount,
    coffee_create_pool_data: poolFields(one),
  }),
  details: (one) => ({
    ...poolFields(one),
    source: one.creator.source,
    source_jetton_wallet: one.creator.wallet,
    pool: one.pool,
    // The deployed servers leave it out.
    pool_creator_contract: null,
    amount: one.creator.amount,
    asset_1: one.assets[0],
    asset_2: one.assets[1],
  }),
};

/** query amount1:Coins amount2:Coins initiator:MsgAddress …; the provided asset is shown first. */
function buildPool(block: Block, found: Found, context: Context): Block {
  const creator = (block as Block<PoolCreator>).data;
  const deposited = found.get('deposited');
  const request = found.get('request').body().skip(64);
  const amounts = [request.coins(), request.coins()] as const;
  const initiators = [creator.source, request.address()] as const;
  const [first, second] = creator.assets;
  const isSecond = creator.provided === second && creator.provided !== first;
  return context.merge({
    kind: POOL,
    parts: [block, ...found.blocks],
    failed: block.failed,
    data: {
      creator,
      pool: deposited.source,
      assets: isSecond ? [second, first] : [first, second],
      amounts: isSecond ? [amounts[1], amounts[0]] : amounts,
      initiators: isSecond ? [initiators[1], initiators[0]] : initiators,
      lpTokens: readLiquidity(deposited.body()).lpTokens,
    },
  });
}

const deployed = (surroundings: Parameters<typeof call>[1] = {}) =>
  call(DEPLOY, { label: 'deployed', ...surroundings });
const minted = call(INTERNAL_TRANSFER_OP);

/**
 * coffee's vaults and pools (v3-actions 4.5, v3-actions-rules 5.5). Vault: 0xc0ffee06 → 0xc0ffee22. Pool creator: a
 * jetton_transfer or 0xc0ffee02, then 0xc0ffee23 → 0xc0ffee22. Pool: the same, followed by 0xc0ffee25 → 0xc0ffee22 with
 * the minted tokens.
 */
export const coffeePools: readonly Matcher[] = [
  {
    name: 'coffee_create_vault',
    after: ['coffee_swap'],
    pattern: call(CREATE_VAULT, {
      child: deployed({ child: optional(call(0x2c76b973, { child: optional(call(0xd1735400)) })) }),
      build: buildVault,
    }),
  },
  {
    name: 'coffee_create_pool_creator',
    after: ['coffee_create_vault'],
    pattern: call(CREATOR_REQUEST, {
      parent: anyOf([blockOfKind(JETTON_TRANSFER), call(CREATE_POOL)], { label: 'carrier' }),
      child: deployed(),
      build: buildCreator,
    }),
  },
  {
    name: 'coffee_create_pool',
    after: ['coffee_create_pool_creator'],
    before: ['coffee_mev_protect_hold_funds'],
    pattern: blockOfKind(CREATOR, {
      child: call(POOL_REQUEST, {
        label: 'request',
        child: deployed({
          children: [
            minted,
            call(DEPOSITED, { label: 'deposited' }),
            optional(call(NOTIFICATION, { child: optional(call(0xb216d31f)) })),
          ],
        }),
      }),
      build: buildPool,
    }),
  },
];
