import { resolve } from 'node:path';
import { parseNetwork } from '../../capture/network-spec.ts';
import type { Source, SourceState } from '../../capture/source.ts';
import { readStateFile } from '../../capture/states.ts';
import { SettingError } from '../../platform/config/setting.ts';
import type { Session } from '../session.ts';
import { makeDataDirectory } from './data-directory.ts';
import { holdLocalnet, LOCALNET, localnetOptions } from './localnet.ts';
import { openSource } from './open-source.ts';
import type { SourceSettings } from './source-start.ts';

/** What a start is given: read before anything is started or written. */
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
  if (settings.source === LOCALNET) {
    const [state] = settings.state;
    if (state !== undefined)
      throw new SettingError('--state', state, 'nothing with a local chain, which has its own', GIVEN);
    makeDataDirectory(resolve(data), session);
    holdLocalnet(resolve(data), session);
  }
  const localnet = { ...localnetOptions(resolve(data), settings), log: session.log };
  const source = await openSource(settings.source, { isolated: settings.isolated, localnet });
  session.shutdown.add('source', () => source.close());
  return { source, states: await readStates(settings.state) };
}

/** The states that `--state` names. @throws SettingError */
export async function readStates(files: readonly string[]): Promise<SourceState[]> {
  const states: SourceState[] = [];
  // One after the other: a state may be as large as memory allows.
  for (const file of files) states.push(await readGivenState(file));
  return states;
}

const GIVEN = 'the command line or TONHOUSE_STATE';

async function readGivenState(file: string): Promise<SourceState> {
  try {
    return await readStateFile(file);
  } catch (cause) {
    const allowed = 'a file that holds a whole shard state (a zerostate or a later one)';
    throw new SettingError('--state', file, allowed, GIVEN, { cause });
  }
}
