import type { StoreClient } from '../platform/clickhouse/client.ts';
import type { ChainPort } from './chain-port.ts';
import type { CorsChoice } from './cors-choice.ts';

/** Masterchain seqnos whose rows are complete: confirmed, contiguous and holding the head. Both bounds inclusive. */
export interface VisibleRange {
  readonly first: number;
  readonly last: number;
}

/** Which chain the store holds. */
export interface ServedNetwork {
  readonly label: string;
  /** Sets the test flag of friendly addresses. */
  readonly testnet: boolean;
  /** Hashes of the masterchain zerostate, 32 bytes each; null where the start did not tell them. */
  readonly zerostate: { readonly rootHash: Uint8Array; readonly fileHash: Uint8Array } | null;
  /** Unrelated blocks without continuity: a masterchain seqno inside the visible range may be missing. */
  readonly isolated: boolean;
}

export interface ServeSettings {
  /** Rows of a list when the request names no limit. */
  readonly defaultLimit: number;
  /** A larger limit is refused with 422. */
  readonly maxLimit: number;
  /** The `@type` of v2 block ids; `auto`: `chain.blockIdExt` on REST routes, `ton.blockIdExt` on /jsonRPC. */
  readonly blockIdTag: 'auto' | 'chain.blockIdExt' | 'ton.blockIdExt';
  /** Longest time of an answer, all its statements together, milliseconds; `x_timeout` may shorten it. */
  readonly queryTimeoutMs: number;
  /** Statements of answers at the store at the same time. */
  readonly storeStatements: number;
  /** Bytes of the response cache; 0 caches nothing. */
  readonly responseCacheBytes: number;
  /** Connections of clients at the same time; further ones are closed at once. */
  readonly maxConnections: number;
  /** Names, beside those of loopback, that requests may call the server by. */
  readonly allowedHosts: readonly string[];
  readonly cors: CorsChoice;
}

export const DEFAULT_SERVE_SETTINGS: ServeSettings = {
  defaultLimit: 10,
  maxLimit: 1000,
  blockIdTag: 'auto',
  queryTimeoutMs: 3000,
  storeStatements: 16,
  responseCacheBytes: 64 * 1024 * 1024,
  maxConnections: 1000,
  allowedHosts: [],
  cors: 'off',
};

/** Facts first, then the sentence. */
export interface ServeLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}

/** What `/healthz` adds to what the API knows itself: facts of the other stages, owned by the wiring. */
export interface ServeHealth {
  /** Messages that could not be decoded and wait in the dead-letter topic. */
  readonly deadLetters: number;
  /** Rows that were indexed are missing from the store. */
  readonly isDamaged?: boolean;
  /** Further facts, shown as they are (e.g. lag of the consumer groups). */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Everything that the API stands on; made by cli/wiring. */
export interface ServeContext {
  readonly client: StoreClient;
  /** Database of the served version of the `base` projection; asked once at the start of each request. */
  baseDatabase(): string;
  /** null while nothing is indexed. */
  visible(): VisibleRange | null;
  readonly network: ServedNetwork;
  readonly settings: ServeSettings;
  readonly log: ServeLog;
  /** Runs contracts and takes messages; absent where the server only answers from the store. */
  readonly chain?: ChainPort | undefined;
  health(): Promise<ServeHealth>;
}
