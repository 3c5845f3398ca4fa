import { accessSync, constants, mkdirSync } from 'node:fs';
import type { ServedProjections } from '../../../engine/versions/served-projections.ts';
import type { LogIdentity } from '../../../log/port.ts';
import { hasRoom } from '../../../lookup/fill-pace.ts';
import { LookUpIndex, sizeOfFiles } from '../../../lookup/look-up-index.ts';
import { IndexSharing, SharedIndex } from '../../../lookup/shared-index.ts';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { SettingError } from '../../../platform/config/setting.ts';
import type { SettingValues } from '../../../platform/config/settings.ts';
import type { Session } from '../../session.ts';
import { getLookUpFolder, INDEXED_PROJECTIONS } from './indexed-projections.ts';

/** What the look-up index of a server is filled from. */
export interface IndexedStore {
  readonly served: ServedProjections;
  readonly identity: LogIdentity;
  readonly client: StoreClient;
  /** The data directory. */
  readonly directory: string;
}

/** The look-up index as this process reads it: its own, or that of another process of its group. */
export type ReadIndex = LookUpIndex | SharedIndex;

/** Starts the look-up index for this session. Null if it is off, or cannot be kept here. */
export async function startLookUpIndex(
  { served, identity, client, directory }: IndexedStore,
  settings: SettingValues<'lookupIndex'>,
  session: Session,
): Promise<ReadIndex | null> {
  const { log, shutdown, metrics, peers } = session;
  if (settings.lookupIndex === 'off') return null;
  const isOnDemand = settings.lookupIndex === 'auto';
  const folder = getLookUpFolder(directory, settings);
  const lack = (text: string) => {
    log[isOnDemand ? 'info' : 'warn']({ folder }, `no look-up index: ${text}`);
    return null;
  };
  if (identity.facts.continuity === 'isolated') return lack('the blocks of this index are unrelated');
  try {
    makeFolder(folder);
  } catch (error) {
    if (isOnDemand) return lack('its folder cannot be made or written');
    throw error;
  }
  const sharing = peers && new IndexSharing(peers);
  const own = await LookUpIndex.start({
    client,
    directory: folder,
    chain: identity.id,
    projections: INDEXED_PROJECTIONS.map((projection) => ({
      ...projection,
      getServed: () => {
        const view = served.view(projection.name);
        return view.state === 'served' ? view : null;
      },
    })),
    getTables: (database) => served.getTables(database),
    changed: (projection) => sharing?.changed(projection),
    ...(isOnDemand && { demand: { hasRoom: () => hasRoom(folder, sizeOfFiles(folder)) } }),
    log,
  });
  if (own) sharing?.share(own);
  const index = own ?? (peers ? new SharedIndex(folder, peers) : null);
  if (!index) return lack('another process uses its folder');
  if (index !== own) log.info({ folder }, 'another process fills the look-up index; this one reads it');
  shutdown.add('look-up index', () => index.close());
  metrics.gauge(
    {
      name: 'tonhouse_lookup_index_last_step',
      help: 'Newest masterchain step of the look-up index',
      labels: ['projection'],
    },
    () =>
      index.facts.projections.flatMap(({ projection, steps }) =>
        steps ? [{ labels: { projection }, value: steps.last }] : [],
      ),
  );
  metrics.gauge(
    { name: 'tonhouse_lookup_index_bytes', help: 'Bytes on disk of the look-up index' },
    () => index.facts.bytes,
  );
  return index;
}

/** Creates the folder of the index, private to this user. @throws SettingError */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new SettingError(
      '--lookup-index',
      {
        found: folder,
        allowed: 'auto, on, off, or a folder that can be made or written',
        origin: 'the settings',
      },
      { cause },
    );
  }
}
