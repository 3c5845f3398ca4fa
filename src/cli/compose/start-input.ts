import { resolve } from 'node:path';
import { parseBlockRange } from '../../capture/block-range.ts';
import { GIVEN_STATE, readGivenStates } from '../../capture/given-states.ts';
import { keepLiveNote } from '../../capture/liteserver/live-note.ts';
import { getLive } from '../../capture/liteserver/live-settings.ts';
import { parseNetwork } from '../../capture/network-spec.ts';
import type { Source, SourceState } from '../../capture/source.ts';
import { checkFork, holdLocalnet, LOCALNET, localnetOptions } from '../../localnet/local-chain.ts';
import { SettingError } from '../../platform/config/setting.ts';
import type { Session } from '../session.ts';
import { makeDataDirectory } from './data-directory.ts';
import { fileReading } from './file-reading.ts';
import { forkOrigin } from './localnet/fork-origin.ts';
import { isRanged, openSource } from './open-source.ts';
import type { SourceSettings } from './source-start.ts';

/** Input of a start: read before anything is started or written. */
export interface StartInput {
  readonly source: Source;
  readonly states: readonly SourceState[];
}

/**
 * Opens the source, which is closed with the session, and reads the states. `data`: the data directory, which need not
 * be there yet.
 *
 * @throws LocalnetInUseError, SourceSpecError, NetworkSpecError, SettingError: what was given cannot be used
 */
export async function readStartInput(
  data: string,
  settings: SourceSettings,
  session: Pick<Session, 'shutdown' | 'log'>,
): Promise<StartInput> {
  if (settings.network !== undefined) parseNetwork(settings.network);
  checkFork(settings.source, settings);
  if (settings.source === LOCALNET) {
    const [state] = settings.state;
    if (state !== undefined)
      throw new SettingError('--state', {
        found: state,
        allowed: 'nothing with a local chain, which has its own',
        origin: GIVEN_STATE,
      });
    makeDataDirectory(resolve(data), session);
    holdLocalnet(resolve(data), session);
  }
  const origin = forkOrigin(settings, { data: resolve(data), log: session.log });
  const localnet = { ...localnetOptions(resolve(data), settings), origin, log: session.log };
  const live = { settings, directory: resolve(data), log: session.log };
  const { isolated } = settings;
  const reading = fileReading(session);
  const follow = settings.follow ? { log: session.log } : undefined;
  const range = isRanged(settings.source) || settings.to !== undefined ? parseBlockRange(settings) : null;
  const source = await openSource(settings.source, { isolated, localnet, live, reading, follow, range });
  session.shutdown.add('source', () => source.close());
  noteLive(source, resolve(data), session);
  return { source, states: await readGivenStates(settings.state, reading.signal) };
}

/** `tonhouse status` shows the servers of a live network by a note of this process. */
function noteLive(source: Source, directory: string, session: Pick<Session, 'shutdown'>): void {
  const live = getLive(source);
  if (!live) return;
  const stop = keepLiveNote(directory, live);
  session.shutdown.add('live note', async () => stop());
}
