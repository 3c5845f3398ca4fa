import { firstVisible, lastVisible } from './range-view.ts';
import type { LakeSources } from './sources.ts';

/** Condition: the row of an alias is of a visible step of the projection's served version. */
export function isVisible(sources: LakeSources, projection: string, alias: string): string {
  return `${alias}.mc_seqno >= ${firstVisible(sources, projection)} AND ${alias}.mc_seqno <= ${lastVisible(sources, projection)}`;
}
