import type { LogIdentity, LogRecord, NewRecord, NewStep } from '../../log/port.ts';
import type { AvroCodec } from '../../platform/avro/avro-codec.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';

export type { LogRecord, NewRecord } from '../../log/port.ts';

/** A database of the store. */
export interface StoreDatabase {
  readonly client: StoreClient;
  readonly database: string;
}

/** One step of the log as the store knows it. */
export interface StoredStep {
  readonly position: number;
  /** Bytes of its records. */
  readonly bytes: number;
  readonly transactions: number;
}

export interface HistorySize {
  readonly blocks: number;
  readonly transactions: number;
  /** Bytes of the records. */
  readonly bytes: number;
}

/** A record that is indexed; hashes in lower-case hex. */
export interface KnownRecord {
  /** Its key in the log. */
  readonly key: string;
  readonly position: number;
  readonly rootHash: string;
  readonly fileHash: string;
}

/** The bytes of a record as some other place than the store has them. */
export interface FoundRecord {
  readonly boc: Uint8Array;
  readonly rootHash: Uint8Array;
  /** Origin, for errors. */
  readonly origin: string;
}

/** Archive that records can be read from again. */
export interface RecordArchive {
  readonly name: string;
  /** Null if it has no such record. Called in the order of steps. */
  read(record: KnownRecord): Promise<FoundRecord | null>;
}

/** Archive that has the chain of the records too. */
export interface StepArchive extends RecordArchive {
  /** The steps that follow a step's last record, proven to continue its chain; none after the first one that it lacks. */
  stepsAfter(
    before: Pick<NewRecord, 'key' | 'value'>,
    options: { readonly identity: LogIdentity; readonly codec: AvroCodec; readonly signal: AbortSignal },
  ): AsyncIterable<NewStep>;
}

/** Stored records of some ranges, and their destination. */
export interface RestoreOptions {
  readonly client: StoreClient;
  /** Database that lists the records. */
  readonly from: string;
  /** Database whose kept records are made whole. */
  readonly to: string;
  readonly ranges: readonly PositionRange[];
  readonly signal: AbortSignal;
  /** Records are taken from the index of their ids too: the table of records may lack some. */
  readonly fromIndex?: boolean;
}

/** Records that are indexed and not kept. */
export interface MissingRecords {
  readonly blocks: number;
  readonly first: KnownRecord | null;
}

/** A step of which records are left nowhere. */
export interface LostStep {
  readonly position: number;
  readonly reason: string;
}

/** Input records of cold epochs, from sealed files of the log. */
export interface ColdRecords {
  /**
   * Records of the cold positions of a range, by position, each step in the log's order without copies of a record.
   * To be asked after the store: what was dropped since is here.
   */
  read(range: PositionRange): Promise<ReadonlyMap<number, readonly NewRecord[]>>;
}

/** How stored records become records of the log. */
export interface RecordEncoding {
  readonly codec: AvroCodec;
  readonly network: string;
  readonly signal: AbortSignal;
  /** Records that the store has dropped. Default: it has dropped none of these. */
  readonly cold?: ColdRecords;
}

/** A part of the table that keeps records, all of one epoch. */
export interface RecordPart {
  readonly name: string;
  readonly epoch: number;
}

/** Kept records of some parts and positions, and the sealed records of these positions. */
export interface ColdComparison {
  readonly parts: readonly string[];
  readonly range: PositionRange;
  readonly sealed: readonly LogRecord[];
  /** The store has dropped none of these records: a sealed one that it lacks is a difference too. */
  readonly isComplete: boolean;
  readonly codec: AvroCodec;
}

/** Records of old epochs can be dropped from the store, because sealed files of the log have them too. */
export interface ColdInput {
  /** Parts that have records. */
  parts(store: StoreDatabase): Promise<readonly RecordPart[]>;
  /** Number of records in parts. */
  count(store: StoreDatabase, parts: readonly string[]): Promise<number>;
  /**
   * Compares each record with the sealed one of its key, byte for byte. Returns the number of records, and how the first
   * differing one differs.
   */
  compare(
    store: StoreDatabase,
    comparison: ColdComparison,
  ): Promise<{ readonly records: number; readonly differing: string | null }>;
  /** Drops a part. False if it is gone: a merge has replaced it. */
  dropPart(store: StoreDatabase, name: string): Promise<boolean>;
  /** Records of a range that are indexed and not kept. */
  missing(store: StoreDatabase, range: PositionRange): Promise<readonly KnownRecord[]>;
  /** Lowest and highest position of kept records; null if none are kept. */
  extent(store: StoreDatabase): Promise<PositionRange | null>;
}

/** Records of a topic as the store keeps them: the queries of dedup, retention, retries and replays. */
export interface StoredInput {
  /** Projection whose database holds the records. */
  readonly projection: string;
  /** The topic is fed from confirmed rows, and may begin after the first of them. Default: it has all. */
  readonly isFed?: boolean;
  /** Old records may be in sealed files only. Default: the store keeps all. */
  readonly cold?: ColdInput;
  /** Landing tables of that projection which hold them: no version of the code changes their rows. */
  readonly landings: readonly string[];
  /** Steps of a range that have records, ascending. */
  steps(store: StoreDatabase, range: PositionRange): Promise<readonly StoredStep[]>;
  /** The same steps, only from stored records; transactions are not counted. */
  readStoredSteps(store: StoreDatabase, range: PositionRange): Promise<readonly StoredStep[]>;
  /** Records and bytes of the ranges. */
  size(store: StoreDatabase, ranges: readonly PositionRange[]): Promise<HistorySize>;
  /** Records of the positions of a range as the log had them, by position, each step in the log's order. */
  records(
    store: StoreDatabase,
    range: PositionRange,
    encoding: RecordEncoding,
  ): Promise<ReadonlyMap<number, readonly NewRecord[]>>;
  /** Whether the record is kept. */
  has(store: StoreDatabase, key: string, position: number): Promise<boolean>;
  /** Root hashes (hex) of the kept records of a range, by key. */
  hashes(store: StoreDatabase, range: PositionRange): Promise<ReadonlyMap<string, string>>;
  /** The highest indexed position of a range; -1 if there is none. */
  highest(store: StoreDatabase, range: PositionRange): Promise<number>;
  /** Root hash (hex) of an indexed record; null if there is none. */
  rootHash(store: StoreDatabase, key: string, position: number): Promise<string | null>;
  /** Records of the topic begin with states, which are kept apart. Default: they do not. */
  readonly hasStates?: true;
  /** Positions of the ranges that begin with a state. */
  startStates(store: StoreDatabase, ranges: readonly PositionRange[]): Promise<readonly number[]>;
  /** Steps of the ranges of which fewer records are kept than are known. */
  lost(store: StoreDatabase, ranges: readonly PositionRange[]): Promise<readonly LostStep[]>;
  /** Keeps records of the log that are not kept yet and are whole; answers how many. States are left out. */
  refill(store: StoreDatabase, records: readonly LogRecord[], codec: AvroCodec): Promise<number>;
  /** Records that are indexed and not kept. */
  missing(options: RestoreOptions): Promise<MissingRecords>;
  /**
   * Reads records again, compares them with the index, and stores missing ones; returns their number. `all`: stored
   * ones are compared too. Throws if the archive has other bytes.
   */
  restore(options: RestoreOptions, archive: RecordArchive, all: boolean): Promise<number>;
}
