import type { Command } from 'commander';
import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { prepareStore, servedDatabase } from '../../engine/versions/prepare-store.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { openLog, requireIdentity } from '../compose/data-directory.ts';
import { openSessionStore } from '../compose/store.ts';
import { EXIT } from '../exit-codes.ts';
import { runSession } from '../session.ts';
import { STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

/** `tonhouse migrate`: brings the store of a data directory up to date, forward only. */
export function migrateCommand(command: Command, exit: (code: number) => void): void {
  command.action(async (flags: Record<string, unknown>) => exit(await run(flags)));
  addSettings(command, STORE_SETTINGS);
}

async function run(flags: Record<string, unknown>): Promise<number> {
  const settings = resolveSettings(STORE_SETTINGS, flags);
  return runSession(flags, async (session) => {
    const log = await openLog(settings.data, session, settings);
    const identity = await requireIdentity(log);
    const client = await openSessionStore(log.directory, settings, session);
    const applied = await prepareStore(client, identity, PROJECTIONS);
    for (const file of applied) process.stdout.write(`applied ${file}\n`);
    const databases = await Promise.all(PROJECTIONS.map((one) => servedDatabase(client, identity, one)));
    process.stdout.write(`${databases.join(', ')} up to date, ${applied.length} applied\n`);
    return EXIT.ok;
  });
}
