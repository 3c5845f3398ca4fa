/**
 * Wallet bodies in TL-B. `SignedBody` has no opcode: its constructors are tried in order, and each must consume all
 * data (v3-rules.md 10). `OpBody` starts with its opcode.
 *
 * Fields without a recorded answer have the names of the wallets' own descriptions.
 */
export const WALLETS = `
preprocessed_wallet_v2$_ signature:bits512 msg_inner:^PreprocessedInner = SignedBody;
highload_wallet_signed_v3$_ signature:bits512 msg_inner:^HighloadV3Inner = SignedBody;
highload_wallet_signed_v2$_ signature:bits512 subwallet_id:uint32 query_id:uint64 payload:(HashmapE 16 WalletMessage) = SignedBody;
highload_wallet_signed_v1$_ signature:bits512 subwallet_id:uint32 valid_until:uint32 msg_seqno:uint32 payload:(HashmapE 16 WalletMessage) = SignedBody;
wallet_signed_v4$_ signature:bits512 subwallet_id:uint32 valid_until:uint32 msg_seqno:uint32 op:WalletV4Op = SignedBody;
wallet_signed_v3$_ signature:bits512 subwallet_id:uint32 valid_until:uint32 msg_seqno:uint32 msgs:WalletMessages = SignedBody;
wallet_signed_v2$_ signature:bits512 msg_seqno:uint32 valid_until:uint32 msgs:WalletMessages = SignedBody;
wallet_signed_v1$_ signature:bits512 msg_seqno:uint32 msgs:WalletMessages = SignedBody;

w5_external_signed_request#7369676e request:W5SignedRequest = OpBody;
w5_internal_signed_request#73696e74 request:W5SignedRequest = OpBody;
w5_extension_action_request#6578746e query_id:uint64 request:W5ActionsRequest = OpBody;
highload_v3_internal_request#ae42e5a4 query_id:uint64 actions:^OutList = OpBody;

_ mode:uint8 msg:^(MessageRelaxed Any) = WalletMessage;

msgs_4$_ msg_1:WalletMessage msg_2:WalletMessage msg_3:WalletMessage msg_4:WalletMessage = WalletMessages;
msgs_3$_ msg_1:WalletMessage msg_2:WalletMessage msg_3:WalletMessage = WalletMessages;
msgs_2$_ msg_1:WalletMessage msg_2:WalletMessage = WalletMessages;
msgs_1$_ msg_1:WalletMessage = WalletMessages;

simple_send#00 msgs:WalletMessages = WalletV4Op;
deploy_install_plugin#01 workchain:int8 balance:Coins state_init:^StateInit body:^Cell = WalletV4Op;
install_plugin#02 workchain:int8 addr_hash:bits256 balance:Coins query_id:uint64 = WalletV4Op;
remove_plugin#03 workchain:int8 addr_hash:bits256 balance:Coins query_id:uint64 = WalletV4Op;

preprocessed_inner$_ valid_until:uint64 msg_seqno:uint16 actions:^OutList = PreprocessedInner;
highload_v3_inner$_ subwallet_id:uint32 message_to_send:^(MessageRelaxed Any) send_mode:uint8 query_id:HighloadV3QueryId created_at:uint64 timeout:uint22 = HighloadV3Inner;
_ shift:(## 13) bit_number:(## 10) {bit_number <= 1022} = HighloadV3QueryId;

w5_signed_request$_ wallet_id:uint32 valid_until:uint32 msg_seqno:uint32 inner:W5ActionsRequest signature:bits512 = W5SignedRequest;
w5_actions_request$_ out_actions:(Maybe ^OutList) extended_actions:(Maybe W5ExtendedActions) = W5ActionsRequest;
w5_extended_actions$_ action:W5ExtendedAction next:^W5ExtendedActions = W5ExtendedActions;
w5_extended_actions_last$_ action:W5ExtendedAction = W5ExtendedActions;
add_extension#02 addr:MsgAddressInt = W5ExtendedAction;
delete_extension#03 addr:MsgAddressInt = W5ExtendedAction;
set_signature_auth_allowed#04 allowed:Bool = W5ExtendedAction;

out_list$_ prev:^OutList action:OutAction = OutList;
out_list_empty$_ = OutList;
action_send_msg#0ec3c86d mode:uint8 out_msg:^(MessageRelaxed Any) = OutAction;
action_set_code#ad4de08e new_code:^Cell = OutAction;
action_reserve_currency#36e6b809 mode:uint8 currency:CurrencyCollection = OutAction;
action_change_library#26fa1dd4 mode:uint7 libref:LibRef = OutAction;
libref_hash$0 lib_hash:bits256 = LibRef;
libref_ref$1 library:^Cell = LibRef;
`;
