import { ChainGapError } from '../../log/errors.ts';
import { type LaneLease, type LogConsumer, type LogIdentity, stepFrom } from '../../log/port.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { retryStore } from '../../platform/clickhouse/retry-store.ts';
import { createDeadLetterSink } from '../dead-letters/dead-letter-sink.ts';
import type { ChunkDecoder } from '../decoding/chunk.ts';
import type { DeadLetterSink } from '../decoding/failure.ts';
import { SeenBlocks, type StoredBlocks } from '../decoding/seen-blocks.ts';
import { startStoreDecoder } from '../decoding/start-decoder.ts';
import type { EngineParts, LaneSettings } from '../engine-parts.ts';
import { PROJECT } from '../project-files.ts';
import { getPartitions, stepCounted } from '../projection/projection.ts';
import type { RowMaker, RowStart } from '../projection/row-maker.ts';
import { getFencesTable } from '../sink/fence.ts';
import { gateLandings } from '../sink/gate.ts';
import { readRepairs } from '../sink/repairs.ts';
import { createSink, type Sink, type SinkOptions } from '../sink/sink.ts';
import { neededStore } from '../versions/needed-store.ts';
import { FIRST_VERSION, getDatabase, getGroup, getShownGroup } from '../versions/version-names.ts';
import { projectionOfVersion } from '../versions/version-projection.ts';
import type { DecodedRange } from './batch-builder.ts';
import { ColumnsPool } from './columns-pool.ts';
import { LaneLoop, type LaneLoopPorts } from './lane-loop.ts';
import type { GroupMember, LaneSignals } from './run-member.ts';

/** Sets of rows in use at the same time: one is filled while others are inserted. */
const ROW_SETS = 3;

/** Owner of a sink. */
export interface SinkOwner extends Pick<SinkOptions, 'isGated'> {
  /** Consumer group. */
  readonly group: string;
  /** Of a projection in chain order. */
  readonly partition?: number;
}

/** The sink of a version's tables. */
export function tableSink(
  { client, identity, log, projection, version, metrics }: EngineParts,
  { group, ...owner }: SinkOwner,
): Sink {
  return createSink({
    ...owner,
    client,
    database: getDatabase(identity, projection, version),
    fences: getFencesTable(identity.network),
    group,
    definition: projection.sink,
    repairs: readRepairs(projection.sink, PROJECT),
    log: (message, facts) => log.warn(facts, message),
    timeInsert: metrics && ((table) => metrics.insert(projection.name, table)),
  });
}

/** The parts with the projection as it writes their version. Throws `VersionSchemaError`. */
export async function partsOfVersion(parts: EngineParts): Promise<EngineParts> {
  const { version = FIRST_VERSION } = parts;
  return { ...parts, version, projection: await projectionOfVersion({ ...parts, version }) };
}

/**
 * A member of the group that writes a version of a projection into its tables, for `runMember`.
 * `decoder`: one to use instead of the setting's; either is closed with the member. Throws `VersionSchemaError`.
 */
export async function tableMember(
  given: EngineParts,
  settings: LaneSettings,
  watch: MemberWatch,
  decoder?: ChunkDecoder,
): Promise<GroupMember> {
  const parts = await partsOfVersion(given);
  const { bus, owner, log, projection, version, metrics, demand, news } = parts;
  const group = getGroup(projection, version);
  const database = getDatabase(parts.identity, projection, version);
  const { sessionMs, batchRows, batchMs } = settings;
  const topic = projection.reads;
  const partitions = getPartitions(projection);
  const shownAs = getShownGroup(projection, version);
  const members = { topic, group, owner, sessionMs, shownAs };
  const consumer = await bus.consumer({ ...members, ...(partitions && { partitions }) });
  const letters = createDeadLetterSink(bus, projection.group, topic);
  const shared = {
    decoder: decoder ?? (await startStoreDecoder(parts, settings)),
    deadLetters: partitions ? inLanes(letters, parts.identity) : letters,
    batchRows,
    batchMs,
    definition: stepCounted(projection),
    demand: demand?.of(projection.name),
    onBatch: (range: DecodedRange) => {
      metrics?.indexed(projection.name, range.counts);
      const { lane, firstPosition: first, lastPosition: last } = range;
      const partition = partitions === null ? undefined : lane;
      if (first <= last) news?.announce(projection.name, { database, partition, range: { first, last } });
      watch.onBatch(range);
    },
  };
  const { landings } = projection.sink;
  const meta = metaDatabase(parts.identity.network);
  const isGated = await gateLandings(parts.client, { database, meta, landings });
  const buildPorts = partitions
    ? chainPorts(parts, { consumer, partitions, group, isGated })
    : epochPorts(parts, { consumer, group, isGated });
  const loop = (lease: LaneLease, signals: LaneSignals) => {
    const { seen, ...ports } = buildPorts(lease);
    return new LaneLoop(lease, seen, { ...shared, ...ports }).run(signals);
  };
  const { decoder: open } = shared;
  const { prepare } = watch;
  const work = prepare
    ? preparedWork(loop, (lease, gap, stop) => prepare({ lease, gap, consumer, decoder: open }, stop))
    : loop;
  const onNotice = (text: string) => log.info({ stage: group }, text);
  return { consumer, decoder: open, work, sessionMs, onNotice };
}

/** Every partition meets a record that cannot be decoded: all of them write the same letter of it. */
function inLanes(letters: DeadLetterSink, { lanes }: LogIdentity): DeadLetterSink {
  return { put: (record, failure) => letters.put({ ...record, lane: record.epoch % lanes }, failure) };
}

type Work = GroupMember['work'];

/** Prepares a partition before it reads the log, and again if the log has freed the next records. */
function preparedWork(
  loop: Work,
  prepare: (lease: LaneLease, gap: number | null, stop: AbortSignal) => Promise<LaneLease>,
): Work {
  return async (lease, signals) => {
    let gap: number | null = null;
    while (!signals.stop.aborted) {
      const ready: LaneLease = await prepare(lease, gap, signals.stop);
      try {
        return await loop(ready, signals);
      } catch (error) {
        if (!(error instanceof ChainGapError)) throw error;
        gap = error.expected;
      }
    }
  };
}

/** A partition that is about to be worked. */
export interface PartitionStart {
  readonly lease: LaneLease;
  /** Step that the log was found to lack. Unfinished batches before it were given up, so it is not read again up to there. */
  readonly gap: number | null;
  readonly consumer: LogConsumer;
  readonly decoder: ChunkDecoder;
}

/** Callbacks of a member while it works. */
export interface MemberWatch extends Pick<LaneLoopPorts, 'onBatch'> {
  /** Moves a partition to its position in the log; returns its lease from there. */
  readonly prepare?: (start: PartitionStart, stop: AbortSignal) => Promise<LaneLease>;
}

/** Steps that differ between lanes and partitions. */
type OwnPorts = Pick<LaneLoopPorts, 'consumer' | 'sink' | 'beginRows' | 'partition' | 'share'> & {
  readonly seen: SeenBlocks;
};

/** Lanes: rows follow only from records, so all lanes of a member share their sets of rows. */
function epochPorts(
  parts: EngineParts,
  { consumer, ...owner }: SinkOwner & { readonly consumer: LogConsumer },
): (lease: LaneLease) => OwnPorts {
  const maker = parts.projection.begin(rowStart(parts, { partition: 0, partitions: 1, next: 0 }));
  const rows = { maker, pool: new ColumnsPool(maker.createRowSet, ROW_SETS) };
  const sink = tableSink(parts, owner);
  const stored = storedRecords(parts);
  return () => ({ consumer, sink, beginRows: () => rows, seen: new SeenBlocks(stored) });
}

/** Partitions: each reads the whole log in the order of the chain and carries a state of its own. */
function chainPorts(
  parts: EngineParts,
  of: SinkOwner & { readonly consumer: LogConsumer; readonly partitions: number },
): (lease: LaneLease) => OwnPorts {
  const { consumer, partitions, ...owner } = of;
  return ({ lane: partition }) => {
    return {
      partition,
      share: { partition, partitions },
      consumer,
      sink: tableSink(parts, { ...owner, partition }),
      beginRows: (from) => {
        const start = { partition, partitions, next: stepFrom(from) };
        const maker = retriedRows(parts, parts.projection.begin(rowStart(parts, start)));
        return { maker, pool: new ColumnsPool(maker.createRowSet, ROW_SETS) };
      },
      // A partition reads no copies.
      seen: new SeenBlocks(NOTHING_STORED),
    };
  };
}

function rowStart(parts: EngineParts, at: Pick<RowStart, 'partition' | 'partitions' | 'next'>): RowStart {
  const { client, identity, projection, version } = parts;
  const database = getDatabase(identity, projection, version);
  return { client, database, identity, needed: neededStore(parts), ...at };
}

const NOTHING_STORED: StoredBlocks = { highest: async () => -1, rootHash: async () => null };

/** The maker, whose state is loaded again until a store that is away is back. */
function retriedRows({ log, signal }: EngineParts, maker: RowMaker): RowMaker {
  const retryPolicy = buildRetryPolicy({ log, ...(signal && { signal }) });
  return {
    createRowSet: maker.createRowSet,
    prepare: (parts) => retryStore(() => maker.prepare(parts), retryPolicy),
    confirmed: (position) => maker.confirmed(position),
  };
}

function buildRetryPolicy({
  log,
  signal,
}: {
  readonly log: EngineParts['log'];
  readonly signal?: AbortSignal | undefined;
}) {
  return {
    signal: signal ?? new AbortController().signal,
    onFailure: (error: unknown, pauseMs: number) =>
      log.warn({ error, pauseMs }, 'the store does not answer; retrying'),
  };
}

/** Records of the store, for recognising copies in the log. */
export function storedRecords(parts: EngineParts): StoredBlocks {
  const { client, identity, log, signal, projection, version } = parts;
  const { input } = projection;
  const store = { client, database: getDatabase(identity, projection, version) };
  const retryPolicy = buildRetryPolicy({ log, signal });
  return {
    highest: (epoch, below) => {
      const first = epoch * identity.epochSize;
      const last = Math.min(first + identity.epochSize, below, 2 ** 32) - 1;
      return retryStore(() => input.highest(store, { first, last }), retryPolicy);
    },
    rootHash: (key, position) => retryStore(() => input.rootHash(store, key, position), retryPolicy),
  };
}
