import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASE } from '../../pipelines/base.ts';
import { PROJECT } from '../../src/engine/project-files.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { createKafkaBus } from '../../src/log/kafka/kafka-bus.ts';
import type { Bus } from '../../src/log/port.ts';
import { AvroCodec } from '../../src/platform/avro/avro-codec.ts';
import { loadSchemas } from '../../src/platform/avro/schema-files.ts';
import { readTableSizes } from '../../src/platform/clickhouse/table-sizes.ts';
import type { OwnedBroker } from '../../test/helpers/kafka-process.ts';
import { type BenchStore, dropNetwork, settle } from '../common/bench-store.ts';
import type { UsageSummary } from '../common/process-usage.ts';
import { note } from '../common/report.ts';
import { Stopwatch } from '../common/stopwatch.ts';
import { type ChainPlan, planChain } from '../synthetic/chain-plan.ts';
import { feedLog } from '../synthetic/feed-log.ts';
import type { RealBlock } from '../synthetic/real-blocks.ts';
import { decodeLog } from './decode-log.ts';

/** Broker and store of the runs. */
export interface LanesPlace {
  readonly brokers: readonly string[];
  /** The bench's own broker; null for a given one. */
  readonly broker: Pick<OwnedBroker, 'pid' | 'data'> | null;
  readonly store: BenchStore;
}

export interface LanesRun {
  readonly lanes: number;
  readonly blocks: number;
  readonly transactions: number;
  /** Bytes of the blocks as capture gets them. */
  readonly rawBytes: number;
  /** Bytes of the log's files on the bench's own broker. */
  readonly logBytes: number | null;
  readonly storeBytes: number;
  /** Time to append everything, without readers. */
  readonly captureSeconds: number;
  /** From the moment when every process has a lane to the last confirmed batch, and the blocks of that time. */
  readonly decodeSeconds: number;
  readonly decodedBlocks: number;
  readonly usage: Readonly<Record<string, UsageSummary | null>>;
}

/** Every lane has several epochs, so that no process works long on the last one. */
const EPOCHS_A_LANE = 6;

/** Fills a log of `lanes` lanes, then decodes it with as many processes. Log and store are dropped afterwards. */
export async function runLanes(
  real: { readonly shard: readonly RealBlock[]; readonly masterchain: readonly RealBlock[] },
  lanes: number,
  transactions: number,
  place: LanesPlace,
): Promise<LanesRun> {
  const network = `bench_lanes_${lanes}`;
  const planned = planChain(real, transactions, EPOCHS_A_LANE * lanes, network);
  const plan: ChainPlan = { ...planned, identity: { ...planned.identity, lanes } };
  const prefix = `bench.lanes.${process.pid}.${lanes}`;
  const bus = await createKafkaBus({ brokers: place.brokers, prefix });
  try {
    const captureSeconds = await fill(bus, plan);
    const logBytes = place.broker ? bytesOnDisk(place.broker.data, `${prefix}.${BASE.reads}-`) : null;
    note(`${lanes} lanes: ${plan.blocks} blocks in the log after ${captureSeconds.toFixed(1)} s; decoding`);
    await prepareStore(place.store.client, plan.identity, [BASE]);
    const decoded = await decode(bus, plan, prefix, place);
    await settle(place.store.client);
    const sizes = await readTableSizes(place.store.client, getDatabase(plan.identity, BASE));
    const rows = await countTransactions(place.store.client, getDatabase(plan.identity, BASE));
    if (rows !== plan.transactions)
      throw new RangeError(`${rows} transactions are stored, ${plan.transactions} were in the log`);
    const storeBytes = Number(sizes.reduce((sum, { bytesOnDisk }) => sum + bytesOnDisk, 0n));
    const { blocks, bytes: rawBytes } = plan;
    return { lanes, blocks, transactions: rows, rawBytes, logBytes, storeBytes, captureSeconds, ...decoded };
  } finally {
    await bus.close();
    await dropNetwork(place.store.client, network);
    await place.store.client.command(`DROP DATABASE IF EXISTS ${network} SYNC`, { route: 'bench' });
  }
}

/** Rows of a part may be deleted already: a lane that changed its owner begins its batch again. */
async function countTransactions(client: BenchStore['client'], database: string): Promise<number> {
  const sql = `SELECT toString(count()) FROM ${database}.transactions`;
  const { rows } = await client.queryRows<[string]>(sql, { route: 'bench' });
  return Number(rows[0]?.[0]);
}

async function fill(bus: Bus, plan: ChainPlan): Promise<number> {
  await bus.establish(plan.identity);
  const codec = new AvroCodec(loadSchemas(join(PROJECT, 'schemas')));
  const writer = await bus.writer(BASE.reads, `bench:${process.pid}`, 60_000);
  const start = performance.now();
  await feedLog(plan, writer, codec, new Stopwatch());
  const seconds = (performance.now() - start) / 1000;
  await writer.release();
  return seconds;
}

/** Bytes of the records in the partitions whose folders' names begin so. */
function bytesOnDisk(folder: string, prefix: string): number {
  let bytes = 0;
  // Index files are created large and cut later; their content is small compared with the records.
  for (const partition of readdirSync(folder).filter((name) => name.startsWith(prefix)))
    for (const name of readdirSync(join(folder, partition)))
      if (name.endsWith('.log')) bytes += statSync(join(folder, partition, name)).size;
  return bytes;
}

async function decode(bus: Bus, plan: ChainPlan, prefix: string, { brokers, broker, store }: LanesPlace) {
  const { lanes } = plan.identity;
  const data = mkdtempSync(join(tmpdir(), 'tonhouse-bench-'));
  try {
    const decoding = { bus, processes: lanes, store, others: broker?.pid ? { kafka: broker.pid } : {} };
    const { seconds, share, usage } = await decodeLog(decoding, {
      TONHOUSE_DATA: data,
      TONHOUSE_KAFKA: brokers.join(','),
      TONHOUSE_KAFKA_PREFIX: prefix,
      TONHOUSE_DECODE_WORKERS: '1',
    });
    return { decodeSeconds: seconds, decodedBlocks: Math.round(plan.blocks * share), usage };
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
