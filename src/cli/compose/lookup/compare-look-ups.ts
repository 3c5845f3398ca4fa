import { existsSync } from 'node:fs';
import { PROJECTIONS } from '../../../../pipelines/projections.ts';
import type { CheckResult } from '../../../engine/projection/table-audit.ts';
import { begunProjections } from '../../../engine/versions/begun-projections.ts';
import { servedVersion } from '../../../engine/versions/prepare-store.ts';
import { getDatabase } from '../../../engine/versions/version-names.ts';
import { readVersionSchema } from '../../../engine/versions/version-projection.ts';
import type { LogIdentity } from '../../../log/port.ts';
import { compareIndex } from '../../../lookup/compare-index.ts';
import { getIndexPath } from '../../../lookup/sqlite-index.ts';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { INDEXED_PROJECTIONS } from './indexed-projections.ts';

/** Compares the files of the look-up index in a folder with the served versions: a check for each projection. */
export async function compareLookUps(
  { client, identity }: { readonly client: StoreClient; readonly identity: LogIdentity },
  folder: string,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const begun = new Set((await begunProjections(client, identity, PROJECTIONS)).map(({ name }) => name));
  const compare = async (projection: (typeof INDEXED_PROJECTIONS)[number]): Promise<CheckResult[]> => {
    const version = await servedVersion(client, identity, projection);
    const database = getDatabase(identity, projection, version);
    const path = getIndexPath(folder, database);
    if (!existsSync(path)) return [];
    const schema = await readVersionSchema({ client, identity, projection, version });
    const { targets } = projection;
    const tables = schema?.tables ?? null;
    const found = await compareIndex({ client, database, targets, tables, chain: identity.id, path, signal });
    const check = {
      name: `look-up index ${projection.name}`,
      law: `the look-up index has the ${found?.rows ?? 0} rows that the tables have`,
      problems: found?.problems ?? 0,
      samples: found?.problems ? [...found.samples, `stop the server and delete ${path}`] : [],
      ...(found
        ? {}
        : { skipped: `${path} is of another release or cannot be opened: a server makes it again` }),
    };
    return [check];
  };
  const known = INDEXED_PROJECTIONS.filter(({ name }) => begun.has(name));
  return (await Promise.all(known.map(compare))).flat();
}
