import type { Command } from 'commander';
import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { prepareStore, servedDatabase } from '../../engine/versions/prepare-store.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { openLog, requireIdentity } from '../compose/data-directory.ts';
import { projectionsOfLog } from '../compose/projections.ts';
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
    const projections = projectionsOfLog('all', PROJECTIONS, identity);
    const applied = await prepareStore(client, identity, projections);
    const databases = await Promise.all(projections.map((one) => servedDatabase(client, identity, one)));
    printAnswer(applied.map((file) => `applied ${file}\n`).join(''));
    printAnswer(`${databases.join(', ')} up to date, ${applied.length} applied\n`);
    return EXIT.ok;
  });
}
