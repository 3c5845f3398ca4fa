import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { pause } from '../../platform/retry/poll.ts';
import { getPartitions, type TableProjection } from '../projection/projection.ts';

const POLL_INTERVAL_MS = 3_000;

/** How far the slowest projection of a load is. */
export interface LoadPosition {
  readonly projection: string;
  /** Newest masterchain seqno that it has confirmed; 0 before its first. */
  readonly mcSeqno: number;
}

/** A projection and the database that a load writes. */
export interface LoadedProjection {
  readonly projection: Pick<TableProjection, 'name' | 'order'>;
  readonly database: string;
}

/**
 * The projection that is furthest behind. In chain order the slowest partition counts; lanes fill about in the order of
 * the chain, so there the newest step counts.
 */
async function readLoadPosition(
  client: StoreClient,
  loaded: readonly LoadedProjection[],
): Promise<LoadPosition | null> {
  const { rows } = await client.queryRows<[string, number]>(loaded.map(newestStep).join(' UNION ALL '), {
    route: 'bulk/position',
  });
  let slowest: LoadPosition | null = null;
  for (const [projection, newest] of rows) {
    const mcSeqno = Number(newest);
    if (slowest === null || mcSeqno < slowest.mcSeqno) slowest = { projection, mcSeqno };
  }
  return slowest;
}

function newestStep({ projection, database }: LoadedProjection): string {
  const partitions = getPartitions(projection);
  if (partitions === null) return `SELECT '${projection.name}', max(last) FROM ${database}.confirmed`;
  return `SELECT '${projection.name}', if(count() < ${partitions}, 0, min(newest)) FROM
    (SELECT lane, max(last) AS newest FROM ${database}.confirmed GROUP BY lane)`;
}

/** Reports the position every three seconds until `signal` aborts. */
export async function followPosition(
  client: StoreClient,
  loaded: readonly LoadedProjection[],
  onPosition: (position: LoadPosition) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // Progress is for people: a failed read is left out.
    const position = await readLoadPosition(client, loaded).catch(() => null);
    if (position && !signal.aborted) onPosition(position);
    await pause(POLL_INTERVAL_MS, signal);
  }
}
