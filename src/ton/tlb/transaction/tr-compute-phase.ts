import type { CellSlice } from '../../boc/cell-slice.ts';
import { loadWholeCell } from '../whole-cell.ts';
import { type ComputeSkipReason, loadComputeSkipReason } from './compute-skip-reason.ts';

export interface TrComputeSkipped {
  readonly kind: 'skipped';
  readonly reason: ComputeSkipReason;
}

export interface TrComputeVm {
  readonly kind: 'vm';
  readonly success: boolean;
  readonly msgStateUsed: boolean;
  readonly accountActivated: boolean;
  readonly gasFees: bigint;
  readonly gasUsed: bigint;
  readonly gasLimit: bigint;
  readonly gasCredit: number | null;
  readonly mode: number;
  readonly exitCode: number;
  readonly exitArg: number | null;
  readonly vmSteps: number;
  readonly vmInitStateHash: Uint8Array;
  readonly vmFinalStateHash: Uint8Array;
}

export type TrComputePhase = TrComputeSkipped | TrComputeVm;

// tr_phase_compute_skipped$0 reason:ComputeSkipReason = TrComputePhase;
// tr_phase_compute_vm$1 success:Bool msg_state_used:Bool account_activated:Bool gas_fees:Grams
//   ^[ gas_used:(VarUInteger 7) gas_limit:(VarUInteger 7) gas_credit:(Maybe (VarUInteger 3))
//      mode:int8 exit_code:int32 exit_arg:(Maybe int32) vm_steps:uint32
//      vm_init_state_hash:bits256 vm_final_state_hash:bits256 ] = TrComputePhase;
export function loadTrComputePhase(slice: CellSlice): TrComputePhase {
  if (!slice.bit()) return { kind: 'skipped', reason: loadComputeSkipReason(slice) };
  const success = slice.bit();
  const msgStateUsed = slice.bit();
  const accountActivated = slice.bit();
  const gasFees = slice.coins();
  const details = loadWholeCell(slice.boc, slice.ref(), 'TrComputePhase', loadVmDetails);
  return { kind: 'vm', success, msgStateUsed, accountActivated, gasFees, ...details };
}

function loadVmDetails(slice: CellSlice) {
  return {
    gasUsed: slice.varUint(3),
    gasLimit: slice.varUint(3),
    gasCredit: slice.bit() ? Number(slice.varUint(2)) : null,
    mode: slice.int(8),
    exitCode: slice.int(32),
    exitArg: slice.bit() ? slice.int(32) : null,
    vmSteps: slice.uint(32),
    vmInitStateHash: slice.bytes(32),
    vmFinalStateHash: slice.bytes(32),
  };
}
