import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { Log } from '../../platform/observability/log.ts';
import { pause } from '../../platform/retry/poll.ts';
import { mergePartition } from './merge-partition.ts';
import { readUnmerged, type UnmergedPartition } from './unmerged-partitions.ts';

/** A table with more parts is merged during the load: ClickHouse refuses inserts into a table of 100,000. */
const MAX_TABLE_PARTS = 1_000;
const POLL_INTERVAL_MS = 5_000;

export interface PartsLimit {
  readonly databases: readonly string[];
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Default 1,000. */
  readonly maxParts?: number;
}

/**
 * Keeps the number of parts small while merges are deferred, until `signal` aborts. In one partition, deferred merges
 * do this by themselves. In a table partitioned by epoch, the oldest epochs are merged to one part each, which the end
 * of the load would do as well.
 */
export async function keepPartsFew(
  client: StoreClient,
  limit: PartsLimit,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await mergeOldest(client, limit, signal);
    } catch (error) {
      if (signal.aborted) return;
      limit.log.warn({ error }, 'the parts of tables cannot be counted or merged; retrying');
    }
    await pause(POLL_INTERVAL_MS, signal);
  }
}

/** Merges the oldest partitions of tables above the limit. */
export async function mergeOldest(
  client: StoreClient,
  { databases, log, maxParts = MAX_TABLE_PARTS }: PartsLimit,
  signal: AbortSignal,
): Promise<void> {
  const tables = Map.groupBy(
    await readUnmerged(client, databases),
    ({ database, table }) => `${database}.${table}`,
  );
  for (const [table, partitions] of tables) {
    const merged = oldestAbove(partitions, maxParts);
    if (merged.length > 0)
      log.info({ table, partitions: merged.length }, 'many parts: merging the oldest epochs');
    for (const partition of merged) {
      signal.throwIfAborted();
      await mergePartition(client, partition, signal);
    }
  }
}

/** The first mergeable partitions, so many that the others have `maxParts` parts at most. The newest is not among them. */
function oldestAbove(
  partitions: readonly UnmergedPartition[],
  maxParts: number,
): readonly UnmergedPartition[] {
  let parts = partitions.reduce((sum, partition) => sum + partition.parts, 0);
  const chosen: UnmergedPartition[] = [];
  for (const partition of partitions.slice(0, -1)) {
    if (parts <= maxParts) break;
    if (!partition.isMergeable) continue;
    chosen.push(partition);
    parts -= partition.parts;
  }
  return chosen;
}
