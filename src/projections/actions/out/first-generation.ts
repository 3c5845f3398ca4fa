/**
 * Inner names of the types of shortcut `v1`, which every client supports: their parts are not stored.
 * Source: v3-actions-rules 2.5 and 12, v3-actions 1.
 */
const FIRST_GENERATION: ReadonlySet<string> = new Set([
  'call_contract',
  'contract_deploy',
  'jetton_burn',
  'tick_tock',
  'jetton_transfer',
  'nft_transfer',
  'nft_mint',
  'jetton_mint',
  'ton_transfer',
  'stake_deposit',
  'stake_withdrawal',
  'stake_withdrawal_request',
  'dex_deposit_liquidity',
  'dex_withdraw_liquidity',
  'jetton_swap',
  'change_dns',
  'delete_dns',
  'renew_dns',
  'subscribe',
  'unsubscribe',
  'election_deposit',
  'election_recover',
  'auction_bid',
  'tonstakers_deposit',
  'tonstakers_withdraw',
  'tonstakers_withdraw_request',
  'nominator_pool_deposit',
  'nominator_pool_withdraw_request',
  'ethena_deposit',
  'ethena_withdrawal_request',
  'dedust_deposit_liquidity',
  'dedust_deposit_liquidity_partial',
  'tonco_deposit_liquidity',
  'tonco_withdraw_liquidity',
  'coffee_deposit_liquidity',
  'tgbtc_dkg_log',
  'dedust_v2_deposit_liquidity',
  'dedust_v2_deposit_liquidity_partial',
]);

/** Whether a block of this inner name is answered without its parts. */
export function isFirstGeneration(name: string): boolean {
  return FIRST_GENERATION.has(name);
}
