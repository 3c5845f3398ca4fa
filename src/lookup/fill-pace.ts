import { statfsSync } from 'node:fs';
import type { PositionRange } from '../engine/ranges/position-ranges.ts';
import type { IndexUse } from './index-use.ts';
import { LOOK_MS, type VersionIndex } from './version-index.ts';

/** Reads are answered by the index so long after a look, milliseconds. The next look is due earlier. */
const FRESH_MS = 2 * LOOK_MS;
/** The file system of the files must have so many times their size free. */
const FREE_FACTOR = 3;

/** When steps are read into the index, and when answers may use it. */
export interface FillPace {
  /** What is to do now. */
  next(version: Paced, visible: PositionRange): 'fill' | 'look' | 'nothing';
  /** True if answers may read the version: steps that were confirmed again would have been noticed. */
  isFresh(version: Pick<Paced, 'lookedMs'>): boolean;
}

/** What a pace goes by. */
export type Paced = Pick<VersionIndex, 'lookedMs' | 'minCost' | 'lacks'>;

/** All steps are read as soon as they are visible. */
export const EAGER: FillPace = { next: () => 'fill', isFresh: () => true };

/** Returns true if a look was so recently that steps which were confirmed again would have been noticed. */
export function isFresh({ lookedMs }: Pick<Paced, 'lookedMs'>): boolean {
  return lookedMs < FRESH_MS;
}

/**
 * Steps are read after answers needed as many statements, because steps were missing, as reading them costs. So the index
 * costs nothing while nobody asks, and never much more than what it could have saved.
 */
export function onDemand(use: IndexUse, hasRoom: () => boolean): FillPace {
  return {
    isFresh,
    next: (version, visible) => {
      const isMissing = version.lacks(visible);
      // Without a look it is not known whether anything is missing.
      if (!isMissing && isFresh(version)) use.settle();
      if (use.lacks >= version.minCost && hasRoom()) return 'fill';
      const isLookDue = use.isRead && isFresh(version) && version.lookedMs >= LOOK_MS;
      return isLookDue ? 'look' : 'nothing';
    },
  };
}

/** Returns true if the disk of a folder has room for more than the files of so many bytes. */
export function hasRoom(directory: string, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize >= FREE_FACTOR * bytes;
}
