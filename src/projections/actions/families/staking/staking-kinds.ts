import type { BlockKind } from '../../tree/block.ts';

/** Who keeps the stake. */
export type Provider = 'nominator' | 'liquid_staking' | 'ethena';

interface Staking {
  readonly provider: Provider;
  readonly holder: string | null;
  /** Token wallet of the holder, if the provider has tokens. */
  readonly wallet: string | null;
  readonly pool: string | null;
  /** Master of the provider's token; null for TON. */
  readonly asset: string | null;
  readonly amount: bigint | null;
}

/** A stake that was laid in. */
export interface StakeDeposit extends Staking {
  readonly tokensMinted: bigint | null;
  /** Master of the staked asset, if it is not TON. */
  readonly sourceAsset: string | null;
}

/** Kind of a deposit under its provider's inner name. */
export function depositKind(name: string): BlockKind<StakeDeposit> {
  return {
    name,
    type: 'stake_deposit',
    columns: (one) => ({
      source: one.holder,
      source_secondary: one.wallet,
      destination: one.pool,
      asset: one.asset,
      asset2: one.sourceAsset,
      amount: one.amount,
      staking_data: { provider: one.provider, tokens_minted: one.tokensMinted },
    }),
    details: (one) => ({
      provider: one.provider,
      stake_holder: one.holder,
      pool: one.pool,
      amount: one.amount,
      tokens_minted: one.tokensMinted,
      asset: one.asset,
      source_asset: one.provider === 'ethena' ? one.sourceAsset : undefined,
    }),
  };
}

/** A stake that was asked back. `amount`: tokens given for it; null for nominators, who have none. */
export interface WithdrawalRequest extends Staking {
  readonly payoutNft: string | null;
  readonly tokensMinted: bigint | null;
}

/** Kind of a request under its provider's inner name. */
export function requestKind(name: string): BlockKind<WithdrawalRequest> {
  return {
    name,
    type: 'stake_withdrawal_request',
    columns: (one) => ({
      source: one.holder,
      source_secondary: one.wallet,
      destination: one.pool,
      asset: one.asset,
      amount: one.amount,
      staking_data: {
        provider: one.provider,
        ts_nft: one.payoutNft,
        tokens_minted: one.tokensMinted,
      },
    }),
    details: (one) => ({
      provider: one.provider,
      stake_holder: one.holder,
      pool: one.pool,
      payout_nft: one.payoutNft,
      asset: one.asset,
      // The deployed servers leave it out for liquid staking.
      tokens_burnt: one.provider === 'liquid_staking' ? null : one.amount,
      tokens_minted: one.provider === 'ethena' ? one.tokensMinted : undefined,
    }),
  };
}

/** A stake that was paid out. `amount`: nanotons. */
export interface StakeWithdrawal extends Omit<Staking, 'wallet'> {
  readonly payoutNft: string | null;
  readonly tokensBurnt: bigint | null;
}

/** Kind of a payout under its provider's inner name. */
export function withdrawalKind(name: string): BlockKind<StakeWithdrawal> {
  return {
    name,
    type: 'stake_withdrawal',
    columns: (one) => ({
      source: one.holder,
      destination: one.pool,
      asset: one.asset,
      amount: one.amount,
      staking_data: {
        provider: one.provider,
        ts_nft: one.payoutNft,
        tokens_burnt: one.tokensBurnt,
      },
    }),
    details: (one) => ({
      provider: one.provider,
      stake_holder: one.holder,
      pool: one.pool,
      amount: one.amount,
      payout_nft: one.payoutNft,
      tokens_burnt: one.tokensBurnt,
      asset: one.asset,
    }),
  };
}
