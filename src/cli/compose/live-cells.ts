import { CONTRACTS } from '../../../pipelines/contracts.ts';
import { INPUT } from '../../../pipelines/projections.ts';
import type { BlockIdExt } from '../../capture/block-id.ts';
import { CellsOfServers } from '../../capture/liteserver/cells-of-servers.ts';
import { fetchConfig } from '../../capture/liteserver/fetch-config.ts';
import type { LiveSource } from '../../capture/liteserver/liteserver-source.ts';
import { type LiveSettings, openLiveSource } from '../../capture/liteserver/live-settings.ts';
import { NoServerError } from '../../capture/liteserver/server-errors.ts';
import { begunProjections } from '../../engine/versions/begun-projections.ts';
import { servedDatabase, servedVersion } from '../../engine/versions/prepare-store.ts';
import { getDatabase } from '../../engine/versions/version-names.ts';
import { readVisibleSpan } from '../../engine/watermark/visible-span.ts';
import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import {
  type CellStore,
  knowsCells,
  listLackingAccounts,
  listLackingLibraries,
} from '../../projections/contracts/cells/missing-cells.ts';
import { type CellServers, MissingFetch } from '../../projections/contracts/cells/missing-fetch.ts';
import type { StateOutlet } from '../../projections/contracts/cells/state-outlet.ts';
import type { Session } from '../session.ts';

/** Accounts, and libraries, that one run asks for. */
const LIMIT = 10_000;
/** Requests of the background under way: servers answer 16 at once, and the head comes first. */
const AT_ONCE = 4;

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

/**
 * Why an index knows of no cells: its blocks are unrelated, the projection `contracts` is off, or an earlier release made
 * its served version.
 */
export type NoCells = 'isolated' | 'off' | 'outdated';

/** The served version of `contracts`, whose missing cells are known. */
export async function openCellStore(
  client: StoreClient,
  identity: LogIdentity,
): Promise<CellStore | NoCells> {
  const { network } = identity;
  if (identity.facts.continuity === 'isolated') return 'isolated';
  const [begun] = await begunProjections(client, identity, [CONTRACTS]);
  if (!begun) return 'off';
  const version = await servedVersion(client, identity, CONTRACTS);
  const store = { client, network, database: getDatabase(identity, CONTRACTS, version) };
  return (await knowsCells(store)) ? store : 'outdated';
}

/** An index that follows a network. */
export interface FollowedIndex {
  readonly client: StoreClient;
  readonly identity: LogIdentity;
  readonly live: LiveSource;
}

/**
 * Fetches what an index in mid-chain lacks, in the background until the session ends: the configuration, cells of accounts
 * that changed, and libraries.
 */
export function startLiveFetch(index: FollowedIndex, session: Session): void {
  const { client, identity, live } = index;
  const stop = new AbortController();
  const signal = AbortSignal.any([session.signal, stop.signal]);
  const fetch = new MissingFetch({
    servers: cellServers(index, signal),
    openStore: async () => {
      const store = await openCellStore(client, identity);
      return typeof store === 'string' ? null : store;
    },
    counts: live.progress.fetched,
    log: session.log,
    signal,
  });
  const running = fetch.run();
  session.shutdown.add('cells of lite servers', async () => {
    stop.abort();
    await running;
  });
}

function cellServers({ client, identity, live }: FollowedIndex, signal: AbortSignal): CellServers {
  const { pool, progress } = live;
  let first = 0;
  let before: BlockIdExt | null = null;
  const blocks = () => [before, progress.last?.id ?? null].filter((id) => id !== null);
  return {
    isReady: () => pool.best().length > 0 && progress.last !== null,
    async isMidChain() {
      const span = await readVisibleSpan(client, await servedDatabase(client, identity, INPUT));
      if (!span || span.first <= 1) return false;
      // A server may have it later.
      if (first !== span.first || !before) before = await live.provenId(span.first - 1, signal);
      first = span.first;
      return true;
    },
    async config() {
      try {
        return await fetchConfig(pool, blocks()[0]!, signal);
      } catch (error) {
        if (error instanceof NoServerError) return error;
        throw error;
      }
    },
    outlet(wanted, { isRepeated, onFailure }) {
      const asked = isRepeated ? blocks().reverse() : blocks();
      return new CellsOfServers(pool, asked, wanted, { signal, atOnce: AT_ONCE, onFailure });
    },
  };
}
