import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { methodId } from '../../../ton/contracts/codes/method-id.ts';
import type { ContractDetails, ContractKey, ContractState } from '../../../ton/contracts/contract-state.ts';
import type { TokenKind, TokenState } from '../../../ton/contracts/token-state.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';

/** Get methods by kind: a contract that has one of them may be of the kind. */
export type KindMethods<K extends string = string> = Readonly<Record<K, readonly string[]>>;

/** Get methods whose answers make a contract a token of a kind (v3-rules.md 6). */
export const TOKEN_METHODS: KindMethods<TokenKind> = {
  jetton_master: ['get_jetton_data'],
  jetton_wallet: ['get_wallet_data'],
  nft_collection: ['get_collection_data'],
  nft_item: ['get_nft_data'],
};

/** Contracts that sell an NFT, and items that sell themselves. */
export type SaleKind = 'nft_sale' | 'nft_auction' | 'teleitem';

/** The same of sales and auctions of an NFT. */
export const SALE_METHODS: KindMethods<SaleKind> = {
  nft_sale: ['get_sale_data', 'get_fix_price_data_v4'],
  nft_auction: ['get_auction_data_v4', 'get_sale_data'],
  teleitem: ['get_telemint_token_name'],
};

/** A wallet of several signers, and what they are asked to sign. */
export type MultisigKind = 'multisig' | 'multisig_order';

/** The same of multisigs and orders. */
export const MULTISIG_METHODS: KindMethods<MultisigKind> = {
  multisig: ['get_multisig_data'],
  multisig_order: ['get_order_data'],
};

/** The same for names of the `.ton` zone; names of `.t.me` are Telegram items. */
export const NAME_METHODS: KindMethods<'dns_item'> = { dns_item: ['get_domain'] };

/** Kinds in addition to tokens. */
export type DetectedContractKind = SaleKind | MultisigKind | 'dns_item';

/** Kinds that a code with these methods may be. */
export function kindsOfMethods<K extends string>(methods: KindMethods<K>, ids: readonly number[]): K[] {
  const has = new Set(ids);
  return (Object.keys(methods) as K[]).filter((kind) =>
    methods[kind].some((name) => has.has(methodId(name))),
  );
}

/** An account to examine, with its state. */
export interface Candidate {
  readonly account: AccountAddress;
  readonly position: number;
  readonly lt: bigint;
  readonly codeHash: Uint8Array;
  readonly dataHash: Uint8Array;
  /** It is alive under a code that is queued. */
  readonly isQueued: boolean;
  /** True if it has a known code and a detected parent. */
  readonly isKnownChild: boolean;
}

/** Token as its contract describes it, confirmed by its master or collection. */
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

/** An account that ended before anybody looked at it, in the last state that it had. */
export interface EndedCandidate extends Omit<Candidate, 'isQueued' | 'isKnownChild'> {
  /** Its state now, which is none. */
  readonly end: Pick<Candidate, 'position' | 'lt'>;
}

/**
 * Runs the get methods of a kind on the newest state of an account, or on its state after masterchain block `at`. Null:
 * not possible now; retry later.
 */
export type DetectKind<K extends string, F> = (
  account: AccountAddress,
  kind: K,
  at?: number,
) => Promise<DetectionOutcome<F> | null>;

/** The state that was looked at. */
export type CheckedState = Pick<Candidate, 'account' | 'position' | 'lt' | 'codeHash' | 'dataHash'>;

/** Outcomes on their way into the store. */
export interface OutcomeRows<K extends string, F> {
  add(candidate: CheckedState, kind: K, outcome: DetectionOutcome<F>): void;
  flush(store: DetectionStore): Promise<void>;
}

/** Databases that detection reads and writes. */
export interface DetectionStore {
  readonly client: StoreClient;
  readonly network: string;
  /** Database of the served version that has the newest states of accounts. */
  readonly states: string;
  /** Database of the served version of this projection. */
  readonly contracts: string;
}

/** Children under known codes: items of collections, orders of multisigs. */
export interface KnownChildren<K extends string> {
  readonly kind: K;
  readonly parent: K;
  /** Statement for the children of some parents (a statement too), in the database of `contracts`. */
  known(contracts: string, parents: string): string;
}

/** A family of kinds whose outcomes are stored in one table. */
export interface DetectionFamily<K extends string, F> {
  /** Table of the network's database. */
  readonly table: 'detections' | 'detected_contracts';
  readonly methods: KindMethods<K>;
  /** Children under known codes are examined too if their parent was detected; null: there are none. */
  readonly children: KnownChildren<K> | null;
  /** True if ended contracts still matter for answers: receivers of transfers. */
  readonly hasEnded: boolean;
  rows(): OutcomeRows<K, F>;
}
