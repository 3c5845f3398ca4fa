import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { readTableSizes, type TableSize } from '../../platform/clickhouse/table-sizes.ts';
import { CachedRead } from '../../platform/observability/metrics/cached-read.ts';
import type { Metrics } from '../../platform/observability/metrics/metrics.ts';

const AGE_MS = 15_000;

/** A version of a projection in the store. */
export interface StoredVersion {
  readonly projection: string;
  readonly database: string;
}

/** Sizes of the tables of the served versions, as the store has them. */
export function addStoreMetrics(
  metrics: Metrics,
  client: StoreClient,
  served: () => readonly StoredVersion[] | Promise<readonly StoredVersion[]>,
): void {
  const sizes = new CachedRead(async () => readSizes(client, await served()), { maxAgeMs: AGE_MS });
  const labels = ['projection', 'database', 'table'] as const;
  const add = (name: string, help: string, of: (size: TableSize) => number) =>
    metrics.gauge({ name, help, labels }, async () =>
      (await sizes.value()).map(({ version, size }) => ({
        labels: { ...version, table: size.table },
        value: of(size),
      })),
    );
  add('tonhouse_store_bytes', 'Bytes on disk of a table, compressed', (size) => Number(size.bytesOnDisk));
  add('tonhouse_store_rows', 'Rows of a table', (size) => Number(size.rows));
  add('tonhouse_store_parts', 'Active parts of a table', (size) => size.parts);
}

async function readSizes(client: StoreClient, served: readonly StoredVersion[]) {
  const sizes = await Promise.all(
    served.map(async (version) =>
      (await readTableSizes(client, version.database)).map((size) => ({ version, size })),
    ),
  );
  return sizes.flat();
}
