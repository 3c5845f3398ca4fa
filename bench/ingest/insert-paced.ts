import { setTimeout as sleep } from 'node:timers/promises';
import { readTableSizes, type TableSize } from '../../src/platform/clickhouse/table-sizes.ts';
import { type BenchStore, settle } from '../common/bench-store.ts';
import { cpuPerUnit } from '../common/process-usage.ts';
import type { ChainPlan } from '../synthetic/chain-plan.ts';
import { insertBatch, openReady, type ReadyMade, type SinkShape } from './ready-made.ts';

export interface PacedResult {
  readonly batches: number;
  /** CPU time of the server for a transaction, inserts and merges, µs; null where the system does not tell. */
  readonly storeCpuMicroseconds: number | null;
  /** When all is merged that the server merges. */
  readonly sizes: readonly TableSize[];
}

const LOOK_MS = 200;
/** Merges follow one another: the server has kept up where it was found without any so many times in a row. */
const QUIET_LOOKS = 3;
/** A server that merges longer than this does not keep up with anything. */
const MOST_LOOKS = 300;

/**
 * Inserts the batches one after the other, each when the merges that the one before led to have ended: what a batch costs
 * a server that keeps up, however long it runs. All of it is one epoch, as on mainnet, where an epoch is millions of rows.
 */
export async function insertPaced(
  ready: ReadyMade,
  store: BenchStore,
  plan: ChainPlan,
  { tables }: SinkShape,
): Promise<PacedResult> {
  const database = await openReady(store, { ...plan.identity, epochSize: plan.steps + 1 }, 'paced');
  const insertAll = async () => {
    for (const [index, batch] of ready.batches.entries()) {
      await insertBatch(store.client, database, { batch, index, tables });
      await merged(store);
    }
    await settle(store.client);
  };
  const { cpuMs } = await cpuPerUnit({ store: store.pid }, insertAll, () => plan.transactions);
  const { store: cpu = null } = cpuMs;
  return {
    batches: ready.batches.length,
    storeCpuMicroseconds: cpu === null ? null : cpu * 1000,
    sizes: await readTableSizes(store.client, database),
  };
}

async function merged({ client }: BenchStore): Promise<void> {
  for (let quiet = 0, looks = 0; quiet < QUIET_LOOKS && looks < MOST_LOOKS; looks++) {
    await sleep(LOOK_MS);
    const { rows } = await client.queryRows<[string]>('SELECT count() FROM system.merges', {
      route: 'bench',
    });
    quiet = rows[0]?.[0] === '0' ? quiet + 1 : 0;
  }
}
