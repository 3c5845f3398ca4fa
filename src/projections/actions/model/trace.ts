/** Status of an account before or after a transaction. */
export type AccountStatus = 'active' | 'uninit' | 'frozen' | 'nonexist';

/** Amounts of extra currencies by decimal id: `{"100": "5000"}`; `{}` if a message carries none. */
export type ExtraCurrencies = Readonly<Record<string, string>>;

/** One message as the classifier reads it. Addresses are raw text with upper-case hex, hashes base64. */
export interface TraceMessage {
  /** Representation hash of the message's cell. */
  readonly hash: string;
  /** null: external-in. */
  readonly source: string | null;
  /** null: external-out, a log. */
  readonly destination: string | null;
  /** Nanotons; null for external messages. */
  readonly value: bigint | null;
  readonly extraCurrencies: ExtraCurrencies;
  /** null for external-in messages. */
  readonly createdLt: bigint | null;
  /** Unix seconds; null for external-in messages. */
  readonly createdAt: number | null;
  /** First 32 bits of the body, unsigned; null if the body is shorter. */
  readonly opcode: number | null;
  /** null for external messages. */
  readonly bounce: boolean | null;
  /** Body as a bag of cells; null if it is not available. */
  readonly body: Uint8Array | null;
  /** StateInit as a bag of cells; null if the message has none. */
  readonly stateInit: Uint8Array | null;
}

/** One transaction of a trace. */
export interface TraceTransaction {
  readonly hash: string;
  readonly account: string;
  readonly lt: bigint;
  /** Unix seconds. */
  readonly now: number;
  /** Masterchain block that committed the transaction's block. */
  readonly mcSeqno: number;
  readonly aborted: boolean;
  readonly originalStatus: AccountStatus;
  readonly endStatus: AccountStatus;
  readonly isTickTock: boolean;
  /** Why the compute phase was skipped; null if it was not. */
  readonly skipReason: 'no_state' | 'bad_state' | 'no_gas' | 'suspended' | null;
  /** null if the compute phase was skipped. */
  readonly exitCode: number | null;
  /** null: tick-tock. */
  readonly inMessage: TraceMessage | null;
  /** In the order of the transaction. */
  readonly outMessages: readonly TraceMessage[];
}

/**
 * A trace: transactions joined by their messages. An out-message and the in-message that it became have the same hash.
 * Immutable: one value may be classified many times and from several places.
 */
export interface Trace {
  /** Hash of the root transaction, base64. */
  readonly traceId: string;
  /** Any order. */
  readonly transactions: readonly TraceTransaction[];
}
