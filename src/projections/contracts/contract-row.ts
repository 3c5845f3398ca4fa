import { type ContractData, readContract } from '../../ton/contracts/contract-layouts.ts';
import type { ContractState } from '../../ton/contracts/contract-state.ts';

/** A row of `contract_states`: a contract as it was last known. */
export interface ContractRow extends ContractData {
  readonly position: number;
  readonly lt: bigint;
  readonly isGone: boolean;
  readonly dataHash: Uint8Array;
  /** State that the data gives. */
  readonly state: ContractState;
}

/** The row that the data of an account gives; null where it is not what its code keeps. */
export function contractRow(fields: Omit<ContractRow, 'state'>): ContractRow | null {
  const state = readContract(fields);
  return state && { ...fields, state };
}
