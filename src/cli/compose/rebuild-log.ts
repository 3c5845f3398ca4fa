import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { INPUT } from '../../../pipelines/projections.ts';
import { logShape } from '../../capture/identity.ts';
import {
  type AdoptedFiles,
  adoptSealedFiles,
  seedLog,
  storedLogIdentity,
} from '../../engine/repair/rebuild-log.ts';
import { UnreadableLogError } from '../../log/errors.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { type Flags, resolveSettings } from '../../platform/config/resolve-settings.ts';
import { namesIn } from '../../platform/config/settings.ts';
import { syncFolder } from '../../platform/files/folders.ts';
import type { Session } from '../session.ts';
import { logCodec, type OpenLog, openLog, openLogFiles } from './data-directory.ts';

/** Whether a log could not be opened because its files do not hold what they did. */
export function isDamagedLog(error: unknown): boolean {
  return error instanceof UnreadableLogError;
}

/** A log that was made again, and the sealed files that it has. */
export interface RebuiltLog extends AdoptedFiles {
  /** Folder of the damaged log. */
  readonly aside: string;
}

/** The new log, and what it is made of. */
interface Rebuilding {
  readonly log: OpenLog;
  readonly rebuilt: RebuiltLog;
}

/**
 * Puts the log of a data directory aside and makes a new one from the store and the sealed files: its identity, all sealed
 * files that are whole, and the newest step, where capture goes on. Steps that were in neither come from the source again;
 * dead letters stay in the files that were put aside. `flags`: of the command.
 *
 * The new log is complete before the damaged one is moved. A process that dies between the two leaves no log, and the next
 * repair takes the complete one.
 */
export async function rebuildLog(
  directory: string,
  client: StoreClient,
  flags: Flags,
  session: Session,
): Promise<Rebuilding> {
  const place = join(directory, 'log');
  const ready = join(directory, 'log.rebuilt');
  let rebuilt: AdoptedFiles = { files: sealedFiles(ready).length, records: 0, refused: [] };
  // The log that was there is aside already if only the complete one has sealed files.
  if (sealedFiles(place).length > 0 || rebuilt.files === 0) {
    rmSync(ready, { recursive: true, force: true });
    rebuilt = await buildLog(directory, ready, { client, flags, session });
  }
  const aside = join(directory, `log.damaged-${Date.now()}`);
  if (existsSync(place)) renameSync(place, aside);
  renameSync(ready, place);
  syncFolder(directory);
  session.log.warn(
    { aside, ...rebuilt },
    'the log is put aside and made again from the store and its sealed files',
  );
  return { log: await openLog(directory, session, rawSettings(flags)), rebuilt: { aside, ...rebuilt } };
}

const rawSettings = (flags: Flags) => resolveSettings(namesIn('s3', 'raw'), flags);

interface RebuildParts {
  readonly client: StoreClient;
  readonly flags: Flags;
  readonly session: Session;
}

async function buildLog(
  directory: string,
  ready: string,
  { client, flags, session }: RebuildParts,
): Promise<AdoptedFiles> {
  const { owner, signal, log } = session;
  const { lanes } = logShape(resolveSettings(['epochSize', 'lanes'], flags), null);
  const identity = await storedLogIdentity(client, INPUT, lanes);
  const folder = join(directory, 'log.building');
  rmSync(folder, { recursive: true, force: true });
  const bus = await openLogFiles(folder, rawSettings(flags));
  let adopted: AdoptedFiles;
  try {
    await bus.establish(identity);
    adopted = await adoptSealedFiles(bus, sealedFiles(join(directory, 'log')), signal);
    await seedLog({ bus, codec: logCodec(), projection: INPUT, client, identity, owner, log }, signal);
  } finally {
    await bus.close();
  }
  signal.throwIfAborted();
  renameSync(folder, ready);
  syncFolder(directory);
  return adopted;
}

/** Sealed files of a log, in the order of their numbers. */
function sealedFiles(log: string): readonly string[] {
  const folder = join(log, 'sealed');
  if (!existsSync(folder)) return [];
  const number = (path: string) => Number(/-(\d+)\.sealed$/.exec(path)?.[1] ?? 0);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sealed'))
    .map((name) => join(folder, name))
    .sort((a, b) => number(a) - number(b));
}
