import type { StoreClient } from '../platform/clickhouse/client.ts';
import type { SettingsIn } from '../platform/config/settings.ts';
import type { Metrics } from '../platform/observability/metrics/metrics.ts';
import type { Peers } from '../platform/processes/peers.ts';
import type { BodyDecoder } from '../ton/bodies/body-decoder.ts';
import type { StartLts } from '../ton/decode/start-lts.ts';
import type { ChainPort } from './chain-port.ts';
import type { ClassifyTrace } from './classifier-port.ts';
import type { IntegrityPort } from './integrity-port.ts';
import type { KeyRing } from './keys/key-ring.ts';
import type { LookUpPort } from './look-up-port.ts';
import type { TokenMetadata } from './metadata-port.ts';
import type { RateCounts } from './rate-counts.ts';
import type { SealedBlocksPort } from './sealed-blocks-port.ts';
import type { ServedTables } from './served-tables.ts';
import type { SqlPort } from './sql-port.ts';
import type { ProjectionName, VersionVector } from './version-vector.ts';

/** Chain that the store holds. */
export interface ServedNetwork {
  readonly label: string;
  /** Sets the test flag of friendly addresses. */
  readonly testnet: boolean;
  /** Hashes of the masterchain zerostate, 32 bytes each; null if the start did not have them. */
  readonly zerostate: { readonly rootHash: Uint8Array; readonly fileHash: Uint8Array } | null;
  /** Unrelated blocks without continuity: a masterchain seqno inside the visible range may be missing. */
  readonly isolated: boolean;
  /** Where the index begins in mid-chain, by shard: it lacks accounts that did not change since. Absent: it lacks none. */
  readonly starts?: StartLts;
}

/** Tables of the network's database that answers read. */
export type MetaTable = 'found_codes' | 'mintless_masters' | 'mintless_amounts' | 'hidden_methods';

/** Settings of the API. Limits are resolved: null is no limit. */
export type ServeSettings = SettingsIn<'api' | 'metrics'> & {
  readonly [K in keyof SettingsIn<'limits'>]: Exclude<SettingsIn<'limits'>[K], 'auto'>;
} & {
  /** A larger limit is refused with 422. */
  readonly maxLimit: number;
};

/** Facts first, then the sentence. */
export interface ServeLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}

/** Facts of the other stages that `/healthz` adds to the API's. */
export interface ServeHealth {
  /** Messages that could not be decoded and wait in the dead-letter topic. */
  readonly deadLetters: number;
  /** Rows that were indexed are missing from the store. */
  readonly isDamaged?: boolean;
  /** Further facts, shown unchanged (e.g. lag of the consumer groups). */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Everything that the API needs; built by cli/compose. */
export interface ServeContext {
  readonly client: StoreClient;
  /** Asked once at the start of each request: an answer never mixes two versions or two heads. */
  vector(): VersionVector;
  /**
   * Updates `vector` for some projections before a request is answered: pending writes of idle lanes. Never rejects,
   * and takes a second at most. Absent if `vector` is always up to date.
   */
  freshen?(reads: readonly ProjectionName[]): Promise<void>;
  /** Tables of a served version; null or absent if they are this release's. */
  getTables?(database: string): ServedTables | null;
  /** Why the version that is to be served cannot be read by this release, which stays with the one before; or null. */
  refused?(): string | null;
  /** What a stage of this process waits for; null if none does. Absent: this process only answers. */
  waits?(): string | null;
  readonly network: ServedNetwork;
  readonly settings: ServeSettings;
  readonly log: ServeLog;
  /** API keys; absent if limits are off. */
  readonly keys?: KeyRing | undefined;
  /** Counts of requests shared by processes; absent: each counts separately. */
  readonly rateCounts?: RateCounts | undefined;
  /** The other processes that answer at this address; absent: there are none. */
  readonly peers?: Peers | undefined;
  /** Runs contracts and accepts messages; absent if the server only answers from the store. */
  readonly chain?: ChainPort | undefined;
  /** Classifies actions of traces; absent if traces are not classified. */
  readonly classifyTrace?: ClassifyTrace;
  /** Rows by key without statements; absent if this server has no look-up index. */
  readonly lookUps?: LookUpPort | undefined;
  /** Blocks that the store has dropped; absent if it has all. */
  readonly sealedBlocks?: SealedBlocksPort;
  /** Off-chain facts of tokens; absent if the store has none. */
  readonly metadata?: TokenMetadata;
  /** Tables that a store of an older release lacks. Absent: none. */
  readonly lackedTables?: ReadonlySet<MetaTable>;
  /** Decodes message bodies; absent: by the layouts that come with the product. */
  readonly bodies?: BodyDecoder;
  /** SQL of analysts; absent if this server offers none. */
  readonly sql?: SqlPort | undefined;
  health(): Promise<ServeHealth>;
  /** Proof of the tables; absent without a prover. */
  readonly integrity?: IntegrityPort;
  /** Metrics of the API; absent if they are not shown. */
  readonly metrics?: Metrics | undefined;
}
