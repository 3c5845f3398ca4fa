import type { Command } from 'commander';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { EXIT } from '../exit-codes.ts';
import { STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';
import { openLog, requireIdentity } from '../wiring/data-directory.ts';
import { prepareStore, servedDatabase } from '../wiring/projection.ts';
import { runSession } from '../wiring/session.ts';
import { openSessionStore } from '../wiring/store.ts';

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
    const applied = await prepareStore(client, identity);
    for (const file of applied) process.stdout.write(`applied ${file}\n`);
    process.stdout.write(
      `${await servedDatabase(client, identity)} is up to date, ${applied.length} applied\n`,
    );
    return EXIT.ok;
  });
}
