import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { prepareBegun } from '../../engine/versions/begun-projections.ts';
import { isStoreMade } from '../../engine/versions/require-store.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { UsageError } from '../../platform/errors/error-kinds.ts';
import { runSession } from '../session.ts';
import { STORE_SETTINGS } from '../setting-groups.ts';
import { openLog, requireIdentity } from './data-directory.ts';
import { openReadStore, openSessionStore } from './store.ts';

/** The network has no index yet: data that belong to it are kept from the first one on. */
class NothingMadeError extends UsageError {
  constructor(network: string) {
    super(`the store has no index of ${network} yet and no data of it`);
  }
}

/**
 * Runs a command on the network's data in the store; for writes, it creates the tables first. Flags are STORE_SETTINGS.
 * Resolves with the exit code. @throws UsageError
 */
export function withNetworkStore(
  flags: Record<string, unknown>,
  access: 'read' | 'write',
  work: (client: StoreClient, network: string, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const settings = resolveSettings(STORE_SETTINGS, flags);
  return runSession(flags, async (session) => {
    const log = await openLog(settings.data, session, settings);
    const identity = await requireIdentity(log);
    const { network } = identity;
    if (access === 'write') {
      const client = await openSessionStore(log.directory, settings, session);
      await prepareBegun(client, identity, PROJECTIONS);
      return work(client, network, session.signal);
    }
    const client = await openReadStore(log.directory, settings, session);
    const own = PROJECTIONS.filter(({ name, input }) => input.projection === name);
    if (!(await isStoreMade(client, identity, own))) throw new NothingMadeError(network);
    return work(client, network, session.signal);
  });
}
