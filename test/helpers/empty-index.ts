import { resolve } from 'node:path';
import type { ServeContext } from '../../src/api/serve-context.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { migrate } from '../../src/platform/clickhouse/migrations/migrate.ts';
import { openIndexedStore } from './indexed-store.ts';
import { viewOf } from './version-vector.ts';

const NETWORK = 'serve_test';
const VISIBLE = { first: 1, last: 3 };

/** A store with the tables of every projection that the API reads, and no rows. */
export interface EmptyIndex {
  readonly context: ServeContext;
  close(): Promise<void>;
}

/** Three steps are visible, of which nothing is there. */
export async function openEmptyIndex(): Promise<EmptyIndex> {
  const { client, context, close } = await openIndexedStore({
    folders: [],
    contracts: true,
    visible: VISIBLE,
  });
  const directory = resolve(import.meta.dirname, '../../clickhouse');
  const views = await Promise.all(
    ['traces', 'actions'].map(async (projection) => {
      await migrate(client, { network: NETWORK, projection, version: 1, directory, epochSize: 40 });
      return [projection, viewOf(versionDatabase(NETWORK, projection, 1), VISIBLE)];
    }),
  );
  return {
    context: { ...context, vector: () => ({ ...context.vector(), ...Object.fromEntries(views) }) },
    close,
  };
}
