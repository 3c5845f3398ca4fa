import type { ClassifiedAction } from '../../classifier-port.ts';

/*
 * Which actions a client can show (v3-endpoints.md 4.6).
 */

const words = (text: string) => text.trim().split(/\s+/);

const V1 =
  words(`call_contract contract_deploy ton_transfer stake_deposit stake_withdrawal stake_withdrawal_request
  dex_deposit_liquidity dex_withdraw_liquidity jetton_transfer jetton_burn jetton_mint jetton_swap nft_transfer nft_mint
  change_dns delete_dns renew_dns subscribe unsubscribe election_deposit election_recover auction_bid tick_tock`);
const MULTISIG = words('multisig_create_order multisig_approve multisig_execute');
const VESTING = words('vesting_send_message vesting_add_whitelist');
const EVAA = words('evaa_supply evaa_withdraw evaa_liquidate');
const JVAULT = words('jvault_stake jvault_unstake jvault_claim jvault_unstake_request');
const COFFEE =
  words(`coffee_create_vault coffee_create_pool_creator coffee_create_pool coffee_mev_protect_hold_funds
  coffee_staking_claim_rewards coffee_staking_deposit coffee_staking_withdraw`);
const NFT_V3 =
  words(`nft_put_on_sale nft_put_on_auction auction_outbid nft_cancel_sale nft_purchase nft_cancel_auction
  nft_finish_auction teleitem_start_auction teleitem_cancel_auction nft_update_sale dns_purchase dns_release`);
const LAYERZERO = words(`layerzero_send layerzero_send_tokens layerzero_receive layerzero_commit_packet
  layerzero_dvn_verify`);
const COCOON = words(`cocoon_worker_payout cocoon_proxy_payout cocoon_proxy_charge cocoon_client_top_up
  cocoon_register_proxy cocoon_unregister_proxy cocoon_client_register cocoon_client_change_secret_hash
  cocoon_client_request_refund cocoon_grant_refund cocoon_client_increase_stake cocoon_client_withdraw`);
const NFT = words('nft_transfer nft_mint auction_bid');
const DNS = words('change_dns delete_dns renew_dns dns_purchase dns_release');
const TGBTC =
  words(`tgbtc_mint tgbtc_burn tgbtc_new_key tgbtc_mint_fallback tgbtc_burn_fallback tgbtc_new_key_fallback
  tgbtc_dkg_log_fallback`);

const V2 = [
  ...V1,
  ...MULTISIG,
  ...VESTING,
  ...EVAA,
  ...JVAULT,
  ...COFFEE,
  ...words('nft_discovery tonco_deploy_pool coffee_mev_protect_failed_swap unknown'),
];
const V3 = [...V2, ...NFT_V3, ...LAYERZERO];
const V4 = [...V3, ...COCOON];
/** Types of release 1.3, its `latest` (v3-actions-rules.md 12): the rules of 1.2 never produce its additions. */
const V5 = [...V4, ...words('dedust_v2_claim_fees dedust_v2_claim_reward')];

const SHORTCUTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['v1', V1],
  ['v2', V2],
  ['v3', V3],
  ['v4', V4],
  ['v5', V5],
  ['latest', V5],
  ['staking', words('stake_deposit stake_withdrawal stake_withdrawal_request')],
  ['jettons', words('jetton_transfer jetton_burn jetton_mint')],
  ['nft', NFT],
  ['nft.v3', [...NFT, ...NFT_V3]],
  ['dns', DNS],
  ['dns.v2', DNS],
  ['multisig', MULTISIG],
  ['vesting', VESTING],
  ['evaa', EVAA],
  ['jvault', JVAULT],
  ['layerzero', LAYERZERO],
  ['cocoon', COCOON],
  ['coffee', COFFEE],
  ['tgbtc', TGBTC],
]);

/**
 * Types that a client names, shortcuts expanded; always with `v1`. `version`: the header X-Actions-Version, which
 * replaces the names. Nothing named: `latest`.
 */
export function supportedTypes(names: readonly string[], version: string | null = null): ReadonlySet<string> {
  const requested = version === null ? names : [version];
  const named = requested.length > 0 ? requested : ['latest'];
  return new Set([...V1, ...named.flatMap((name) => SHORTCUTS.get(name) ?? [name])]);
}

/** Whether a client sees the action: it shows the type, and none of those that the action is folded into. */
export function isShown(
  { type, ancestorTypes }: Pick<ClassifiedAction, 'type' | 'ancestorTypes'>,
  supported: ReadonlySet<string>,
): boolean {
  return supported.has(type) && !ancestorTypes.some((ancestor) => supported.has(ancestor));
}
