/** Rows of `messages` from records; mirrors decode/message-row.ts. */
import {
  messages_body, messages_body_hash, messages_bounce, messages_bounced, messages_created_at, messages_created_lt,
  messages_destination, messages_destination_kind, messages_destination_workchain, messages_extra_flags,
  messages_extra_flags_is_null, messages_fwd_fee, messages_hash, messages_hash_norm, messages_ihr_disabled,
  messages_ihr_fee, messages_import_fee, messages_init, messages_init_hash, messages_kind, messages_listed, messages_mc_seqno,
  messages_opcode, messages_opcode_is_null, messages_side, messages_source, messages_source_kind,
  messages_source_workchain, messages_tx_account, messages_tx_hash, messages_tx_lt, messages_tx_now, messages_tx_workchain,
  messages_value, messages_value_extra_ends, KIND_INTERNAL, SIDE_IN, SIDE_OUT, SOURCE_KIND_STD, TABLE_MESSAGES,
} from '../../build/columns';
import { ADDRESS_ACCOUNT, ADDRESS_WORKCHAIN } from '../address';
import { indexedFromLt, mcSeqno, workchain } from '../announced';
import { putEntries } from '../currencies';
import {
  BAGS, M_BODY, M_BODY_HASH, M_BODY_SIZE, M_BOUNCE, M_BOUNCED, M_CREATED_AT, M_CREATED_LT, M_DESTINATION, M_ENTRIES,
  M_ENTRY_COUNT, M_EXTRA_FLAGS, M_FWD_FEE, M_HAS_EXTRA_FLAGS, M_HAS_OPCODE, M_HASH, M_HASH_NORM, M_IHR_DISABLED,
  M_IHR_FEE, M_IMPORT_FEE, M_INIT, M_INIT_HASH, M_INIT_SIZE, M_KIND, M_OPCODE, M_SOURCE, M_VALUE,
} from './message-record';
import { beginRow, endRow, put128, put32, put64, put8, putHash, putString } from '../streams';

/** `account`, `hash`: addresses of the owning transaction's 32 bytes. */
export function putMessage(from: usize, isOut: bool, account: usize, lt: u64, hash: usize, now: u32): void {
  const row = beginRow(TABLE_MESSAGES);
  put32(messages_mc_seqno, row, mcSeqno);
  put8(messages_side, row, isOut ? SIDE_OUT : SIDE_IN);
  put8(messages_kind, row, load<u8>(from, M_KIND));
  putHash(messages_hash, row, from + M_HASH);
  putHash(messages_hash_norm, row, from + M_HASH_NORM);
  put64(messages_created_lt, row, load<u64>(from, M_CREATED_LT));
  put32(messages_created_at, row, load<u32>(from, M_CREATED_AT));
  putAddresses(from, row);
  putAmounts(from, row);
  put8(messages_ihr_disabled, row, load<u8>(from, M_IHR_DISABLED));
  put8(messages_bounce, row, load<u8>(from, M_BOUNCE));
  put8(messages_bounced, row, load<u8>(from, M_BOUNCED));
  put8(messages_opcode_is_null, row, load<u8>(from, M_HAS_OPCODE) ^ 1);
  put32(messages_opcode, row, load<u32>(from, M_OPCODE));
  putHash(messages_body_hash, row, from + M_BODY_HASH);
  putString(messages_body, BAGS.start + load<u32>(from, M_BODY), load<u32>(from, M_BODY_SIZE));
  putHash(messages_init_hash, row, from + M_INIT_HASH);
  putString(messages_init, BAGS.start + load<u32>(from, M_INIT), load<u32>(from, M_INIT_SIZE));
  put32(messages_tx_workchain, row, workchain);
  putHash(messages_tx_account, row, account);
  put64(messages_tx_lt, row, lt);
  putHash(messages_tx_hash, row, hash);
  put32(messages_tx_now, row, now);
  put8(messages_listed, row, isOut || isListedHere(from) ? 1 : 0);
  endRow(TABLE_MESSAGES);
}

/**
 * True if the receiver's side is listed. If a transaction of the index sent the message, the sender's side is listed
 * instead.
 */
function isListedHere(from: usize): bool {
  if (load<u8>(from, M_KIND) != KIND_INTERNAL || load<u64>(from, M_CREATED_LT) < indexedFromLt) return true;
  return isSystem(from + M_SOURCE);
}

/** The zero address of the masterchain, which new coins and recovered fees come from: no transaction sends them. */
function isSystem(source: usize): bool {
  if (load<u8>(source) != SOURCE_KIND_STD || load<i32>(source, ADDRESS_WORKCHAIN) != -1) return false;
  const account = source + ADDRESS_ACCOUNT;
  return !v128.any_true(v128.or(v128.load(account), v128.load(account, 16)));
}

function putAddresses(from: usize, row: i32): void {
  const source = from + M_SOURCE;
  const destination = from + M_DESTINATION;
  put8(messages_source_kind, row, load<u8>(source));
  put32(messages_source_workchain, row, load<u32>(source, ADDRESS_WORKCHAIN));
  putHash(messages_source, row, source + ADDRESS_ACCOUNT);
  put8(messages_destination_kind, row, load<u8>(destination));
  put32(messages_destination_workchain, row, load<u32>(destination, ADDRESS_WORKCHAIN));
  putHash(messages_destination, row, destination + ADDRESS_ACCOUNT);
}

function putAmounts(from: usize, row: i32): void {
  put128(messages_value, row, from + M_VALUE);
  putEntries(messages_value_extra_ends, row, load<u32>(from, M_ENTRIES), load<i32>(from, M_ENTRY_COUNT));
  put128(messages_fwd_fee, row, from + M_FWD_FEE);
  put128(messages_ihr_fee, row, from + M_IHR_FEE);
  put128(messages_import_fee, row, from + M_IMPORT_FEE);
  put8(messages_extra_flags_is_null, row, load<u8>(from, M_HAS_EXTRA_FLAGS) ^ 1);
  put128(messages_extra_flags, row, from + M_EXTRA_FLAGS);
}
