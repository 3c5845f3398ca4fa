import { retryStore } from '../../platform/clickhouse/retry-store.ts';
import { pause } from '../../platform/retry/poll.ts';
import type { EngineParts } from '../engine-parts.ts';
import { getPartitions } from '../projection/projection.ts';
import { inputStore } from '../replay/plan.ts';
import { readCommonIslands, readIslands } from '../versions/confirmed-islands.ts';
import { getDatabase } from '../versions/version-names.ts';

const POLL_INTERVAL_MS = 200;

/**
 * Resolves when the partitions of a projection in chain order have confirmed all stored input, or when `signal` aborts.
 * Their group may be at the log's end nevertheless: if a version lost its rows, its steps are decoded again from stored
 * records (fill-partition.ts).
 */
export async function whenFilled(parts: EngineParts, signal: AbortSignal): Promise<void> {
  const { client, identity, log, projection, version } = parts;
  const partitions = getPartitions(projection);
  if (partitions === null) return;
  const onFailure = (error: unknown, pauseMs: number) =>
    log.warn({ error, pauseMs }, 'the store does not answer; retrying');
  const isFilled = async () => {
    const input = await inputStore(parts);
    const [stored] = await readIslands(input.client, input.database);
    const [done] = await readCommonIslands(client, getDatabase(identity, projection, version), partitions);
    return stored === undefined || (done !== undefined && done.last >= stored.last);
  };
  while (!signal.aborted) {
    if (await retryStore(isFilled, { signal, onFailure })) return;
    await pause(POLL_INTERVAL_MS, signal);
  }
}
