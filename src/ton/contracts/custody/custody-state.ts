import { formatRaw } from '../../address/address.ts';
import type { AccountAddress } from '../../store/store-address.ts';
import { type ContractState, NO_NAME } from '../contract-state.ts';

/** Kinds of contracts that hold coins for several accounts. */
export type CustodyKind = keyof CustodyDetails;

/*
 * Fields of the kinds by the names of v3-models.md 11 and v3-more.md 3. Addresses raw, amounts and 256-bit numbers
 * decimal text, times in seconds.
 */

export type MultisigDetails = {
  /** -1 where orders may have any number. */
  readonly next_order_seqno: string;
  readonly threshold: number;
  readonly signers: readonly string[];
  readonly proposers: readonly string[];
};

export type OrderDetails = {
  readonly order_seqno: string;
  readonly threshold: number;
  readonly sent_for_execution: boolean;
  readonly approvals_mask: string;
  readonly approvals_num: number;
  readonly expiration_date: number;
  /** Bag of cells, base64. */
  readonly order_boc: string;
  readonly signers: readonly string[];
};

export type VestingDetails = {
  readonly start_time: number;
  readonly total_duration: number;
  readonly unlock_period: number;
  readonly cliff_duration: number;
  readonly total_amount: string;
  readonly sender_address: string;
  readonly owner_address: string;
  readonly whitelist: readonly string[];
};

export type PoolDetails = {
  readonly state: number;
  readonly nominators_count: number;
  readonly stake_amount_sent: string;
  readonly validator_amount: string;
  readonly validator_address: string;
  readonly validator_reward_share: number;
  readonly max_nominators_count: number;
  readonly min_validator_stake: string;
  readonly min_nominator_stake: string;
  readonly nominators: readonly PoolNominator[];
};

export type PoolNominator = {
  readonly address: string;
  readonly balance: string;
  readonly pending_balance: string;
};

/** Details by kind. */
export type CustodyDetails = {
  readonly multisig: MultisigDetails;
  readonly multisig_order: OrderDetails;
  readonly vesting: VestingDetails;
  readonly nominator_pool: PoolDetails;
};

/** A contract that holds coins for several accounts: the values of its get method. */
export interface CustodyState<K extends CustodyKind> extends ContractState {
  readonly kind: K;
  readonly details: CustodyDetails[K];
}

/** Fields that stay empty in these contracts, unless they have them. */
export const NO_PARTIES = { ...NO_NAME, owner: null, parent: null } as const;

export function rawText({ workchain, address }: AccountAddress): string {
  return formatRaw(workchain, address);
}
