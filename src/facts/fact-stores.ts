import type { QueryOptions } from '../platform/clickhouse/client-options.ts';
import type { AccountFacts } from '../ton/contracts/account-facts.ts';

/*
 * Facts of contracts for the classifier of traces. Stored actions, traces on demand, pending traces and emulation read
 * them here (docs/decisions/0047-facts-of-actions.md). Addresses are raw text.
 */

/** Sends the statements of facts: a client of the store, or the scope of a request. */
export interface FactClient {
  queryRows<R extends readonly unknown[]>(
    sql: string,
    options: QueryOptions,
  ): Promise<{ readonly rows: readonly R[] }>;
}

/** A database that facts are read from. */
export interface FactDatabase {
  readonly client: FactClient;
  readonly database: string;
}

/** Outcomes of get methods that are confirmed up to a step. */
export interface DetectedDatabase extends FactDatabase {
  readonly last: number;
}

/** Where facts are read from. */
export interface FactStores {
  /** Transactions and account states. */
  readonly chain: FactDatabase;
  /** States and cells of tokens and other contracts. */
  readonly tokens: FactDatabase;
  /** Outcomes of get methods for contracts under unknown codes; null if there are none. */
  readonly detections: DetectedDatabase | null;
  /** Code and data of accounts. Default: their stored states. */
  readonly states?: StateSource;
}

/** Masterchain steps, both inclusive. */
export interface FactRange {
  readonly first: number;
  readonly last: number;
  /** Only facts as of `last` are wanted, and it is the newest step of the index. Default false. */
  readonly isNewest?: boolean;
}

/** A part of an account's facts, and the step from which on it holds; null: from there on nothing does. */
export interface DatedFact {
  readonly account: string;
  readonly position: number;
  readonly facts: AccountFacts | null;
  /** Facts of one kind take each other's place. */
  readonly kind: string;
}

/** The code that an account has from a step on; null if it has none. */
export interface DatedState {
  readonly account: string;
  readonly position: number;
  readonly lt: bigint;
  /** Base64. */
  readonly codeHash: string | null;
}

/** The hash of the data (base64) that an account has from a step on; null if it has none. */
export interface DatedHash {
  readonly account: string;
  readonly position: number;
  readonly hash: string | null;
}

/** Only the root of a cell, as a bag, and the step from which the index has it. */
export interface FoundRoot {
  readonly position: number;
  readonly bag: Uint8Array;
}

/** Code and data of accounts through a range of steps: what held at its start, and each change within it. */
export interface StateSource {
  readStates(accounts: readonly string[], range: FactRange): Promise<readonly DatedState[]>;
  readDataHashes(accounts: readonly string[], range: FactRange): Promise<readonly DatedHash[]>;
  /** Roots of cells by hash (base64), up to a step. */
  readRoots(hashes: readonly string[], last: number): Promise<ReadonlyMap<string, FoundRoot>>;
}
