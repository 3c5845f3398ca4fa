import type { Cell } from '../../../ton/cell/cell.ts';
import { CellBuilder } from '../../../ton/cell/cell-builder.ts';
import type { OutMessage } from '../../ledger/out-message.ts';
import { PAYER_RUN } from './payer.ts';

/** Costs of the phases of a payer's transaction, nanotons. */
export interface PhaseCosts {
  readonly storage: bigint;
  readonly gas: bigint;
  /** Fees of all messages: those that they carry and those that the shard keeps. */
  readonly forward: bigint;
  /** Fees of all messages that the shard keeps. */
  readonly action: bigint;
}

/** The TransactionDescr of a payer that sent these messages by a list of actions. */
// trans_ord$0000 credit_first:Bool storage_ph:(Maybe TrStoragePhase) credit_ph:(Maybe TrCreditPhase)
//   compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool bounce:(Maybe TrBouncePhase)
//   destroyed:Bool = TransactionDescr;
// tr_phase_compute_vm$1 success:Bool msg_state_used:Bool account_activated:Bool gas_fees:Grams ^[ … ];
export function payoutDescription(costs: PhaseCosts, list: Cell, messages: readonly OutMessage[]): Cell {
  const { storage, gas } = costs;
  const builder = new CellBuilder().uint(0b0000_1_1, 6).coins(storage).uint(0b0_0, 2).bit(false);
  builder.uint(0b1_1_0_0, 4).coins(gas).ref(VM_DETAILS);
  return builder
    .maybeRef(actionPhase(costs, list, messages))
    .uint(0b0_0_0, 3)
    .cell();
}

// ^[ gas_used:(VarUInteger 7) gas_limit:(VarUInteger 7) gas_credit:(Maybe (VarUInteger 3)) mode:int8 exit_code:int32
//    exit_arg:(Maybe int32) vm_steps:uint32 vm_init_state_hash:bits256 vm_final_state_hash:bits256 ]
const VM_DETAILS = new CellBuilder()
  .varUint(PAYER_RUN.gas, 3)
  .varUint(0n, 3)
  .bit(true)
  .varUint(PAYER_RUN.credit, 2)
  .int(0, 8)
  .int(0, 32)
  .bit(false)
  .uint(PAYER_RUN.steps, 32)
  .bytes(new Uint8Array(64))
  .cell();

// tr_phase_action$_ success:Bool valid:Bool no_funds:Bool status_change:AccStatusChange total_fwd_fees:(Maybe Grams)
//   total_action_fees:(Maybe Grams) result_code:int32 result_arg:(Maybe int32) tot_actions:uint16
//   spec_actions:uint16 skipped_actions:uint16 msgs_created:uint16 action_list_hash:bits256 tot_msg_size:StorageUsed;
function actionPhase({ forward, action }: PhaseCosts, list: Cell, messages: readonly OutMessage[]): Cell {
  const count = messages.length;
  const bits = messages.reduce((sum, { cell }) => sum + cell.bitLength, 0);
  const builder = new CellBuilder().uint(0b1_1_0_0, 4).bit(true).coins(forward).bit(true).coins(action);
  builder.int(0, 32).bit(false).uint(count, 16).uint(0, 16).uint(0, 16).uint(count, 16);
  return builder.bytes(list.hash()).varUint(BigInt(count), 3).varUint(BigInt(bits), 3).cell();
}
