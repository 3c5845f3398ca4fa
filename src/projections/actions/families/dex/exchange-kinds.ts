import type { Columns, Fields } from '../../model/action.ts';
import type { BlockKind } from '../../tree/block.ts';
import { type JettonTransfer, shownAsset } from '../jetton/jetton-transfer.ts';

/** Exchanges by the name that actions give them. */
export type Dex = 'stonfi' | 'stonfi_v2' | 'dedust' | 'tonco' | 'coffee' | 'dedust_v2';

/** Money on its way into or out of an exchange. */
export interface DexTransfer {
  /** Jetton master; null for TON. */
  readonly asset: string | null;
  readonly source: string | null;
  readonly sourceWallet: string | null;
  readonly destination: string | null;
  readonly destinationWallet: string | null;
  readonly amount: bigint | null;
}

/** One step of a swap that goes through several pools. */
export interface PeerSwap {
  readonly assetIn: string | null;
  readonly amountIn: bigint;
  readonly assetOut: string | null;
  readonly amountOut: bigint;
}

/** An exchange of one asset for another. */
export interface JettonSwap {
  readonly dex: Dex;
  readonly sender: string | null;
  readonly assetIn: string | null;
  readonly assetOut: string | null;
  readonly incoming: DexTransfer;
  readonly outgoing: DexTransfer;
  readonly minOut: bigint | null;
  /** Empty for a single step. */
  readonly peerSwaps: readonly PeerSwap[];
  /** The stored receiving wallet if it differs from the wallet of the outgoing transfer. */
  readonly receivingWallet?: string | null;
}

/** A jetton transfer as money of an exchange. */
export function toDexTransfer(transfer: JettonTransfer): DexTransfer {
  return {
    asset: transfer.asset,
    source: transfer.sender,
    sourceWallet: transfer.senderWallet,
    destination: transfer.receiver,
    destinationWallet: transfer.receiverWallet,
    amount: transfer.amount,
  };
}

function transferFields(one: DexTransfer): Fields {
  return {
    asset: one.asset,
    source: one.source,
    destination: one.destination,
    source_jetton_wallet: one.sourceWallet,
    destination_jetton_wallet: one.destinationWallet,
    amount: one.amount,
  };
}

function swapFields({ dex, incoming, outgoing, peerSwaps, ...one }: JettonSwap): Fields {
  return {
    dex,
    sender: one.sender,
    dex_incoming_transfer: transferFields(incoming),
    dex_outgoing_transfer: transferFields(outgoing),
    peer_swaps: peerSwaps.map(({ assetIn, amountIn, assetOut, amountOut }) => ({
      asset_in: assetIn,
      amount_in: amountIn,
      asset_out: assetOut,
      amount_out: amountOut,
    })),
  };
}

function swapColumns(one: JettonSwap): Columns {
  const { incoming, outgoing } = one;
  return {
    source: incoming.source,
    source_secondary: incoming.sourceWallet,
    destination: outgoing.destination,
    destination_secondary: one.receivingWallet ?? outgoing.destinationWallet,
    asset: one.assetIn,
    asset2: one.assetOut,
    jetton_swap_data: { ...swapFields(one), min_out_amount: one.minOut },
  };
}

/** Proxy-TON is shown as TON, even if the column keeps its master (stonfi v1). */
function shownFields({ incoming, outgoing, ...one }: JettonSwap): Fields {
  return swapFields({
    ...one,
    incoming: { ...incoming, asset: shownAsset(incoming.asset) },
    outgoing: { ...outgoing, asset: shownAsset(outgoing.asset) },
  });
}

/** The least amount is shown for the exchanges whose steps state it in the answer. */
const SHOWS_MIN_OUT: ReadonlySet<Dex> = new Set<Dex>(['tonco', 'dedust_v2']);

export const JETTON_SWAP: BlockKind<JettonSwap> = {
  name: 'jetton_swap',
  type: 'jetton_swap',
  columns: swapColumns,
  details: (one) => ({
    ...shownFields(one),
    asset_in: shownAsset(one.assetIn),
    asset_out: shownAsset(one.assetOut),
    ...(SHOWS_MIN_OUT.has(one.dex) && { min_out_amount: one.minOut }),
  }),
};

/** One asset that was put into a pool. */
export interface DexShare {
  readonly asset: string | null;
  readonly amount: bigint | null;
  /** Wallet of the user that it came from. */
  readonly wallet: string | null;
}

/** Assets put into a pool. */
export interface DexDeposit {
  readonly dex: Dex;
  readonly sender: string | null;
  readonly pool: string | null;
  /** Contract that collects the assets before the pool gets them, or the user's account in the pool. */
  readonly depositContract: string | null;
  readonly sourceWallet?: string | null;
  readonly first: DexShare;
  readonly second: DexShare;
  /** Intended assets; amounts are null if the exchange does not state them. */
  readonly targets: readonly [DexTarget, DexTarget];
  readonly lpTokens: bigint | null;
  /** Assets that the vaults gave back. */
  readonly excesses: readonly { readonly asset: string | null; readonly amount: bigint }[];
  /** Only tonco. */
  readonly position?: DexPosition;
}

/** An asset and how much of it is wanted. */
export interface DexTarget {
  readonly asset: string | null;
  readonly amount: bigint | null;
}

/** A position between two prices, as an item. */
export interface DexPosition {
  readonly tickLower: number;
  readonly tickUpper: number;
  readonly nftIndex: bigint | null;
  readonly nftAddress: string | null;
}

/** Nothing was put in on this side. */
export const NO_SHARE: DexShare = { asset: null, amount: null, wallet: null };

function depositFields({ dex, first, second, targets, lpTokens, excesses, position }: DexDeposit): Fields {
  return {
    dex,
    user_jetton_wallet_1: first.wallet,
    user_jetton_wallet_2: second.wallet,
    lp_tokens_minted: lpTokens,
    target_asset_1: targets[0].asset,
    target_amount_1: targets[0].amount,
    target_asset_2: targets[1].asset,
    target_amount_2: targets[1].amount,
    vault_excesses: excesses.map(({ asset, amount }) => ({ asset, amount })),
    tick_lower: position?.tickLower ?? null,
    tick_upper: position?.tickUpper ?? null,
    nft_index: position?.nftIndex ?? null,
    nft_address: position?.nftAddress ?? null,
  };
}

/** Exchanges whose deposit contract is answered as the receiver of the liquidity, instead of the pool. */
const SHOWS_DEPOSIT_CONTRACT: ReadonlySet<Dex> = new Set<Dex>(['dedust', 'dedust_v2']);

/** dex_deposit_liquidity under an inner name, which is part of the action id. */
export function depositKind(name: string): BlockKind<DexDeposit> {
  return {
    name,
    type: 'dex_deposit_liquidity',
    columns: (one) => ({
      source: one.sender,
      source_secondary: one.sourceWallet ?? null,
      destination: one.pool,
      destination_secondary: one.depositContract,
      dex_deposit_liquidity_data: {
        ...depositFields(one),
        asset1: one.first.asset,
        amount1: one.first.amount,
        asset2: one.second.asset,
        amount2: one.second.amount,
      },
    }),
    details: (one) => ({
      ...depositFields(one),
      asset_1: one.first.asset,
      amount_1: one.first.amount,
      asset_2: one.second.asset,
      amount_2: one.second.amount,
      source: one.sender,
      pool: one.pool,
      destination_liquidity: SHOWS_DEPOSIT_CONTRACT.has(one.dex) ? one.depositContract : one.pool,
    }),
  };
}
