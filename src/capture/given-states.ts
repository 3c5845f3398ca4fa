import { SettingError } from '../platform/config/setting.ts';
import type { SourceState } from './source.ts';
import { readStateFile } from './states.ts';

/** Where `--state` comes from, for errors. */
export const GIVEN_STATE = 'the command line, TONHOUSE_STATE or the settings file';

/** Reads the states that `--state` names. @throws SettingError */
export async function readGivenStates(
  files: readonly string[],
  signal?: AbortSignal,
): Promise<SourceState[]> {
  const states: SourceState[] = [];
  // One after the other: a state may be as large as memory allows.
  for (const file of files) states.push(await readGivenState(file, signal));
  return states;
}

async function readGivenState(file: string, signal: AbortSignal | undefined): Promise<SourceState> {
  try {
    return await readStateFile(file, signal);
  } catch (cause) {
    if (signal?.aborted) throw cause;
    const allowed = 'a file with a complete shard state (a zerostate or a later one)';
    throw new SettingError('--state', { found: file, allowed, origin: GIVEN_STATE }, { cause });
  }
}
