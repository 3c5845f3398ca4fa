import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { INPUT, projectionsWith } from '../../../pipelines/projections.ts';
import { checkAddress } from '../../api/http/connections/listen-address.ts';
import { readGivenStates } from '../../capture/given-states.ts';
import type { SourceState } from '../../capture/source.ts';
import { checkLateStates, takeLateStates } from '../../capture/take-late-states.ts';
import { prepareBegun } from '../../engine/versions/begun-projections.ts';
import { checkFork, LOCALNET } from '../../localnet/local-chain.ts';
import { makeRequestedChange } from '../../localnet/snapshots/make-change.ts';
import { retryStore } from '../../platform/clickhouse/retry-store.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { namesIn } from '../../platform/config/settings.ts';
import { UsageError } from '../../platform/errors/error-kinds.ts';
import { createProgress } from '../../platform/observability/progress.ts';
import { Announcement } from '../compose/announcement.ts';
import { stateIndex } from '../compose/block-index.ts';
import { type OpenLog, openLog, requireIdentity } from '../compose/data-directory.ts';
import { chosenProjections } from '../compose/projections.ts';
import { sayAllThatNeedReplay, serveAndIndex } from '../compose/serve-and-index.ts';
import { type ServingSettings, serveStore } from '../compose/serving.ts';
import { readStartInput } from '../compose/start-input.ts';
import { openServedStore, type ServedStore } from '../compose/store.ts';
import { storeRetry } from '../compose/store-retry.ts';
import { EXIT } from '../exit-codes.ts';
import { Restart } from '../restart.ts';
import { runService, type Session } from '../session.ts';
import { INDEX_SETTINGS, LOCALNET_SETTINGS, SERVE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';
import { progressWatch } from './index-source.ts';

const UP_SETTINGS = [
  'follow',
  ...namesIn('up'),
  ...INDEX_SETTINGS,
  ...SERVE_SETTINGS,
  ...LOCALNET_SETTINGS,
] as const;

/** `tonhouse up`: everything in one process. Indexes the source, answers meanwhile and afterwards. */
export function upCommand(command: Command, exit: (code: number) => void): void {
  command.action(async (flags: Record<string, unknown>) => exit(await up(flags)));
  addSettings(command, UP_SETTINGS);
}

async function up(flags: Record<string, unknown>): Promise<number> {
  const settings = resolveSettings(UP_SETTINGS, flags);
  chosenProjections(settings.projections, settings);
  const restart = new Restart();
  await runService(flags, async (session) => {
    await checkAddress(settings);
    await makeRequestedChange(resolve(settings.data), session);
    const { source: named } = settings;
    if (settings.follow && named === undefined) throw new UsageError('--follow needs --source archive:PATH');
    const states = named === undefined ? await readGivenStates(settings.state, session.signal) : [];
    const input =
      named === undefined
        ? undefined
        : await readStartInput(settings.data, { ...settings, source: named }, session);
    const log = await openLog(settings.data, session, settings);
    const source = named ?? (await usualSource(log));
    checkFork(source, settings);
    const store = await openServedStore(log.directory, settings, session);
    await (source === null
      ? serveOnly(log, store, { ...settings, states }, session)
      : indexAndShow({ log, ...store, input, restart }, { ...settings, source }, session));
    if (!session.signal.aborted) await once(session.signal, 'abort');
  });
  restart.run();
  return EXIT.ok;
}

/** Default source: a local chain in its own or a new directory, none in any other. */
async function usualSource({ bus }: OpenLog): Promise<string | null> {
  const identity = await bus.identity();
  return identity === null || identity.network === LOCALNET ? LOCALNET : null;
}

/** Without a source: answers from what is indexed, and from states that it takes in. */
async function serveOnly(
  log: OpenLog,
  { client, reader, analysts }: ServedStore,
  settings: ServingSettings & { readonly states: readonly SourceState[] },
  session: Session,
) {
  const identity = await requireIdentity(log);
  const begun = await retryStore(
    () => prepareBegun(client, identity, projectionsWith(settings.actionRules)),
    storeRetry(session),
  );
  const parts = { ...log, projection: INPUT, client, identity, owner: session.owner, log: session.log };
  const late = { ...parts, index: stateIndex(parts, begun) };
  await checkLateStates(late, settings.states);
  await takeLateStates(late, settings.states, session.signal);
  await sayAllThatNeedReplay({ client, identity }, begun, session);
  const serving = await serveStore(
    { identity, bus: log.bus, codec: log.codec, directory: log.directory, reader, client, analysts },
    settings,
    session,
  );
  Announcement.start(serving, identity.network, session);
}

/** Answers while the source is indexed, and shows how far that is. */
async function indexAndShow(
  parts: Parameters<typeof serveAndIndex>[0],
  settings: Parameters<typeof serveAndIndex>[1],
  session: Session,
): Promise<void> {
  const progress = createProgress('indexed blocks');
  try {
    await serveAndIndex(parts, settings, session, progressWatch(progress));
  } finally {
    progress.stop();
  }
}
