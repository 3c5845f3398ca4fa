import type { Bus, LogIdentity } from '../log/port.ts';
import type { AvroCodec } from '../platform/avro/avro-codec.ts';
import type { StoreClient } from '../platform/clickhouse/client.ts';
import type { Log } from '../platform/observability/log.ts';
import type { ReadDemand } from './demand/read-demand.ts';
import type { EngineMetrics } from './metrics/engine-metrics.ts';
import type { ColdTier } from './projection/cold-tier.ts';
import type { DecoderChoices, TableProjection } from './projection/projection.ts';
import type { AuditedProjection } from './projection/table-audit.ts';
import type { ConfirmedNews } from './watermark/confirmed-news.ts';

/** The served version of each projection; null if it has none. */
export interface ServedPointers {
  of(projection: string): Promise<{ readonly version: number | null }>;
}

/** One projection with the log that it reads and the store that it writes. */
export interface EngineParts {
  readonly projection: TableProjection;
  readonly bus: Bus;
  readonly codec: AvroCodec;
  readonly client: StoreClient;
  readonly identity: LogIdentity;
  /** Name of this process in leases. */
  readonly owner: string;
  readonly log: Log;
  /** Ends look-ups that wait for a store that is away. Default: they wait. */
  readonly signal?: AbortSignal;
  /** Where old parts of a new version move. Default: nowhere. */
  readonly tier?: ColdTier | null;
  /** Version that is written. Default: the first. */
  readonly version?: number;
  /** Counters of the work. Default: none. */
  readonly metrics?: EngineMetrics | undefined;
  /** Lets lanes idle at the head without requests. Default: they never idle. */
  readonly demand?: ReadDemand | undefined;
  /** Shared by the projections of a process. Default: each looks for itself. */
  readonly pointers?: ServedPointers | undefined;
  /** Steps that the lanes of this process confirm. Default: waiting for them asks the store. */
  readonly news?: ConfirmedNews | undefined;
}

/** The log and the store of a projection whose tables can be verified and repaired. */
export interface AuditedParts extends EngineParts {
  readonly projection: AuditedProjection;
}

/** The log as a projection reads it. */
export interface InputParts extends Pick<EngineParts, 'bus' | 'identity'> {
  readonly projection: Pick<TableProjection, 'reads'>;
}

export interface DecoderSettings extends DecoderChoices {
  /** Threads that decode; 0: the caller's own. Default `auto`. */
  readonly decodeWorkers?: number | 'auto';
}

export interface LaneSettings extends DecoderSettings {
  /** Transactions that make a batch full. */
  readonly batchRows: number;
  /** Longest wait for a batch to fill at the head, milliseconds. */
  readonly batchMs: number;
  /** A member silent for this long loses its lanes, milliseconds. */
  readonly sessionMs: number;
}

/** Scope of work that can be stopped. */
export interface RunScope {
  readonly signal: AbortSignal;
  readonly owner: string;
  readonly log: Log;
}
