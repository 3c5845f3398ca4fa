/** Bodies of external messages (decoded-bodies.md), in TL-B. */
export const EXTERNAL = `
cron_trigger#2114702d reward_address:MsgAddress salt:uint32 = ExternalMsgBody;
megaton_swap#7362d09c account_addr:MsgAddressInt in_token_addr:MsgAddressInt in_amount:Coins ^[ out_token_addr:MsgAddressInt out_amount:Coins ] = ExternalMsgBody;
megaton_update_mining_params#56a8e920 pool_addr:MsgAddressInt last_mined:uint256 last_index:uint256 ^MegatonUpdateMiningParams = ExternalMsgBody;
coffee_staking_rewards_updated#0a9577f0 query_id:uint64 jetton_wallet:MsgAddressInt duration:uint64 finish_at:uint64 rewards_rate:Coins = ExternalMsgBody;
coffee_staking_rewards_claimed#b30c7310 query_id:uint64 jetton_wallet:MsgAddressInt amount:Coins receiver:MsgAddressInt = ExternalMsgBody;
coffee_swap_succeeded#c0ffee30 query_id:uint64 input:CoffeeAsset input_amount:Coins output_amount:Coins reserves:CoffeePoolReserves protocol_fee:Coins = ExternalMsgBody;
coffee_swap_failed#c0ffee31 query_id:uint64 input:CoffeeAsset input_amount:Coins reserves:(Maybe ^CoffeePoolReserves) = ExternalMsgBody;
coffee_deposit_liquidity_succeeded#c0ffee33 query_id:uint64 amount1:Coins amount2:Coins lp_amount:Coins total_supply:CoffeePoolReserves reserves:CoffeePoolReserves = ExternalMsgBody;
coffee_deposit_liquidity_failed#c0ffee34 query_id:uint64 amount1:Coins amount2:Coins min_lp_amount:Coins total_supply:Coins reserves:CoffeePoolReserves = ExternalMsgBody;
coffee_withdraw_liquidity_succeeded#c0ffee35 query_id:uint64 amount1:Coins amount2:Coins lp_amount:Coins total_supply:CoffeePoolReserves reserves:CoffeePoolReserves = ExternalMsgBody;
signed_2fa_external$_ ref_with_certificate:^Certificate2Fa ref_seed_signature:^SeedSignature payload:Payload2Fa certificate_signature:bits512 = ExternalMsgBody;
nerd_qr_verify#ccc2c823 item_id:uint32 signature:bits512 = ExternalMsgBody;
tgbtc_mint_event#77a80ef3 amount:Coins recipient_address:MsgAddress bitcoin_txid:uint256 = ExternalMsgBody;
tgbtc_burn_event#ca444ce6 amount:Coins sender_address:MsgAddress pegout_address:MsgAddress = ExternalMsgBody;
tgbtc_new_key_event#27756729 amount:Coins new_internal_pubkey:uint256 pegout_address:MsgAddress = ExternalMsgBody;
tgbtc_dkg_completed_event#453443a6 timestamp:uint64 internal_pubkey:uint256 = ExternalMsgBody;
storm_execute_orders_bundle#04c52fd2 query_id:uint64 signature:bits512 payload:^StormExternalMsgPayload = ExternalMsgBody;
logs#012e8f40 log_dict:(HashmapE 8 StormIntentLog) = ExternalMsgBody;
storm_change_hot_key#34d2e9f9 query_id:uint64 signature:bits512 signed_payload:^SignedChangeKeyPayload = ExternalMsgBody;
storm_self_deposit_native#558e804a query_id:uint64 signature:bits512 signed_payload:^StormSignedSelfDepositNativePayload = ExternalMsgBody;
storm_self_deposit_jetton#01d81ebc query_id:uint64 signature:bits512 signed_payload:^StormSignedSelfDepositJettonPayload = ExternalMsgBody;
scaled_ui_display_multiplier_changed#ac392598 numerator:(VarUInteger 32) denominator:(VarUInteger 32) comment:(Maybe SnakeString) = ExternalMsgBody;
`;
