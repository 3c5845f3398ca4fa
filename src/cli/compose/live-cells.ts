import { INPUT } from '../../../pipelines/projections.ts';
import type { BlockIdExt } from '../../capture/block-id.ts';
import { CellsOfServers } from '../../capture/liteserver/cells-of-servers.ts';
import type { LiveSource } from '../../capture/liteserver/liteserver-source.ts';
import { type LiveSettings, openLiveSource } from '../../capture/liteserver/live-settings.ts';
import { servedDatabase } from '../../engine/versions/prepare-store.ts';
import { readVisibleSpan } from '../../engine/watermark/visible-span.ts';
import {
  type CellStore,
  listLackingAccounts,
  listLackingLibraries,
} from '../../projections/contracts/cells/missing-cells.ts';
import type { StateOutlet } from '../../projections/contracts/cells/state-outlet.ts';
import type { Session } from '../session.ts';

/** Accounts, and libraries, that one run asks for. */
const LIMIT = 10_000;

/** An index that lacks cells, and the settings of the network that has them. */
export interface LackingIndex {
  readonly store: CellStore;
  readonly settings: LiveSettings;
  readonly data: string;
}

/** Lite servers as an outlet of the cells that an index lacks; closed with the session. */
export async function outletOfServers(
  { store, settings, data }: LackingIndex,
  session: Session,
): Promise<StateOutlet> {
  const live = await openLiveSource(settings, { directory: data, log: session.log });
  session.shutdown.add('lite servers', () => live.close());
  const [accounts, libraries] = await Promise.all([
    listLackingAccounts(store, LIMIT),
    listLackingLibraries(store, LIMIT),
  ]);
  const blocks = await askedBlocks(store, live);
  return new CellsOfServers(
    live.pool,
    blocks,
    { accounts, libraries },
    {
      signal: session.signal,
      onFailure: (wanted, error) => session.log.warn({ wanted }, error.message),
    },
  );
}

/** The block before the index, whose state the index lacks, and the newest one: servers drop old states. */
async function askedBlocks(store: CellStore, live: LiveSource): Promise<BlockIdExt[]> {
  const database = await servedDatabase(store.client, store, INPUT);
  const span = await readVisibleSpan(store.client, database);
  const seqnos = span && span.first > 1 ? [span.first - 1, null] : [null];
  const ids = await Promise.all(seqnos.map((seqno) => live.provenId(seqno)));
  return ids.filter((id) => id !== null);
}
