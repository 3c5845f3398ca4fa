import type { LogIdentity, LogRecord, OutputRecord } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import type { SinkDefinition } from '../sink/sink-definition.ts';
import { STEP_ROWS } from '../sink/step-rows.ts';
import type { CorrectionSource, CorrectionStart } from './correction.ts';
import type { RowMaker, RowStart } from './row-maker.ts';
import type { RowParts } from './row-set.ts';
import type { StoreDatabase, StoredInput } from './stored-input.ts';
import type { CheckResult } from './table-audit.ts';
import type { VersionPair, VersionSums } from './version-pair.ts';

export type { Bus, LogIdentity, LogRecord, OutputRecord } from '../../log/port.ts';

/** Settings that decide what decoding proves and how. */
export interface DecoderChoices {
  /** `none`, `file`, `tx`, `root`, or `auto`: as the log's continuity asks for (platform/config/settings.ts). */
  readonly verifyLevel: string;
  /** Threads that decode; they divide the memory of the process between them. Default 1. */
  readonly threads?: number;
}

/** The code that turns records of the log into rows; it runs on worker threads. */
export interface DecoderCode {
  /** URL of a module that exports `createDecoder` (engine/decoding/decode-worker.ts). */
  readonly module: string;
  /** The argument of `createDecoder`: plain data, since it travels to the threads. */
  readonly buildOptions: (log: LogIdentity, choices: DecoderChoices) => unknown;
  /** The log's identity with later facts from the store. Default: unchanged. */
  readonly inStore?: (client: StoreClient, log: LogIdentity) => Promise<LogIdentity>;
}

/** Facts of every projection, into tables or topics. */
export interface ProjectionFacts {
  readonly name: string;
  /** Version of the code: raised with every change of what it yields. */
  readonly version: number;
  /** Topic of the log that it is made from. */
  readonly reads: string;
  /** Consumer group of its first version; also the name of its stage in dead letters. */
  readonly group: string;
  readonly decoder: DecoderCode;
}

/** Makes the records of one transaction from decoded rows. */
export interface OutputBatch {
  /** Records of the rows of one record of the log, in order; valid as long as the batch. */
  encode(parts: RowParts, source: LogRecord): readonly OutputRecord[];
}

/** A projection into topics that others read. */
export interface TopicProjection extends ProjectionFacts {
  /** Topics that it writes. */
  readonly topics: readonly string[];
  /** `lanes`: partitions of each topic. Answers what begins a batch. */
  readonly createEncoder: (lanes: number) => () => OutputBatch;
}

/** The served version of a projection, of some network. */
export interface ServedStore extends StoreDatabase {
  readonly network: string;
}

/** A projection into tables of the store, with a database a version. */
export interface TableProjection extends ProjectionFacts {
  /**
   * `epoch`: the rows of an epoch follow only from its records, so epochs are decoded in any order and in parallel.
   * Otherwise state moves in chain order, in independent partitions: each reads the whole log and keeps its own part.
   */
  readonly order: 'epoch' | { readonly partitions: number };
  readonly begin: (at: RowStart) => RowMaker;
  /**
   * The projection as it continues a version of its code, if a choice is part of that version: only a replay changes
   * it. Default: unchanged.
   */
  readonly ofCode?: (codeVersion: number) => TableProjection;
  /** Folder of migrations: `meta`, and a folder of its name with the tables. Default: this checkout's. */
  readonly migrations?: string;
  readonly sink: SinkDefinition;
  /** Landing tables of earlier versions that the code no longer fills, because nothing reads their rows. Default: none. */
  readonly retired?: readonly string[];
  /** Records of the log as the store keeps them, so that a replay needs no log. */
  readonly input: StoredInput;
  /** Projections whose facts it needs: it stays behind their confirmed steps. Default: none. */
  readonly needs?: readonly TableProjection[];
  /**
   * Projections whose facts it uses as far as they are: it waits for their confirmed steps only while they make progress.
   * Default: none.
   */
  readonly consults?: readonly TableProjection[];
  /** The topic of the log that its confirmed rows lead to, a step of records for each position. Default: none. */
  readonly feeds?: FedTopic;
  /** True if servers write it, since they feed its topic; processes that only index leave it out. Default: false. */
  readonly isWrittenByServers?: true;
  /** Corrects rows of confirmed steps when facts come later than the step. Default: rows do not change. */
  readonly corrections?: (at: CorrectionStart) => CorrectionSource;
  /** Figures of a version that `status` shows, by name. */
  readonly figures?: (store: ServedStore) => Promise<Readonly<Record<string, number>>>;
  /** In chain order: checks of `verify` in addition to the engine's checks. */
  readonly checks?: (options: ChainCheckOptions) => Promise<readonly CheckResult[]>;
  /** Problems of a built version in addition to the engine's checks, as text. */
  readonly problems?: (pair: VersionPair, sums: VersionSums) => Promise<readonly string[]>;
}

/** A topic that follows the confirmed positions of a projection, each appended once. */
export interface FedTopic {
  readonly topic: string;
  /**
   * Where the topic begins: with the epoch of the head (default), since readers get earlier steps from the store, or
   * with the first confirmed position.
   */
  readonly begins?: 'head' | 'first';
  /** Records from the projection's rows. Absent: another part makes them, with facts that the rows do not have. */
  readonly records?: StepFeed['records'];
}

/** A fed topic with its records. One writer appends the records of each confirmed position after the topic's last one. */
export interface StepFeed extends FedTopic {
  /**
   * Records by position, at least one of each. It may return only the first positions of the range, or none: then it is
   * called again. Records that the rows determine are equal in each call.
   */
  readonly records: StoredInput['records'];
  /** Called when a writer begins: records that were returned before may not have been appended. Default: nothing. */
  readonly begin?: () => void;
}

/** The served version of a projection in chain order, and the database that keeps the records which it is made of. */
export interface ChainCheckOptions {
  readonly client: StoreClient;
  readonly database: string;
  readonly input: string;
  /** Ranges that both have confirmed. */
  readonly ranges: readonly PositionRange[];
  /** The first of them if it begins with the projection's first step, or null: `base` may still lack steps before it. */
  readonly beginning: PositionRange | null;
}

/** Landing tables of a projection that hold the input itself: a replay links them instead of decoding them. */
export function inputLandings({ name, input }: Pick<TableProjection, 'name' | 'input'>): readonly string[] {
  return input.projection === name ? input.landings : [];
}

/** Names of the projections that must be there for this one: the one that keeps its input, and those that it looks facts up in. */
export function neededNames({
  input,
  needs = [],
}: Pick<TableProjection, 'input' | 'needs'>): readonly string[] {
  return [input.projection, ...needs.map(({ name }) => name)];
}

/** The targets whose rows a step counts in `step_rows`. */
export function stepCounted({ sink }: Pick<TableProjection, 'sink'>): SinkDefinition {
  const landings = sink.landings.filter(({ landing }) => landing !== STEP_ROWS);
  return { ...sink, landings, derived: [] };
}

/** Partitions of a projection in chain order; null where epochs are independent. */
export function getPartitions({ order }: Pick<TableProjection, 'order'>): number | null {
  return order === 'epoch' ? null : order.partitions;
}
