import { once } from 'node:events';
import type { Command } from 'commander';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { createProgress } from '../../platform/observability/progress.ts';
import { EXIT } from '../exit-codes.ts';
import { INDEX_SETTINGS, SERVE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';
import { openLog, requireIdentity } from '../wiring/data-directory.ts';
import { openDeadLetters } from '../wiring/dead-letter-list.ts';
import { prepareIndex } from '../wiring/index-run.ts';
import { prepareStore } from '../wiring/projection.ts';
import { serveStore } from '../wiring/serving.ts';
import { runSession, type Session } from '../wiring/session.ts';
import { openSessionStore } from '../wiring/store.ts';
import { progressWatch } from './index-source.ts';

const UP_SETTINGS = ['source', ...INDEX_SETTINGS, ...SERVE_SETTINGS] as const;

/** `tonhouse up`: everything in one process. Indexes the source, answers meanwhile and afterwards. */
export function upCommand(command: Command, exit: (code: number) => void): void {
  command.action(async (flags: Record<string, unknown>) => exit(await up(flags)));
  addSettings(command, UP_SETTINGS);
}

async function up(flags: Record<string, unknown>): Promise<number> {
  const settings = resolveSettings(UP_SETTINGS, flags);
  return runSession(flags, async (session) => {
    const log = await openLog(settings.data, session);
    if (settings.source === undefined) {
      const identity = await requireIdentity(log);
      const client = await openSessionStore(log.directory, settings, session);
      await prepareStore(client, identity);
      announce(await serveStore(client, identity, log.bus, settings, session), identity.network, session);
    } else {
      const client = await openSessionStore(log.directory, settings, session);
      const prepared = await prepareIndex(log, client, { ...settings, source: settings.source }, session);
      const { network } = prepared.identity;
      announce(await serveStore(client, prepared.identity, log.bus, settings, session), network, session);
      const progress = createProgress('indexed blocks');
      try {
        await prepared.run(progressWatch(progress));
      } finally {
        progress.stop();
      }
      const open = (await openDeadLetters(log.bus)).length;
      if (open > 0) session.log.warn({ open }, 'dead letters: see `tonhouse dead-letters list`');
      if (!session.signal.aborted) session.log.info({}, 'the source is indexed; answering until stopped');
    }
    if (!session.signal.aborted) await once(session.signal, 'abort');
    return EXIT.ok;
  });
}

function announce(url: string, network: string, { log }: Session): void {
  log.info({ network, v3: `${url}/api/v3/index.html`, v2: `${url}/api/v2/index.html` }, 'answering');
}
