import { startStoreDecoder } from '../../engine/decoding/start-decoder.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { partsOfVersion, tableSink } from '../../engine/lanes/lane-options.ts';
import { getPartitions, stepCounted } from '../../engine/projection/projection.ts';
import type { RowParts } from '../../engine/projection/row-set.ts';
import type { NewRecord } from '../../engine/projection/stored-input.ts';
import type { Batch, BatchJournal } from '../../engine/sink/batch.ts';
import { stepRows } from '../../engine/sink/step-rows.ts';
import { servedVersion } from '../../engine/versions/prepare-store.ts';
import { getDatabase } from '../../engine/versions/version-names.ts';

/** States of the masterchain step before an index, as records of the log. */
export interface LateRecords {
  readonly position: number;
  readonly records: readonly NewRecord[];
}

const GROUP = 'late-states';
/** All steps of the index are in the tables. */
const AFTER_ALL = 2 ** 32 - 1;
/** An interrupted call is repeated when the states are given again; no other process continues it. */
const NO_JOURNAL: BatchJournal = {
  begin: async () => {},
  confirm: async () => {},
  left: () => Number.POSITIVE_INFINITY,
};

/**
 * Adds the contracts of states that are given after the index was made. An account that a block changed keeps its rows:
 * a replay of the projection reads its earlier state. Can be repeated.
 */
export async function writeLateContracts(
  parts: EngineParts,
  { position, records }: LateRecords,
  signal: AbortSignal,
): Promise<void> {
  const version = await servedVersion(parts.client, parts.identity, parts.projection);
  const written = await partsOfVersion({ ...parts, version });
  const decoder = await startStoreDecoder(written, { decodeWorkers: 0, verifyLevel: 'none' });
  try {
    const chunk = await decoder.decode(records.map(({ key, value }) => ({ key, value, position })));
    const partitions = getPartitions(written.projection) ?? 1;
    for (let partition = 0; partition < partitions; partition++)
      await writePartition({ written, position, partition, partitions }, chunk.parts, signal);
    chunk.release();
  } finally {
    await decoder.close();
  }
}

interface PartitionPlace {
  readonly written: EngineParts;
  readonly position: number;
  readonly partition: number;
  readonly partitions: number;
}

async function writePartition(
  { written, position, partition, partitions }: PartitionPlace,
  decoded: readonly RowParts[],
  signal: AbortSignal,
): Promise<void> {
  const { client, identity, projection, version } = written;
  const database = getDatabase(identity, projection, version);
  // The number names the attempt in the ids of its inserts.
  const from = Date.now();
  const range = {
    lane: partition,
    epoch: Math.floor(position / identity.epochSize),
    ...{ from, next: from + 1, firstPosition: position, lastPosition: position },
  };
  const rebuild = async (): Promise<Batch> => {
    const maker = projection.begin({ client, database, identity, partition, partitions, next: AFTER_ALL });
    await maker.prepare(decoded);
    const rows = maker.createRowSet();
    for (const part of decoded) rows.append(part);
    rows.endStep?.();
    return { ...range, tables: [...rows.tables, stepRows(stepCounted(projection), rows.tables, partition)] };
  };
  // No other rows are at this position: they are measured, deleted and inserted again.
  const entry = { ...range, attempt: 1, expected: { token_states: -1 } };
  await tableSink(written, { group: GROUP, partition }).recover(entry, NO_JOURNAL, rebuild, signal);
}
