import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { DetectedContractKind, KindMethods } from '../../ton/contracts/codes/kind-methods.ts';
import type { ContractDetails, ContractKey, ContractState } from '../../ton/contracts/contract-state.ts';
import type { TokenState } from '../../ton/contracts/token-state.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';

/** A state that was examined, at the masterchain step `position`. */
export interface CheckedState {
  readonly account: AccountAddress;
  readonly position: number;
  readonly lt: bigint;
  readonly codeHash: Uint8Array;
  readonly dataHash: Uint8Array;
}

/** An account to examine, with its newest state. */
export interface Candidate extends CheckedState {
  /** It is active under a code that is queued. */
  readonly isQueued: boolean;
  /** True if it has a known code and a detected parent. */
  readonly isKnownChild: boolean;
  /** True if the outcome of this state is recorded, and it is unknown. */
  readonly isRetried: boolean;
}

/** An account that ended before it was examined, in its last state. */
export interface EndedCandidate extends CheckedState {
  /** The step and the lt of its end. */
  readonly end: Pick<CheckedState, 'position' | 'lt'>;
}

/** A token as its contract describes it, confirmed by its master or collection. */
export type DetectedToken = Pick<
  TokenState,
  'kind' | 'amount' | 'flag' | 'owner' | 'parent' | 'childCode'
> & {
  /** JSON; null for none. */
  readonly content: string | null;
};

/**
 * A contract other than a token, by its own description; an order is confirmed by its multisig, a name by its
 * collection.
 */
export interface DetectedContract extends Pick<ContractState, 'owner' | 'parent'> {
  readonly kind: DetectedContractKind;
  /** Default: none. */
  readonly keys?: readonly ContractKey[];
  readonly details: ContractDetails;
}

/** Facts of an account of a kind, or the reason why it is none. */
export type DetectionOutcome<F = DetectedToken> = { readonly found: F } | { readonly reason: string };

/**
 * Runs the get methods of a kind on the state of an account after masterchain block `at`. Null: not possible now; retry
 * later.
 */
export type DetectKind<K extends string, F> = (
  account: AccountAddress,
  kind: K,
  at: number,
) => Promise<DetectionOutcome<F> | null>;

/** The outcome of a state for one kind. */
export interface StateOutcome<F = DetectedToken | DetectedContract> {
  readonly state: CheckedState;
  readonly kind: string;
  readonly outcome: DetectionOutcome<F>;
}

/** Databases that the detector reads. */
export interface DetectionStore {
  readonly client: StoreClient;
  readonly network: string;
  /** Database of the served version that has the newest states of accounts. */
  readonly states: string;
  /** Database of the served version of `contracts`. */
  readonly contracts: string;
  /** Database of the served version of `detections`. */
  readonly detections: string;
}

/** Children under known codes: items of collections, orders of multisigs. */
export interface KnownChildren<K extends string> {
  readonly kind: K;
  readonly parent: K;
  /** Statement for the children of some parents (a statement too), in the database of `contracts`. */
  known(contracts: string, parents: string): string;
}

/** A family of kinds whose outcomes are stored in the same tables. */
export interface DetectionFamily<K extends string> {
  /** Table of all outcomes. */
  readonly outcomes: 'token_outcomes' | 'contract_outcomes';
  /** Table of the newest state of each account and kind, and the condition that the account is of the kind. */
  readonly newest: { readonly table: string; readonly isFound: string };
  readonly methods: KindMethods<K>;
  /** Children under known codes are examined too if their parent was detected; null: there are none. */
  readonly children: KnownChildren<K> | null;
  /** True if ended contracts still matter for answers: receivers of transfers. */
  readonly hasEnded: boolean;
}
