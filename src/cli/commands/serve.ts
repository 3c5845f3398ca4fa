import { once } from 'node:events';
import type { Command } from 'commander';
import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { checkAddress, freePort, namingAddress } from '../../api/http/connections/listen-address.ts';
import { prepareBegun } from '../../engine/versions/begun-projections.ts';
import { type GroupPlace, readGroupPlace } from '../../platform/config/group-place.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import type { SettingValues } from '../../platform/config/settings.ts';
import { ProcessGroup } from '../../platform/processes/process-group.ts';
import { Announcement } from '../compose/announcement.ts';
import { openLog, requireIdentity } from '../compose/data-directory.ts';
import { serveStore } from '../compose/serving.ts';
import { openServedStore } from '../compose/store.ts';
import { EXIT } from '../exit-codes.ts';
import { runService, type Session } from '../session.ts';
import { SERVE_SETTINGS, STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

const SETTINGS = [...STORE_SETTINGS, ...SERVE_SETTINGS, 'sessionMs', 'apiProcesses'] as const;

type Settings = SettingValues<(typeof SETTINGS)[number]>;

/** `tonhouse serve`: answers from a data directory until it is stopped. */
export function serveCommand(command: Command, exit: (code: number) => void): void {
  command.action(async (flags: Record<string, unknown>) => exit(await serve(flags)));
  addSettings(command, SETTINGS);
}

async function serve(flags: Record<string, unknown>): Promise<number> {
  const settings = resolveSettings(SETTINGS, flags);
  const place = readGroupPlace();
  const isGroup = settings.apiProcesses > 1 && place === null;
  const code = await runService(flags, (session) =>
    isGroup ? serveByGroup(settings, session) : serveAlone(settings, place, session),
  );
  return code ?? EXIT.ok;
}

/** Answers in several processes, which this one starts. */
async function serveByGroup(settings: Settings, session: Session): Promise<number> {
  const { log, shutdown, signal } = session;
  const port = await namingAddress(settings, () => freePort(settings));
  // An embedded store belongs to this process: the end of another one leaves it running.
  const { directory } = await openLog(settings.data, session, settings);
  await openServedStore(directory, settings, session);
  const group = ProcessGroup.start({ count: settings.apiProcesses, port, log });
  shutdown.add('processes of the API', () => group.close());
  const stopped = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  const failed = await Promise.race([group.failed, stopped.then(() => null)]);
  return failed?.exitCode ?? EXIT.ok;
}

/** Answers in this process. `place`: in its group. */
async function serveAlone(settings: Settings, place: GroupPlace | null, session: Session): Promise<number> {
  if (place === null) await checkAddress(settings);
  const log = await openLog(settings.data, session, settings);
  const identity = await requireIdentity(log);
  const { client, reader, analysts } = await openServedStore(log.directory, settings, session);
  await prepareBegun(client, identity, PROJECTIONS);
  const serving = await serveStore(
    { identity, bus: log.bus, codec: log.codec, directory: log.directory, reader, client, analysts },
    { ...settings, ...(place && { port: place.port }) },
    session,
  );
  session.peers?.ready();
  if (place === null || place.number === 1) Announcement.start(serving, identity.network, session);
  if (!session.signal.aborted) await once(session.signal, 'abort');
  return EXIT.ok;
}
