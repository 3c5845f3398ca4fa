import { once } from 'node:events';
import type { Command } from 'commander';
import { BASE } from '../../../pipelines/base.ts';
import { PROJECTIONS } from '../../../pipelines/projections.ts';
import type { SourceState } from '../../capture/source.ts';
import { openDeadLetters } from '../../engine/dead-letters/dead-letter-list.ts';
import { sayWhatNeedsReplay } from '../../engine/status/version-report.ts';
import { prepareStore } from '../../engine/versions/prepare-store.ts';
import { patiently } from '../../platform/clickhouse/patience.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { createProgress } from '../../platform/observability/progress.ts';
import { type OpenLog, openLog, requireIdentity } from '../compose/data-directory.ts';
import { type IndexSettings, prepareIndex } from '../compose/index-run.ts';
import { checkLateStates, takeLateStates } from '../compose/late-states.ts';
import { checkAddress } from '../compose/listen-address.ts';
import { controlOf, LOCALNET, openLocalnetControl } from '../compose/localnet.ts';
import { type ServingSettings, serveStore } from '../compose/serving.ts';
import { readStartInput, readStates, type StartInput } from '../compose/start-input.ts';
import { openServedStore, type ServedStore } from '../compose/store.ts';
import { storePatience } from '../compose/store-patience.ts';
import { EXIT } from '../exit-codes.ts';
import { runSession, type Session, wasStopped } from '../session.ts';
import { INDEX_SETTINGS, LOCALNET_SETTINGS, SERVE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';
import { progressWatch } from './index-source.ts';

const UP_SETTINGS = ['source', ...INDEX_SETTINGS, ...SERVE_SETTINGS, ...LOCALNET_SETTINGS] as const;

/** `tonhouse up`: everything in one process. Indexes the source, answers meanwhile and afterwards. */
export function upCommand(command: Command, exit: (code: number) => void): void {
  command.action(async (flags: Record<string, unknown>) => exit(await up(flags)));
  addSettings(command, UP_SETTINGS);
}

async function up(flags: Record<string, unknown>): Promise<number> {
  const settings = resolveSettings(UP_SETTINGS, flags);
  return runSession(flags, async (session) => {
    await checkAddress(settings);
    const { source: named } = settings;
    const states = named === undefined ? await readStates(settings.state) : [];
    const input =
      named === undefined
        ? undefined
        : await readStartInput(settings.data, { ...settings, source: named }, session);
    const log = await openLog(settings.data, session, settings);
    const source = named ?? (await usualSource(log));
    const store = await openServedStore(log.directory, settings, session);
    try {
      await (source === null
        ? serveOnly(log, store, { ...settings, states }, session)
        : serveAndIndex(log, store, { ...settings, source }, session, input));
      if (!session.signal.aborted) await once(session.signal, 'abort');
    } catch (error) {
      if (!wasStopped(session, error)) throw error;
    }
    return EXIT.ok;
  });
}

/** What is indexed where no source is named: a local chain in its own or a new directory, nothing in any other. */
async function usualSource({ bus }: OpenLog): Promise<string | null> {
  const identity = await bus.identity();
  return identity === null || identity.network === LOCALNET ? LOCALNET : null;
}

/** Without a source: answers from what is indexed, and from states that it takes in. */
async function serveOnly(
  log: OpenLog,
  { client, reader }: ServedStore,
  settings: ServingSettings & { readonly states: readonly SourceState[] },
  session: Session,
) {
  const identity = await requireIdentity(log);
  await patiently(() => prepareStore(client, identity, PROJECTIONS), storePatience(session));
  const parts = { ...log, projection: BASE, client, identity, owner: session.owner, log: session.log };
  await checkLateStates(parts, settings.states);
  await takeLateStates(parts, settings.states, session.signal);
  await patiently(
    () => sayWhatNeedsReplay({ client, identity, projection: BASE }, session),
    storePatience(session),
  );
  const { url } = await serveStore(reader, identity, log.bus, settings, session, null, client);
  announce(url, identity.network, session);
}

/** Answers while the source is indexed. */
async function serveAndIndex(
  log: OpenLog,
  { client, reader }: ServedStore,
  settings: ServingSettings & IndexSettings,
  session: Session,
  input: StartInput | undefined,
) {
  const { identity, source, run } = await prepareIndex(log, client, settings, session, input);
  await patiently(
    () => sayWhatNeedsReplay({ client, identity, projection: BASE }, session),
    storePatience(session),
  );
  const control = controlOf(source);
  if (control) await openLocalnetControl(control, log.directory, session);
  const serving = await serveStore(reader, identity, log.bus, settings, session, control, client);
  announce(serving.url, identity.network, session);
  const progress = createProgress('indexed blocks');
  try {
    const { onCapture, onDecode } = progressWatch(progress);
    await run({
      onCapture,
      onDecode(counts, mcSeqno) {
        serving.nudge();
        onDecode(counts, mcSeqno);
      },
    });
  } finally {
    progress.stop();
  }
  const open = (await openDeadLetters(log.bus)).length;
  if (open > 0) session.log.warn({ open }, 'dead letters: see `tonhouse dead-letters list`');
  if (!session.signal.aborted) session.log.info({}, 'the source is indexed; answering until stopped');
}

function announce(url: string, network: string, { log }: Session): void {
  log.info({ network, v3: `${url}/api/v3/index.html`, v2: `${url}/api/v2/index.html` }, 'answering');
}
