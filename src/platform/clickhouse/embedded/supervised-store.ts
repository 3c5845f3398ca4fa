import { ConflictError } from '../../errors/error-kinds.ts';
import type { Log } from '../../observability/log.ts';
import type { Shutdown } from '../../observability/shutdown.ts';
import { pause, poll } from '../../retry/poll.ts';
import type { EmbeddedServerOptions } from './embedded-server.ts';
import { type OpenedStore, openStore } from './open-store.ts';
import { findRunningServer } from './server-state.ts';
import { untilUnresponsive } from './unresponsive-watch.ts';

/** A server is started again at most this often in a row: without having run for `SETTLED_MS` in between. */
const RESTARTS = 20;
const SETTLED_MS = 60_000;
const POLL_INTERVAL_MS = 250;

export interface SupervisedStoreOptions extends EmbeddedServerOptions {
  /** A server that answers nothing for this long is ended and started again, milliseconds. */
  readonly unresponsiveMs: number;
}

/** The work that the store is kept open for. */
interface Session {
  readonly log: Log;
  readonly shutdown: Shutdown;
}

interface SupervisedStore {
  store: OpenedStore;
  closing: boolean;
  /** Aborts when the session ends. */
  readonly end: AbortController;
}

/** Opens the embedded store for the session, and opens it again whenever it ends or falls silent. */
export async function openSupervisedStore(
  options: SupervisedStoreOptions,
  session: Session,
): Promise<OpenedStore> {
  const opened = await openStore(options);
  if (!opened.owned) {
    session.log.info(
      { pid: opened.pid, owner: opened.ownerPid },
      'using the running store of the data directory',
    );
  }
  const state: SupervisedStore = { store: opened, closing: false, end: new AbortController() };
  const supervising = superviseStore(state, options, session);
  session.shutdown.add('store', async () => {
    state.closing = true;
    state.end.abort();
    await state.store.stop();
    // A start under way is let finish, so that no server outlives the session.
    if (state.store.owned) await supervising;
  });
  return opened;
}

/** The store came back at another address: its port was taken, and clients would speak to the process that took it. */
class StoreMovedError extends ConflictError {
  constructor(before: string, now: string) {
    super(`the store was at ${before} and is at ${now} now: its port was taken by another process`);
  }
}

/** Restarts the store when it ends unexpectedly; it keeps its address, and writers measure and continue. */
async function superviseStore(
  state: SupervisedStore,
  options: SupervisedStoreOptions,
  { log, shutdown }: Session,
): Promise<void> {
  const { url } = state.store;
  for (let crashes = 1; crashes <= RESTARTS; crashes++) {
    const since = performance.now();
    const how = await ended(state, options.unresponsiveMs, log);
    if (state.closing) return;
    if (performance.now() - since > SETTLED_MS) crashes = 1;
    log.warn(how, 'the store ended: starting it again');
    await pause(200);
    try {
      state.store = await openStore(options);
      if (state.closing) return await state.store.stop();
      if (state.store.url !== url) throw new StoreMovedError(url, state.store.url);
    } catch (error) {
      log.error({ error }, 'the store cannot be started again');
      break;
    }
  }
  if (!state.closing) shutdown.request();
}

/** Resolves when the store is gone. Another process's store is polled: it may end with its owner. */
async function ended(state: SupervisedStore, unresponsiveMs: number, log: Session['log']): Promise<object> {
  const { store } = state;
  if (store.owned) {
    const exited = new AbortController();
    const exit = store.exited.finally(() => exited.abort());
    const signal = AbortSignal.any([exited.signal, state.end.signal]);
    if (await untilUnresponsive(store, { unresponsiveMs, signal })) {
      log.warn(
        { pid: store.pid, silent_ms: unresponsiveMs },
        'the store runs and does not answer: ending it',
      );
      await store.stop();
    }
    return exit;
  }
  const isOver = () => state.closing || findRunningServer(store.directory)?.pid !== store.pid;
  await poll(isOver, { everyMs: POLL_INTERVAL_MS, isBackground: true });
  return { owner: store.ownerPid };
}
