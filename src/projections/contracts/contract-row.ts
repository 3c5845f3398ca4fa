import { type ContractData, readContract } from '../../ton/contracts/contract-layouts.ts';
import type { ContractState } from '../../ton/contracts/contract-state.ts';

/** A row of `contract_states`: the last known state of a contract. */
export interface ContractRow extends ContractData {
  readonly position: number;
  readonly lt: bigint;
  readonly isGone: boolean;
  readonly dataHash: Uint8Array;
  /** State that the data gives. */
  readonly state: ContractState;
}

/** The row from an account's data; null if the data does not match its code. */
export function contractRow(fields: Omit<ContractRow, 'state'>): ContractRow | null {
  const state = readContract(fields);
  return state && { ...fields, state };
}
