import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { INPUT } from '../../../pipelines/projections.ts';
import { logShape } from '../../capture/identity.ts';
import { readColdEpochs } from '../../engine/cold/cold-epochs.ts';
import { seedLog, storedLogIdentity } from '../../engine/repair/rebuild-log.ts';
import { UnreadableLogError } from '../../log/errors.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { type Flags, resolveSettings } from '../../platform/config/resolve-settings.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import type { Session } from '../session.ts';
import { type OpenLog, openLog } from './data-directory.ts';

/** Whether a log could not be opened because its files do not hold what they did. */
export function isDamagedLog(error: unknown): boolean {
  return error instanceof UnreadableLogError;
}

/** The log has the only copies of blocks, so it is not replaced. */
export class ColdLogError extends ConflictError {
  constructor(directory: string, epochs: number) {
    super(
      `the log in ${directory} is damaged and not replaced: its sealed files have the only copies of the raw blocks of ${epochs} epochs. ` +
        'Put the damaged files back from a backup',
    );
  }
}

const hasSealedFiles = (directory: string): boolean => {
  const folder = join(directory, 'log', 'sealed');
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.sealed'));
};

/**
 * Puts the log of a data directory aside and makes a new one from the store: its identity, and the newest step, where
 * capture goes on. Steps that were not in the store come from the source again; dead letters stay in the files that were
 * put aside. `flags`: of the command.
 * @throws ColdLogError
 */
export async function rebuildLog(
  directory: string,
  client: StoreClient,
  flags: Flags,
  session: Session,
): Promise<OpenLog> {
  const { owner, signal, log: logger } = session;
  const { lanes } = logShape(resolveSettings(['epochSize', 'lanes'], flags), null);
  const identity = await storedLogIdentity(client, INPUT, lanes);
  const cold = await readColdEpochs(client, identity);
  if (cold.length > 0 && hasSealedFiles(directory)) throw new ColdLogError(directory, cold.length);
  const aside = join(directory, `log.damaged-${Date.now()}`);
  renameSync(join(directory, 'log'), aside);
  logger.warn({ aside }, 'the log is put aside and made again from the store');
  const log = await openLog(directory, session);
  await seedLog({ ...log, projection: INPUT, client, identity, owner, log: logger }, signal);
  return log;
}
