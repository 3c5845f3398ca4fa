import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { unreadableVersion } from '../../api/entities/unreadable-version.ts';
import type { ExportSource } from '../../api/export/export-source.ts';
import type { ServedTables } from '../../api/served-tables.ts';
import { READ_PROJECTIONS } from '../../api/version-vector.ts';
import { prepareBegun } from '../../engine/versions/begun-projections.ts';
import { ServedProjections } from '../../engine/versions/served-projections.ts';
import type { Session } from '../session.ts';
import type { OpenLog } from './data-directory.ts';
import { requireIdentity } from './data-directory.ts';
import { createLakeKeeper, readLakeViews } from './lake.ts';
import { projectionsOfLog } from './projections.ts';
import { buildVector } from './serving.ts';
import { openServedStore, type ReaderSettings, type StoreSettings } from './store.ts';

/** Opens the lake for an export: its views are created if no server has created them. */
export async function openExportSource(
  log: OpenLog,
  settings: StoreSettings & ReaderSettings,
  session: Session,
): Promise<ExportSource> {
  const identity = await requireIdentity(log);
  const { client, analysts: access } = await openServedStore(log.directory, settings, session);
  await prepareBegun(client, identity, PROJECTIONS);
  const unreadable = (projection: string, database: string, tables: ServedTables | null) =>
    unreadableVersion(client, projection, database, tables);
  const served = await ServedProjections.start(
    { client, identity, unreadable },
    projectionsOfLog('all', PROJECTIONS, identity),
    session,
  );
  const vector = () => buildVector(served);
  const lake = settings.lakeDatabase ?? 'ton';
  const keeper = createLakeKeeper({ client, identity, access, vector }, lake);
  return {
    client,
    lake,
    views: readLakeViews(),
    vector,
    refresh: async () => {
      await served.freshen(READ_PROJECTIONS);
      await keeper.refresh();
    },
  };
}
