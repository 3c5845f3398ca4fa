import type { AccountFacts, FactSort } from '../ton/contracts/account-facts.ts';

/*
 * Port of the API to the classifier of traces, in plain values: the API does not know how actions are recognised.
 */

type Status = 'active' | 'uninit' | 'frozen' | 'nonexist';

/** One message. Addresses are raw text with upper-case hex, hashes base64. */
export interface ClassifierMessage {
  readonly hash: string;
  /** null: external-in. */
  readonly source: string | null;
  /** null: external-out. */
  readonly destination: string | null;
  /** Nanotons; null for external messages. */
  readonly value: bigint | null;
  /** Amounts by decimal id. */
  readonly extraCurrencies: Readonly<Record<string, string>>;
  /** null for external-in messages, as is `createdAt` (Unix seconds). */
  readonly createdLt: bigint | null;
  readonly createdAt: number | null;
  readonly opcode: number | null;
  readonly bounce: boolean | null;
  /** Bags of cells. */
  readonly body: Uint8Array | null;
  readonly stateInit: Uint8Array | null;
}

/** One transaction of a trace. */
export interface ClassifierTransaction {
  readonly hash: string;
  readonly account: string;
  readonly lt: bigint;
  /** Unix seconds. */
  readonly now: number;
  readonly mcSeqno: number;
  readonly aborted: boolean;
  readonly originalStatus: Status;
  readonly endStatus: Status;
  readonly isTickTock: boolean;
  readonly skipReason: 'no_state' | 'bad_state' | 'no_gas' | 'suspended' | null;
  readonly exitCode: number | null;
  readonly inMessage: ClassifierMessage | null;
  readonly outMessages: readonly ClassifierMessage[];
}

/** A whole trace. */
export interface ClassifierTrace {
  /** Hash of the first transaction, base64. */
  readonly traceId: string;
  readonly transactions: readonly ClassifierTransaction[];
}

/** Facts that were looked up, by raw address; null: nothing known. */
export type FactsByAddress = ReadonlyMap<string, AccountFacts | null>;

/** Facts that were looked up, by sort. */
export type KnownFacts = Readonly<Record<FactSort, FactsByAddress>>;

/** Addresses of accounts of which rules want facts. */
export type RequestedFacts = Readonly<Record<FactSort, readonly string[]>>;

/** Values of columns and details: JSON, with amounts as bigint; undefined: left out. */
export type FactValue = string | number | bigint | boolean | null | readonly FactValue[] | FactFields;
export interface FactFields {
  readonly [name: string]: FactValue | undefined;
}

/** An action of a trace. */
export interface ClassifiedAction {
  /** By which it is filtered. */
  readonly type: string;
  readonly answeredType: string;
  readonly actionId: string;
  /** Types of the actions that it is folded into. */
  readonly ancestorTypes: readonly string[];
  readonly success: boolean;
  readonly startLt: bigint;
  readonly endLt: bigint;
  readonly startUtime: number;
  readonly endUtime: number;
  readonly accounts: readonly string[];
  readonly txHashes: readonly string[];
  /** null: the type has no layout, and its columns are shown. */
  readonly details: FactFields | null;
  readonly columns: FactFields;
}

/** Outcome of a trace's classification. */
export interface ClassifiedTrace {
  readonly state: 'ok' | 'failed';
  readonly actions: readonly ClassifiedAction[];
  /** Facts that rules asked for without a look-up: look them up and classify again. */
  readonly missing: RequestedFacts;
}

/** Classifies a trace by what was looked up of accounts. Never throws. */
export type ClassifyTrace = (trace: ClassifierTrace, known: KnownFacts) => ClassifiedTrace;
