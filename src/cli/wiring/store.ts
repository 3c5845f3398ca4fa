import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createStoreClient, type StoreClient } from '../../platform/clickhouse/client.ts';
import type { EmbeddedServerOptions } from '../../platform/clickhouse/embedded/embedded-server.ts';
import { type OpenedStore, openStore } from '../../platform/clickhouse/embedded/open-store.ts';
import { findRunningServer } from '../../platform/clickhouse/embedded/server-state.ts';
import type { Session } from './session.ts';

/** Which store to use: the embedded server of the data directory, or one that is given. */
export interface StoreSettings {
  readonly clickhouseUrl: string | undefined;
  readonly clickhouseUser: string;
  readonly clickhousePassword: string | undefined;
  readonly clickhouseMemoryMb: number;
  readonly clickhouseCluster: string | undefined;
}

/** A cluster was named, but no server of it. */
export class NoClusterServerError extends Error {
  override readonly name = 'NoClusterServerError';

  constructor(cluster: string) {
    super(`cluster ${cluster} needs a server of it (--clickhouse-url): the embedded one is alone`);
  }
}

/** A crashed server is started again at most this often in a row: without having run for `SETTLED_MS` in between. */
const RESTARTS = 20;
const SETTLED_MS = 60_000;
const LOOK_MS = 250;
const FLUSH_MS = 60_000;

/** Opens the store for this session: attaches to a server, or starts it and keeps it running. `niceness`: of the client. */
export async function openSessionStore(
  directory: string,
  settings: StoreSettings,
  session: Session,
  niceness = 0,
): Promise<StoreClient> {
  const cluster = settings.clickhouseCluster ?? null;
  if (cluster !== null && !settings.clickhouseUrl) throw new NoClusterServerError(cluster);
  const access = settings.clickhouseUrl
    ? {
        url: settings.clickhouseUrl,
        user: settings.clickhouseUser,
        password: settings.clickhousePassword ?? '',
      }
    : await openEmbedded(directory, settings.clickhouseMemoryMb, session);
  // `access` names the directory of a store that is this machine's own.
  const client = createStoreClient({ ...access, cluster, niceness });
  const stopFlushing = flushMerges(client, session);
  session.shutdown.add('store client', () => {
    stopFlushing();
    return client.close();
  });
  return client;
}

/**
 * Parts that were merged into another are deleted eight minutes later: by then the other is on the disk, even where
 * nothing is confirmed any more.
 */
function flushMerges(client: StoreClient, { log }: Session): () => void {
  const flush = () => client.flush().catch((error: unknown) => log.error({ error }, 'the disk'));
  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();
  return () => clearInterval(timer);
}

async function openEmbedded(directory: string, memoryMb: number, session: Session): Promise<OpenedStore> {
  const options = {
    directory: join(directory, 'clickhouse'),
    memoryLimitBytes: memoryMb * 2 ** 20,
    log: (message: string) => session.log.debug({}, message),
  };
  const opened = await openStore(options);
  if (!opened.owned) {
    session.log.info(
      { pid: opened.pid, owner: opened.ownerPid },
      'using the running store of the data directory',
    );
  }
  const state = { store: opened, closing: false };
  const keeping = keepRunning(state, options, session);
  session.shutdown.add('store', async () => {
    state.closing = true;
    await state.store.stop();
    // A start under way is let finish, so that no server outlives the session.
    if (state.store.owned) await keeping;
  });
  return opened;
}

interface KeptStore {
  store: OpenedStore;
  closing: boolean;
}

/** Opens the store again when it ends by itself; it comes back at the same address, and writers measure and go on. */
async function keepRunning(
  state: KeptStore,
  options: EmbeddedServerOptions,
  { log, shutdown }: Session,
): Promise<void> {
  for (let crashes = 1; crashes <= RESTARTS; crashes++) {
    const since = performance.now();
    const how = await ended(state);
    if (state.closing) return;
    if (performance.now() - since > SETTLED_MS) crashes = 1;
    log.warn(how, 'the store ended by itself: starting it again');
    await sleep(200);
    try {
      state.store = await openStore(options);
      if (state.closing) return await state.store.stop();
    } catch (error) {
      log.error({ error }, 'the store cannot be started again');
      break;
    }
  }
  if (!state.closing) shutdown.request();
}

/** Resolves when the store is gone. That of another process is looked at: it may end with its owner at any time. */
async function ended(state: KeptStore): Promise<object> {
  const { store } = state;
  if (store.owned) return store.exited;
  while (!state.closing && findRunningServer(store.directory)?.pid === store.pid)
    await sleep(LOOK_MS, undefined, { ref: false });
  return { owner: store.ownerPid };
}
