import type { BaseColumns } from '../columns/base-columns.ts';
import type { TrComputePhase } from '../tlb/transaction/tr-compute-phase.ts';
import { TRANSACTION_CODES } from './enum-codes.ts';

type Columns = BaseColumns['tables']['transactions']['col'];

const NO_HASH = new Uint8Array(32);

/** Writes the `compute_*` columns of a transaction's row. */
export function writeComputePhase(col: Columns, phase: TrComputePhase | null): void {
  const vm = phase?.kind === 'vm' ? phase : null;
  col.compute_type.push(TRANSACTION_CODES.compute_type[phase?.kind ?? 'none']);
  col.compute_skip_reason.push(
    TRANSACTION_CODES.compute_skip_reason[phase?.kind === 'skipped' ? phase.reason : 'none'],
  );
  col.compute_success.push(vm?.success ?? false);
  col.compute_msg_state_used.push(vm?.msgStateUsed ?? false);
  col.compute_account_activated.push(vm?.accountActivated ?? false);
  col.compute_gas_fees.push(vm?.gasFees ?? 0n);
  col.compute_gas_used.push(vm?.gasUsed ?? 0n);
  col.compute_gas_limit.push(vm?.gasLimit ?? 0n);
  col.compute_gas_credit.push(vm?.gasCredit ?? null);
  col.compute_mode.push(vm?.mode ?? 0);
  col.compute_exit_code.push(vm?.exitCode ?? 0);
  col.compute_exit_arg.push(vm?.exitArg ?? null);
  col.compute_vm_steps.push(vm?.vmSteps ?? 0);
  col.compute_vm_init_state_hash.push(vm?.vmInitStateHash ?? NO_HASH);
  col.compute_vm_final_state_hash.push(vm?.vmFinalStateHash ?? NO_HASH);
}
