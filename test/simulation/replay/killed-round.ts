import { join } from 'node:path';
import { NEWER_CODE, OLDER_CODE } from '../../helpers/replay-store.ts';
import { indexDirectory } from './index-directory.ts';
import type { KillPlan, Victim } from './kill-plan.ts';
import { killedReplay } from './killed-replay.ts';
import { pictureDifferences, servedPicture } from './served-picture.ts';

export interface KilledRoundResult {
  readonly killed: readonly Victim[];
  readonly processes: number;
  /** Differences between the older decoder's index and a fresh one: the replay must change them. */
  readonly toChange: number;
  readonly differences: readonly string[];
}

/**
 * An index of the older decoder is replayed by processes that are killed with their store; at the end the served
 * version must equal a fresh index of this release.
 */
export async function killedRound(
  plan: KillPlan,
  source: string,
  folder: string,
): Promise<KilledRoundResult> {
  const [directory, fresh] = [join(folder, 'data'), join(folder, 'fresh')];
  await indexDirectory(fresh, NEWER_CODE, { source });
  const expected = await servedPicture(fresh);
  await indexDirectory(directory, OLDER_CODE, { source, ...plan.index });
  const before = await servedPicture(directory);
  const { killed, processes } = await killedReplay({ ...plan, directory, log: join(folder, 'replay.log') });
  const after = await servedPicture(directory);
  const isReplayed = after.version > 1 ? [] : [`version ${after.version} is served after the replay`];
  return {
    killed,
    processes,
    toChange: pictureDifferences(expected.picture, before.picture).length,
    differences: [...isReplayed, ...pictureDifferences(expected.picture, after.picture)],
  };
}
