import type { LaneLease, LogConsumer } from '../../log/port.ts';
import { patiently } from '../../platform/clickhouse/patience.ts';
import { createDeadLetterSink } from '../dead-letters/dead-letter-sink.ts';
import type { ChunkDecoder } from '../decoding/chunk.ts';
import { SeenBlocks, type StoredBlocks } from '../decoding/seen-blocks.ts';
import { startStoreDecoder } from '../decoding/start-decoder.ts';
import type { EngineParts, LaneSettings } from '../engine-parts.ts';
import { PROJECT } from '../project-files.ts';
import { partitionsOf, stepCounted } from '../projection/projection.ts';
import type { RowStart } from '../projection/row-maker.ts';
import { stepFrom } from '../ranges/step-offsets.ts';
import { readRepairs } from '../sink/repairs.ts';
import { createSink, type Sink } from '../sink/sink.ts';
import { databaseOf, groupOf } from '../versions/version-names.ts';
import { ChainReader } from './chain-reader.ts';
import { ColumnsPool } from './columns-pool.ts';
import { LaneLoop, type LaneLoopPorts } from './lane-loop.ts';
import type { GroupMember, LaneSignals } from './run-member.ts';

/** Sets of rows in use at the same time: one is filled while others are inserted. */
const ROW_SETS = 3;

/** The sink of a version's tables, for a consumer group; of a projection in chain order, for one partition. */
export function tableSink(
  { client, identity, log, projection, version }: EngineParts,
  group: string,
  partition?: number,
): Sink {
  return createSink({
    ...(partition !== undefined && { partition }),
    client,
    database: databaseOf(identity, projection, version),
    group,
    definition: projection.sink,
    repairs: readRepairs(projection.sink, PROJECT),
    log: (message, facts) => log.warn(facts, message),
  });
}

/**
 * A member of the group that writes a version of a projection into its tables, for `runMember`.
 * `decoder`: one to use instead of the setting's; either is closed with the member.
 */
export async function tableMember(
  parts: EngineParts,
  settings: LaneSettings,
  watch: Pick<LaneLoopPorts, 'onBatch'>,
  decoder?: ChunkDecoder,
): Promise<GroupMember> {
  const { bus, owner, log, projection, version } = parts;
  const group = groupOf(projection, version);
  const { sessionMs, batchRows, batchMs } = settings;
  const topic = projection.reads;
  const partitions = partitionsOf(projection);
  const consumer = await bus.consumer({ topic, group, owner, sessionMs, ...(partitions && { partitions }) });
  const shared = {
    decoder: decoder ?? (await startStoreDecoder(parts, settings)),
    deadLetters: createDeadLetterSink(bus, projection.group, topic),
    batchRows,
    batchMs,
    definition: stepCounted(projection),
    onBatch: watch.onBatch,
  };
  const portsOf = partitions
    ? chainPorts(parts, { consumer, partitions, group })
    : epochPorts(parts, { consumer, group });
  const work = (lease: LaneLease, signals: LaneSignals) => {
    const { seen, ...ports } = portsOf(lease);
    return new LaneLoop(lease, seen, { ...shared, ...ports }).run(signals);
  };
  const onNotice = (text: string) => log.info({ stage: group }, text);
  return { consumer, decoder: shared.decoder, work, sessionMs, onNotice };
}

/** What differs between lanes and partitions. */
type OwnPorts = Pick<LaneLoopPorts, 'consumer' | 'sink' | 'beginRows' | 'partition'> & {
  readonly seen: SeenBlocks;
};

/** Lanes: rows follow from records alone, so that all lanes of a member share their sets of rows. */
function epochPorts(
  parts: EngineParts,
  { consumer, group }: { readonly consumer: LogConsumer; readonly group: string },
): (lease: LaneLease) => OwnPorts {
  const maker = parts.projection.begin(rowStart(parts, { partition: 0, partitions: 1, next: 0 }));
  const rows = { maker, pool: new ColumnsPool(maker.createRowSet, ROW_SETS) };
  const sink = tableSink(parts, group);
  const stored = storedRecords(parts);
  return () => ({ consumer, sink, beginRows: () => rows, seen: new SeenBlocks(stored) });
}

/** Partitions: each reads the whole log in the order of the chain and carries a state of its own. */
function chainPorts(
  parts: EngineParts,
  of: { readonly consumer: LogConsumer; readonly partitions: number; readonly group: string },
): (lease: LaneLease) => OwnPorts {
  const { consumer, partitions, group } = of;
  return ({ lane: partition }) => {
    const reader = new ChainReader({ ...parts, topic: parts.projection.reads });
    return {
      partition,
      consumer: inChainOrder(consumer, reader),
      sink: tableSink(parts, group, partition),
      beginRows: (from) => {
        const start = { partition, partitions, next: stepFrom(from) };
        const maker = parts.projection.begin(rowStart(parts, start));
        return { maker, pool: new ColumnsPool(maker.createRowSet, ROW_SETS) };
      },
      // The reader leaves copies out.
      seen: new SeenBlocks(NOTHING_STORED),
    };
  };
}

/** The consumer of a partition: its offsets follow from positions, its records from all lanes. */
function inChainOrder(consumer: LogConsumer, reader: ChainReader): LogConsumer {
  return {
    group: consumer.group,
    claim: () => consumer.claim(),
    read: (_partition, from, limit) => reader.read(from, limit),
    waitForData: (ms) => consumer.waitForData(ms),
    journal: (lease, entry) => consumer.journal(lease, entry),
    pending: (lease) => consumer.pending(lease),
    confirm: (lease, entry) => consumer.confirm(lease, entry),
    commit: (lease, next) => consumer.commit(lease, next),
    release: () => consumer.release(),
  };
}

function rowStart(
  { client, identity, projection, version }: EngineParts,
  at: Pick<RowStart, 'partition' | 'partitions' | 'next'>,
): RowStart {
  return { client, database: databaseOf(identity, projection, version), ...at };
}

const NOTHING_STORED: StoredBlocks = { highest: async () => -1, rootHash: async () => null };

/** What the store holds of records: for recognising copies in the log. */
export function storedRecords(parts: EngineParts): StoredBlocks {
  const { client, identity, log, signal, projection, version } = parts;
  const { input } = projection;
  const store = { client, database: databaseOf(identity, projection, version) };
  const patience = {
    signal: signal ?? new AbortController().signal,
    onFailure: (error: unknown, pauseMs: number) =>
      log.warn({ error, pauseMs }, 'the store does not answer; trying again'),
  };
  return {
    highest: (epoch, below) => {
      const first = epoch * identity.epochSize;
      const last = Math.min(first + identity.epochSize, below, 2 ** 32) - 1;
      return patiently(() => input.highest(store, { first, last }), patience);
    },
    rootHash: (key, position) => patiently(() => input.rootHash(store, key, position), patience),
  };
}
