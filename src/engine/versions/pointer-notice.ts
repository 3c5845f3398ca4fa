import { join } from 'node:path';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { ChangeNotice } from '../../platform/files/change-notice.ts';

/** Notice of moved pointers among processes that share a store of this machine; null for a remote store. */
export function pointerNotice(
  { directory }: Pick<StoreClient, 'directory'>,
  network: string,
): ChangeNotice | null {
  return directory === null ? null : new ChangeNotice(join(directory, `${metaDatabase(network)}.pointers`));
}
