import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BASE } from '../../../pipelines/base.ts';
import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { openDeadLetters } from '../../../src/engine/dead-letters/dead-letter-list.ts';
import { getPartitions, type TableProjection } from '../../../src/engine/projection/projection.ts';
import type { Bus, LogIdentity } from '../../../src/log/port.ts';
import { openEmbeddedBus } from '../../../src/log/sqlite/embedded-bus.ts';
import { createStoreClient } from '../../../src/platform/clickhouse/client.ts';
import { openStore } from '../../../src/platform/clickhouse/embedded/open-store.ts';
import { coldPlaceOf, countColdParts } from '../common/cold-folder.ts';
import { detectedPicture, replayedPicture } from '../common/detected-picture.ts';
import { lookUpPicture } from '../common/look-up-files.ts';
import { countColdEpochs, type IndexedLog, LOG_THREAD, withReadBlocks } from '../common/raw-blocks.ts';
import { networkPicture, type Picture } from '../common/store-picture.ts';

/** A data directory. */
export interface DataPicture {
  /** Facts that are the same in two indexes of one chain. */
  readonly picture: Picture;
  /** Epochs whose raw blocks are in sealed files only. */
  readonly coldEpochs: number;
  /** Parts in the cold folder. */
  readonly coldParts: number;
}

const MEMORY_BYTES = 2 * 2 ** 30;
const SESSION_MS = 1_000;

/**
 * Reads the picture of a directory without running processes. `served`: a server has detected contracts and filled the
 * look-up index. `replayed`: in addition, the tables whose rows a replay changes are facts.
 */
export async function dataPicture(
  directory: string,
  kind: 'indexed' | 'served' | 'replayed' = 'indexed',
): Promise<DataPicture> {
  const bus = await openEmbeddedBus({ directory: join(directory, 'log'), thread: LOG_THREAD });
  try {
    const identity = await bus.identity();
    if (!identity) throw new Error(`${directory} has no log`);
    const { picture, ...counts } = await storeFacts(directory, identity, kind, bus);
    return { picture: { ...(await logFacts(bus)), ...picture }, ...counts };
  } finally {
    await bus.close();
  }
}

async function logFacts(bus: Bus): Promise<Picture> {
  const bounds = await bus.bounds(BASE.reads);
  const groups = PROJECTIONS.map(({ group }) => group);
  const behind = (await bus.lag())
    .filter(({ group }) => groups.includes(group))
    .filter(({ committed, end }) => committed !== end);
  const pending = await Promise.all(PROJECTIONS.map((projection) => pendingBatches(bus, projection)));
  return {
    'log: records': String(bounds.reduce((sum, { next }) => sum + next, 0)),
    'log: lanes not committed to their end': behind.map(({ group, lane }) => `${group} ${lane}`).join(' '),
    'log: batches left in the journal': String(pending.reduce((sum, left) => sum + left, 0)),
    'log: dead letters': String((await openDeadLetters(bus)).length),
  };
}

async function pendingBatches(bus: Bus, projection: TableProjection): Promise<number> {
  const owner = `picture:${process.pid}`;
  const { reads: topic, group } = projection;
  const partitions = getPartitions(projection);
  const lanes = partitions ?? (await bus.bounds(topic)).length;
  const options = { topic, group, owner, sessionMs: SESSION_MS, ...(partitions && { partitions }) };
  const consumer = await bus.consumer(options);
  try {
    for (;;) {
      const leases = await consumer.claim();
      if (leases.length === lanes) {
        const pending = await Promise.all(leases.map((lease) => consumer.pending(lease)));
        return pending.filter((entry) => entry !== null).length;
      }
      await sleep(SESSION_MS / 4);
    }
  } finally {
    await consumer.release();
  }
}

async function storeFacts(
  directory: string,
  identity: LogIdentity,
  kind: 'indexed' | 'served' | 'replayed',
  bus: Bus,
): Promise<DataPicture> {
  const store = await openStore({
    directory: join(directory, 'clickhouse'),
    memoryLimitBytes: MEMORY_BYTES,
    cold: coldPlaceOf(directory),
  });
  const client = createStoreClient(store);
  try {
    const coldEpochs = await countColdEpochs({ client, identity });
    const tables = await tableFacts({ client, bus, identity }, join(directory, 'lookup'), kind);
    const coldParts = await countColdParts(client);
    return { picture: await withReadBlocks(tables, { bus, client, identity }), coldEpochs, coldParts };
  } finally {
    await client.close();
    await store.stop();
  }
}

async function tableFacts(
  { client, bus, identity }: Required<IndexedLog>,
  lookUps: string,
  kind: 'indexed' | 'served' | 'replayed',
): Promise<Picture> {
  const { network } = identity;
  if (kind === 'indexed') return networkPicture(client, network);
  const picture = {
    ...(await detectedPicture(client, network)),
    ...(await lookUpPicture({ client, identity }, lookUps)),
  };
  return kind === 'served' ? picture : { ...picture, ...(await replayedPicture(client, bus)) };
}
