import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { retryStore, type StoreRetryPolicy } from '../../platform/clickhouse/retry-store.ts';
import type { Log } from '../../platform/observability/log.ts';
import { pause } from '../../platform/retry/poll.ts';
import { resumeTableMerges, storedTables } from '../versions/deferred-merges.ts';
import { mergedBytes, mergePartition } from './merge-partition.ts';
import { readUnmerged, type UnmergedPartition } from './unmerged-partitions.ts';

const route = 'bulk/tables';
const POLL_INTERVAL_MS = 1_000;

export interface MergeProgress {
  /** Bytes on disk that are merged, and all. */
  readonly done: number;
  readonly total: number;
  /** The table at work. */
  readonly table: string;
}

export interface MergeWatch {
  readonly signal: AbortSignal;
  /** For each statement. */
  readonly retryPolicy: StoreRetryPolicy;
  readonly log: Pick<Log, 'info'>;
  onProgress(progress: MergeProgress): void;
}

/**
 * Ends deferred merges in order: table by table, and in a table partition by partition, to one part each. Then the
 * table merges as usual. Partitions above the server's own limit are left to its usual merges, and logged. After an
 * interruption, another call continues: merged partitions are not merged again.
 */
export async function mergeInOrder(
  client: StoreClient,
  databases: readonly string[],
  watch: MergeWatch,
): Promise<void> {
  const unmerged = await retryStore(() => readUnmerged(client, databases), watch.retryPolicy);
  const planned = unmerged.filter(({ isMergeable }) => isMergeable);
  const total = planned.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const database of databases)
    for (const table of await retryStore(() => storedTables(client, database, route), watch.retryPolicy)) {
      for (const partition of planned.filter((one) => one.database === database && one.table === table)) {
        watch.signal.throwIfAborted();
        await mergeWatched(client, partition, { done, total }, watch);
        done += partition.bytes;
        watch.onProgress({ done, total, table: `${database}.${table}` });
      }
      watch.signal.throwIfAborted();
      await retryStore(() => resumeTableMerges(client, database, table), watch.retryPolicy);
    }
  for (const left of await retryStore(() => readUnmerged(client, databases), watch.retryPolicy))
    watch.log.info({ ...left }, 'left to the usual merges of the store');
}

/** Merges a partition, and reports how far the server is. */
async function mergeWatched(
  client: StoreClient,
  partition: UnmergedPartition,
  { done, total }: Pick<MergeProgress, 'done' | 'total'>,
  { signal, retryPolicy, onProgress }: MergeWatch,
): Promise<void> {
  const ended = new AbortController();
  const { bytes } = partition;
  const table = `${partition.database}.${partition.table}`;
  const report = async () => {
    while (!ended.signal.aborted) {
      // Progress is for people: a failed read is left out.
      const merged = await mergedBytes(client, partition).catch(() => 0);
      if (!ended.signal.aborted) onProgress({ done: done + Math.min(merged, bytes), total, table });
      await pause(POLL_INTERVAL_MS, ended.signal);
    }
  };
  const reporting = report();
  try {
    await retryStore(() => mergePartition(client, partition, signal), retryPolicy);
  } finally {
    ended.abort();
    await reporting;
  }
}
