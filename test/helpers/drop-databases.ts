import type { StoreClient } from '../../src/platform/clickhouse/client.ts';

/**
 * Drops databases: a network's versions before the network's own, whose `closed_attempts` their landing tables need.
 */
export async function dropDatabases(
  client: StoreClient,
  names: readonly string[],
  route: string,
): Promise<void> {
  for (const name of names.toSorted().reverse())
    await client.command(`DROP DATABASE ${name} SYNC`, { route });
}
