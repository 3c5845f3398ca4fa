/** The phases of a transaction, written to the columns of its row; mirrors tlb/tr-*-phase.ts. */
import {
  BOUNCE_TYPE_NEGFUNDS, BOUNCE_TYPE_NOFUNDS, BOUNCE_TYPE_OK, COMPUTE_SKIP_REASON_BAD_STATE,
  COMPUTE_SKIP_REASON_NO_GAS, COMPUTE_SKIP_REASON_NO_STATE, COMPUTE_SKIP_REASON_SUSPENDED, COMPUTE_TYPE_SKIPPED,
  COMPUTE_TYPE_VM, STORAGE_STATUS_CHANGE_DELETED, STORAGE_STATUS_CHANGE_FROZEN, STORAGE_STATUS_CHANGE_UNCHANGED,
  transactions_action_list_hash, transactions_action_msgs_created, transactions_action_no_funds,
  transactions_action_result_arg, transactions_action_result_arg_is_null, transactions_action_result_code,
  transactions_action_skipped_actions, transactions_action_spec_actions, transactions_action_status_change,
  transactions_action_success, transactions_action_tot_actions, transactions_action_tot_msg_bits,
  transactions_action_tot_msg_cells, transactions_action_total_action_fees,
  transactions_action_total_action_fees_is_null, transactions_action_total_fwd_fees,
  transactions_action_total_fwd_fees_is_null, transactions_action_valid, transactions_bounce_fwd_fees,
  transactions_bounce_msg_bits, transactions_bounce_msg_cells, transactions_bounce_msg_fees,
  transactions_bounce_req_fwd_fees, transactions_bounce_type, transactions_compute_account_activated,
  transactions_compute_exit_arg, transactions_compute_exit_arg_is_null, transactions_compute_exit_code,
  transactions_compute_gas_credit, transactions_compute_gas_credit_is_null, transactions_compute_gas_fees,
  transactions_compute_gas_limit, transactions_compute_gas_used, transactions_compute_mode,
  transactions_compute_msg_state_used, transactions_compute_skip_reason, transactions_compute_success,
  transactions_compute_type, transactions_compute_vm_final_state_hash, transactions_compute_vm_init_state_hash,
  transactions_compute_vm_steps, transactions_credit, transactions_credit_due_fees_collected,
  transactions_credit_due_fees_collected_is_null, transactions_credit_extra_ends, transactions_has_action,
  transactions_has_credit, transactions_storage_fees_collected, transactions_storage_fees_due,
  transactions_storage_fees_due_is_null, transactions_storage_status_change,
} from '../../build/columns';
import { currencies, putCurrencies } from '../currencies';
import { bad, bit, bytes32, coins, enter, leave, maybeRef, ref, uint, varUint64 } from '../bags/cursor';
import { place, put16, put32, put64, put8 } from '../streams';

/** Writes NULL to the nullable columns of phases: the value of a phase that did not happen. */
export function noPhases(row: i32): void {
  put8(transactions_storage_fees_due_is_null, row, 1);
  put8(transactions_credit_due_fees_collected_is_null, row, 1);
  put8(transactions_compute_gas_credit_is_null, row, 1);
  put8(transactions_compute_exit_arg_is_null, row, 1);
  put8(transactions_action_total_fwd_fees_is_null, row, 1);
  put8(transactions_action_total_action_fees_is_null, row, 1);
  put8(transactions_action_result_arg_is_null, row, 1);
}

/** A `Maybe Grams` into a nullable column, whose stream of nulls comes first. */
@inline
function maybeCoins(nulls: i32, values: i32, row: i32): void {
  if (!bit()) return;
  put8(nulls, row, 0);
  coins(place(values, row, 16));
}

/** acst_unchanged$0, acst_frozen$10, acst_deleted$11 = AccStatusChange; */
function statusChange(): u8 {
  if (!bit()) return STORAGE_STATUS_CHANGE_UNCHANGED;
  return bit() ? STORAGE_STATUS_CHANGE_DELETED : STORAGE_STATUS_CHANGE_FROZEN;
}

@inline
function flag(stream: i32, row: i32): void {
  put8(stream, row, bit() ? 1 : 0);
}

/**
 *     tr_phase_storage$_ storage_fees_collected:Grams storage_fees_due:(Maybe Grams)
 *       status_change:AccStatusChange = TrStoragePhase;
 */
export function storagePhase(row: i32): void {
  coins(place(transactions_storage_fees_collected, row, 16));
  maybeCoins(transactions_storage_fees_due_is_null, transactions_storage_fees_due, row);
  put8(transactions_storage_status_change, row, statusChange());
}

/**
 *     tr_phase_credit$_ due_fees_collected:(Maybe Grams) credit:CurrencyCollection = TrCreditPhase;
 *
 * Called for every transaction, since the column of extra currencies wants a value of each.
 */
export function creditPhase(row: i32, isThere: bool): void {
  let extra = -1;
  if (isThere) {
    put8(transactions_has_credit, row, 1);
    maybeCoins(transactions_credit_due_fees_collected_is_null, transactions_credit_due_fees_collected, row);
    extra = currencies(place(transactions_credit, row, 16));
  }
  putCurrencies(transactions_credit_extra_ends, row, extra);
}

/** cskip_no_state$00, cskip_bad_state$01, cskip_no_gas$10, cskip_suspended$110 = ComputeSkipReason; */
function skipReason(): u8 {
  const tag = uint(2);
  if (tag == 0b00) return COMPUTE_SKIP_REASON_NO_STATE;
  if (tag == 0b01) return COMPUTE_SKIP_REASON_BAD_STATE;
  if (tag == 0b10) return COMPUTE_SKIP_REASON_NO_GAS;
  if (bit()) bad('ComputeSkipReason', 0b110, 0b111);
  return COMPUTE_SKIP_REASON_SUSPENDED;
}

/**
 *     tr_phase_compute_skipped$0 reason:ComputeSkipReason = TrComputePhase;
 *     tr_phase_compute_vm$1 success:Bool msg_state_used:Bool account_activated:Bool gas_fees:Grams
 *       ^[ gas_used:(VarUInteger 7) gas_limit:(VarUInteger 7) gas_credit:(Maybe (VarUInteger 3))
 *          mode:int8 exit_code:int32 exit_arg:(Maybe int32) vm_steps:uint32
 *          vm_init_state_hash:bits256 vm_final_state_hash:bits256 ] = TrComputePhase;
 */
export function computePhase(row: i32): void {
  if (!bit()) {
    put8(transactions_compute_type, row, COMPUTE_TYPE_SKIPPED);
    put8(transactions_compute_skip_reason, row, skipReason());
    return;
  }
  put8(transactions_compute_type, row, COMPUTE_TYPE_VM);
  flag(transactions_compute_success, row);
  flag(transactions_compute_msg_state_used, row);
  flag(transactions_compute_account_activated, row);
  coins(place(transactions_compute_gas_fees, row, 16));
  enter(ref());
  put64(transactions_compute_gas_used, row, varUint64(3));
  put64(transactions_compute_gas_limit, row, varUint64(3));
  if (bit()) {
    put8(transactions_compute_gas_credit_is_null, row, 0);
    put32(transactions_compute_gas_credit, row, <u32>varUint64(2));
  }
  put8(transactions_compute_mode, row, uint(8));
  put32(transactions_compute_exit_code, row, uint(32));
  if (bit()) {
    put8(transactions_compute_exit_arg_is_null, row, 0);
    put32(transactions_compute_exit_arg, row, uint(32));
  }
  put32(transactions_compute_vm_steps, row, uint(32));
  bytes32(place(transactions_compute_vm_init_state_hash, row, 32));
  bytes32(place(transactions_compute_vm_final_state_hash, row, 32));
  leave('TrComputePhase');
}

/**
 *     tr_phase_action$_ success:Bool valid:Bool no_funds:Bool status_change:AccStatusChange
 *       total_fwd_fees:(Maybe Grams) total_action_fees:(Maybe Grams) result_code:int32 result_arg:(Maybe int32)
 *       tot_actions:uint16 spec_actions:uint16 skipped_actions:uint16 msgs_created:uint16
 *       action_list_hash:bits256 tot_msg_size:StorageUsedShort = TrActionPhase;
 *
 * From a `Maybe ^TrActionPhase`.
 */
export function actionPhase(row: i32): void {
  const cell = maybeRef();
  if (cell < 0) return;
  enter(cell);
  put8(transactions_has_action, row, 1);
  flag(transactions_action_success, row);
  flag(transactions_action_valid, row);
  flag(transactions_action_no_funds, row);
  put8(transactions_action_status_change, row, statusChange());
  maybeCoins(transactions_action_total_fwd_fees_is_null, transactions_action_total_fwd_fees, row);
  maybeCoins(transactions_action_total_action_fees_is_null, transactions_action_total_action_fees, row);
  put32(transactions_action_result_code, row, uint(32));
  if (bit()) {
    put8(transactions_action_result_arg_is_null, row, 0);
    put32(transactions_action_result_arg, row, uint(32));
  }
  put16(transactions_action_tot_actions, row, uint(16));
  put16(transactions_action_spec_actions, row, uint(16));
  put16(transactions_action_skipped_actions, row, uint(16));
  put16(transactions_action_msgs_created, row, uint(16));
  bytes32(place(transactions_action_list_hash, row, 32));
  put64(transactions_action_tot_msg_cells, row, varUint64(3));
  put64(transactions_action_tot_msg_bits, row, varUint64(3));
  leave('TrActionPhase');
}

@inline
function messageSize(row: i32): void {
  put64(transactions_bounce_msg_cells, row, varUint64(3));
  put64(transactions_bounce_msg_bits, row, varUint64(3));
}

/**
 *     tr_phase_bounce_negfunds$00 = TrBouncePhase;
 *     tr_phase_bounce_nofunds$01 msg_size:StorageUsedShort req_fwd_fees:Grams = TrBouncePhase;
 *     tr_phase_bounce_ok$1 msg_size:StorageUsedShort msg_fees:Grams fwd_fees:Grams = TrBouncePhase;
 */
export function bouncePhase(row: i32): void {
  if (bit()) {
    put8(transactions_bounce_type, row, BOUNCE_TYPE_OK);
    messageSize(row);
    coins(place(transactions_bounce_msg_fees, row, 16));
    coins(place(transactions_bounce_fwd_fees, row, 16));
  } else if (bit()) {
    put8(transactions_bounce_type, row, BOUNCE_TYPE_NOFUNDS);
    messageSize(row);
    coins(place(transactions_bounce_req_fwd_fees, row, 16));
  } else {
    put8(transactions_bounce_type, row, BOUNCE_TYPE_NEGFUNDS);
  }
}
