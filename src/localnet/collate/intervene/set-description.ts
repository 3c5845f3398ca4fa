import type { Cell } from '../../../ton/cell/cell.ts';
import { CellBuilder } from '../../../ton/cell/cell-builder.ts';
import type { AccountEntry } from '../../ledger/account-entry.ts';

interface DescribedChange {
  /** Nanotons that come with the message. */
  readonly minted: bigint;
  /** Nanotons that are taken as a storage fee. */
  readonly taken: bigint;
  readonly before: AccountEntry | null;
  /** Status after the change; null if the account ended. */
  readonly after: AccountEntry['status'] | null;
}

// trans_ord$0000 credit_first:Bool storage_ph:(Maybe TrStoragePhase) credit_ph:(Maybe TrCreditPhase)
//   compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool bounce:(Maybe TrBouncePhase)
//   destroyed:Bool = TransactionDescr;
// tr_phase_storage$_ storage_fees_collected:Grams storage_fees_due:(Maybe Grams) status_change:AccStatusChange;
// tr_phase_credit$_ due_fees_collected:(Maybe Grams) credit:CurrencyCollection;
//
/**
 * Returns the TransactionDescr of a change. An active account has a compute phase without gas, so the change is no
 * failure. Another account has no state to run, as after a transfer to it.
 */
export function changeDescription({ minted, taken, before, after }: DescribedChange): Cell {
  const builder = new CellBuilder().uint(0b0000_1_1, 6).coins(taken).bit(false);
  if (after === null) builder.uint(0b11, 2);
  else builder.bit(false);
  builder.bit(true).bit(false).coins(minted).bit(false);
  // tr_phase_compute_skipped$0 reason:ComputeSkipReason, cskip_no_state$00; no action phase, aborted, no bounce phase.
  if (after !== 'active')
    return builder
      .uint(0b0_00_0_1_0, 6)
      .bit(after === null)
      .cell();
  // tr_phase_compute_vm$1 success:Bool msg_state_used:Bool account_activated:Bool gas_fees:Grams ^[ … ]
  builder
    .uint(0b1_1_0, 3)
    .bit(before?.status !== 'active')
    .coins(0n)
    .ref(NO_RUN);
  return builder.maybeRef(NO_ACTIONS).uint(0b000, 3).cell();
}

// ^[ gas_used:(VarUInteger 7) gas_limit:(VarUInteger 7) gas_credit:(Maybe (VarUInteger 3)) mode:int8 exit_code:int32
//    exit_arg:(Maybe int32) vm_steps:uint32 vm_init_state_hash:bits256 vm_final_state_hash:bits256 ]
const NO_RUN = new CellBuilder()
  .varUint(0n, 3)
  .varUint(0n, 3)
  .bit(false)
  .int(0, 8)
  .int(0, 32)
  .bit(false)
  .uint(0, 32)
  .bytes(new Uint8Array(64))
  .cell();

// tr_phase_action$_ success:Bool valid:Bool no_funds:Bool status_change:AccStatusChange total_fwd_fees:(Maybe Grams)
//   total_action_fees:(Maybe Grams) result_code:int32 result_arg:(Maybe int32) tot_actions:uint16
//   spec_actions:uint16 skipped_actions:uint16 msgs_created:uint16 action_list_hash:bits256 tot_msg_size:StorageUsed;
//
// The list of actions is an empty cell.
const NO_ACTIONS = new CellBuilder()
  .uint(0b1_1_0_0_0_0, 6)
  .int(0, 32)
  .bit(false)
  .u64(0n)
  .bytes(new CellBuilder().cell().hash())
  .varUint(0n, 3)
  .varUint(0n, 3)
  .cell();
