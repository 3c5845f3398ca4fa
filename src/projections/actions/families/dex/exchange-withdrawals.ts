import type { Fields } from '../../model/action.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { JETTON_TRANSFER, shownAsset } from '../jetton/jetton-transfer.ts';
import type { Dex, DexPosition } from './exchange-kinds.ts';

/** One asset that a pool has paid out. */
export interface DexPayout {
  /** Jetton master; null for TON. */
  readonly asset: string | null;
  readonly amount: bigint | null;
  readonly userWallet: string | null;
  /** Jetton wallet that it was paid from. */
  readonly dexJettonWallet: string | null;
  /** Contract of the exchange that paid: router or vault. */
  readonly dexWallet: string | null;
}

/** Assets taken out of a pool. */
interface DexWithdrawal {
  readonly dex: Dex;
  readonly source: string | null;
  readonly pool: string | null;
  /** The user's wallet of pool tokens, and their master. */
  readonly lpWallet: string | null;
  readonly lpJetton: string | null;
  readonly lpTokensBurnt: bigint | null;
  readonly first: DexPayout;
  readonly second: DexPayout;
  /** The unused assets of a deposit were given back. */
  readonly isRefund: boolean;
  /** Only tonco. */
  readonly position?: DexPosition;
}

/** Nothing was paid on this side. */
export const NO_PAYOUT: DexPayout = {
  asset: null,
  amount: null,
  userWallet: null,
  dexJettonWallet: null,
  dexWallet: null,
};

/** Payout of a jetton transfer, or of a message that carries TON, whose amount is its value. */
export function getPayout(block: Block): DexPayout {
  if (!block.is(JETTON_TRANSFER)) {
    const { source, value } = block as Block;
    return { ...NO_PAYOUT, amount: value, dexWallet: source };
  }
  const { asset, amount, receiverWallet, senderWallet, sender } = block.data;
  return {
    asset: shownAsset(asset),
    amount,
    userWallet: receiverWallet,
    dexJettonWallet: senderWallet,
    dexWallet: sender,
  };
}

function positionColumns(position: DexPosition | undefined): Fields {
  return {
    burned_nft_index: position?.nftIndex ?? null,
    burned_nft_address: position?.nftAddress ?? null,
    tick_lower: position?.tickLower ?? null,
    tick_upper: position?.tickUpper ?? null,
  };
}

/** Columns of what two sides of a pool have paid. */
export function payoutColumns(first: DexPayout, second: DexPayout): Fields {
  return {
    amount1: first.amount,
    amount2: second.amount,
    asset1_out: first.asset,
    asset2_out: second.asset,
    user_jetton_wallet_1: first.userWallet,
    user_jetton_wallet_2: second.userWallet,
    dex_jetton_wallet_1: first.dexJettonWallet,
    dex_jetton_wallet_2: second.dexJettonWallet,
    dex_wallet_1: first.dexWallet,
    dex_wallet_2: second.dexWallet,
  };
}

function details({ first, second, position, ...one }: DexWithdrawal): Fields {
  return {
    dex: one.dex,
    amount_1: first.amount,
    amount_2: second.amount,
    asset_1: first.asset,
    asset_2: second.asset,
    user_jetton_wallet_1: first.userWallet,
    user_jetton_wallet_2: second.userWallet,
    lp_tokens_burnt: one.lpTokensBurnt,
    is_refund: null,
    source: one.source,
    pool: one.pool,
    destination_liquidity: one.pool,
    burnt_nft_index: position?.nftIndex ?? null,
    burnt_nft_address: position?.nftAddress ?? null,
    tick_lower: position?.tickLower ?? null,
    tick_upper: position?.tickUpper ?? null,
  };
}

/** dex_withdraw_liquidity (v3-actions 4.3) under an inner name, which is part of the action id. */
export function withdrawalKind(name: string): BlockKind<DexWithdrawal> {
  return {
    name,
    type: 'dex_withdraw_liquidity',
    columns: (one) => ({
      source: one.source,
      source_secondary: one.lpWallet,
      destination: one.pool,
      asset: one.lpJetton,
      dex_withdraw_liquidity_data: {
        dex: one.dex,
        ...payoutColumns(one.first, one.second),
        is_refund: one.isRefund,
        lp_tokens_burnt: one.lpTokensBurnt,
        ...positionColumns(one.position),
      },
    }),
    details,
  };
}
