import type { LogIdentity, LogRecord, OutputRecord } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { SinkDefinition } from '../sink/sink-definition.ts';
import { STEP_ROWS } from '../sink/step-rows.ts';
import type { RowMaker, RowStart } from './row-maker.ts';
import type { RowParts } from './row-set.ts';
import type { StoredInput } from './stored-input.ts';
import type { VersionPair, VersionSums } from './version-pair.ts';

export type { Bus, LogIdentity, LogRecord, OutputRecord } from '../../log/port.ts';

/** Settings that decide what decoding proves and how. */
export interface DecoderChoices {
  /** `none`, `file`, `tx`, `root`, or `auto`: as the log's continuity asks for (platform/config/settings.ts). */
  readonly verifyLevel: string;
}

/** The code that turns records of the log into rows; it runs on worker threads. */
export interface DecoderCode {
  /** URL of a module that exports `createDecoder` (engine/decoding/decode-worker.ts). */
  readonly module: string;
  /** The argument of `createDecoder`: plain data, since it travels to the threads. */
  readonly optionsOf: (log: LogIdentity, choices: DecoderChoices) => unknown;
  /** The log's identity with what the store has learnt since the log was made. Default: as it was made. */
  readonly inStore?: (client: StoreClient, log: LogIdentity) => Promise<LogIdentity>;
}

/** What every projection says of itself, whatever it writes. */
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

/** A projection into tables of the store, with a database a version. */
export interface TableProjection extends ProjectionFacts {
  /**
   * `epoch`: the rows of an epoch follow from its records alone, so that epochs are decoded in any order and side by
   * side. Otherwise state is carried in the order of the chain, in partitions that are independent of each other:
   * each reads the whole log and keeps its own part.
   */
  readonly order: 'epoch' | { readonly partitions: number };
  readonly begin: (at: RowStart) => RowMaker;
  readonly sink: SinkDefinition;
  /** How the store keeps the records of the log, so that a replay needs no log. */
  readonly input: StoredInput;
  /** What is wrong with a version that was built, beside what the engine checks of every projection; in words. */
  readonly problems?: (pair: VersionPair, sums: VersionSums) => Promise<readonly string[]>;
}

/** Landing tables of a projection that hold the input itself: a replay links them instead of decoding them. */
export function inputLandings({ name, input }: Pick<TableProjection, 'name' | 'input'>): readonly string[] {
  return input.projection === name ? input.landings : [];
}

/** The targets whose rows a step counts in `step_rows`. */
export function stepCounted({ sink }: Pick<TableProjection, 'sink'>): SinkDefinition {
  const landings = sink.landings.filter(({ landing }) => landing !== STEP_ROWS);
  return { ...sink, landings, derived: [] };
}

/** Partitions of a projection in chain order; null where epochs are independent. */
export function partitionsOf({ order }: Pick<TableProjection, 'order'>): number | null {
  return order === 'epoch' ? null : order.partitions;
}
