import { once } from 'node:events';
import type { Command } from 'commander';
import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { checkAddress } from '../../api/http/connections/listen-address.ts';
import { prepareBegun } from '../../engine/versions/begun-projections.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { Announcement } from '../compose/announcement.ts';
import { openLog, requireIdentity } from '../compose/data-directory.ts';
import { serveStore } from '../compose/serving.ts';
import { openServedStore } from '../compose/store.ts';
import { EXIT } from '../exit-codes.ts';
import { runService } from '../session.ts';
import { SERVE_SETTINGS, STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

const SETTINGS = [...STORE_SETTINGS, ...SERVE_SETTINGS, 'sessionMs'] as const;

/** `tonhouse serve`: answers from a data directory until it is stopped. */
export function serveCommand(command: Command, exit: (code: number) => void): void {
  command.action(async (flags: Record<string, unknown>) => exit(await serve(flags)));
  addSettings(command, SETTINGS);
}

async function serve(flags: Record<string, unknown>): Promise<number> {
  const settings = resolveSettings(SETTINGS, flags);
  await runService(flags, async (session) => {
    await checkAddress(settings);
    const log = await openLog(settings.data, session, settings);
    const identity = await requireIdentity(log);
    const { client, reader, analysts } = await openServedStore(log.directory, settings, session);
    await prepareBegun(client, identity, PROJECTIONS);
    const serving = await serveStore(
      { identity, bus: log.bus, codec: log.codec, directory: log.directory, reader, client, analysts },
      settings,
      session,
    );
    Announcement.start(serving, identity.network, session);
    if (!session.signal.aborted) await once(session.signal, 'abort');
  });
  return EXIT.ok;
}
