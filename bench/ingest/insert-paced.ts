import { setTimeout as sleep } from 'node:timers/promises';
import { readTableSizes, type TableSize } from '../../src/platform/clickhouse/table-sizes.ts';
import { type BenchStore, settle } from '../common/bench-store.ts';
import { cpuPerUnit } from '../common/process-usage.ts';
import type { ChainPlan } from '../synthetic/chain-plan.ts';
import { insertBatch, openReady, type ReadyMade, type ReadyNetwork, type SinkShape } from './ready-made.ts';

export interface PacedResult {
  readonly batches: number;
  /** CPU time of the server for a transaction, inserts and merges, µs; null if the system does not report it. */
  readonly storeCpuMicroseconds: number | null;
  /** When all is merged that the server merges. */
  readonly sizes: readonly TableSize[];
}

export interface PacedOptions {
  /** Label of the database, which a store makes once. */
  readonly network?: ReadyNetwork;
  /** Materialized views that are dropped before. */
  readonly withoutViews?: readonly string[];
}

const POLL_INTERVAL_MS = 200;
/** Merges follow one another: the server has caught up after this many consecutive polls without any. */
const QUIET_POLLS = 3;
/** A server that merges longer than this does not keep up with anything. */
const MAX_POLLS = 300;

/**
 * Inserts the batches in sequence, each after the merges of the previous one: the cost of a batch for a server that
 * keeps up. All batches are in one epoch, as on mainnet, where an epoch is millions of rows.
 */
export async function insertPaced(
  ready: ReadyMade,
  store: BenchStore,
  plan: ChainPlan,
  { tables, network = 'paced', withoutViews = [] }: SinkShape & PacedOptions,
): Promise<PacedResult> {
  const database = await openReady(store, { ...plan.identity, epochSize: plan.steps + 1 }, network);
  for (const view of withoutViews)
    await store.client.command(`DROP VIEW ${database}.${view} SYNC`, { route: 'bench' });
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
  for (let quiet = 0, polls = 0; quiet < QUIET_POLLS && polls < MAX_POLLS; polls++) {
    await sleep(POLL_INTERVAL_MS);
    const { rows } = await client.queryRows<[string]>('SELECT count() FROM system.merges', {
      route: 'bench',
    });
    quiet = rows[0]?.[0] === '0' ? quiet + 1 : 0;
  }
}
