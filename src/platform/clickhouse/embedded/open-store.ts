import { resolve } from 'node:path';
import { pause, pollFor } from '../../retry/poll.ts';
import { StoreInUseError, StoreStartError } from './embedded-errors.ts';
import { type EmbeddedServer, type EmbeddedServerOptions, startEmbeddedServer } from './embedded-server.ts';
import { answers } from './server-http.ts';
import { findRunningServer, type RunningServer } from './server-state.ts';

/** A store that this process started. */
export interface OwnedStore extends EmbeddedServer {
  readonly owned: true;
}

/** A store of another process, with which it ends. */
export interface AttachedStore extends RunningServer {
  readonly owned: false;
  /** Leaves the store running. */
  stop(): Promise<void>;
}

export type OpenedStore = OwnedStore | AttachedStore;

const POLL_MS = 50;

/** Null if the directory is free; waits for a server that is still starting. */
async function attach(directory: string, timeoutMs: number): Promise<AttachedStore | null> {
  let state = findRunningServer(directory);
  const isDecided = async () => {
    state = findRunningServer(directory);
    return !state || (await answers(state));
  };
  const decided = await pollFor(isDecided, timeoutMs, { everyMs: POLL_MS });
  if (!state) return null;
  if (decided) return { ...state, owned: false, stop: async () => {} };
  throw new StoreStartError(directory, `process ${state.pid} at ${state.url} does not answer`, '');
}

/** Attaches to the server that runs on this directory, or starts it. */
export async function openStore(options: EmbeddedServerOptions): Promise<OpenedStore> {
  const directory = resolve(options.directory);
  const timeoutMs = options.startTimeoutMs ?? 120_000;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const attached = await attach(directory, timeoutMs);
    if (attached) return attached;
    try {
      const server = await startEmbeddedServer({ ...options, directory });
      return { ...server, owned: true };
    } catch (error) {
      // Another process was faster: attach to its server.
      if (!(error instanceof StoreInUseError) || performance.now() > deadline) throw error;
      await pause(POLL_MS);
    }
  }
}
