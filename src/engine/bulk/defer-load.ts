import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { Log } from '../../platform/observability/log.ts';
import { deferMerges, deferredDatabases, resumeMerges } from '../versions/deferred-merges.ts';

/** Defers the merges of these databases until `mergeInOrder` or `endDeferral`. Can be repeated. */
export async function deferLoad(client: StoreClient, databases: readonly string[]): Promise<void> {
  for (const database of databases) await deferMerges(client, database);
}

/** After a bulk load that was cut off, the store merges as usual again. Otherwise does nothing. */
export async function endDeferral(
  client: StoreClient,
  databases: readonly string[],
  log: Pick<Log, 'info'>,
): Promise<void> {
  for (const database of await deferredDatabases(client, databases)) {
    log.info({ database }, 'a bulk load was cut off: the store merges as usual again');
    await resumeMerges(client, database);
  }
}
