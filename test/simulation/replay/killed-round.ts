import { join } from 'node:path';
import { NEWER_CODE, OLDER_CODE } from '../../helpers/replay-store.ts';
import { indexDirectory } from './index-directory.ts';
import type { KillPlan, Victim } from './kill-plan.ts';
import { killedReplay } from './killed-replay.ts';
import { pictureDifferences, servedPicture } from './served-picture.ts';

export interface KilledRoundResult {
  readonly killed: readonly Victim[];
  readonly processes: number;
  /** Facts by which the older decoder's index differs from a fresh one: what the replay has to change. */
  readonly toChange: number;
  readonly differences: readonly string[];
}

/**
 * An index of the older decoder is replayed by processes that are killed, with their store; in the end what is served
 * must equal an index that this checkout makes afresh.
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
