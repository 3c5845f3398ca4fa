import { rangeName } from './range-view.ts';
import type { LakeSources } from './sources.ts';

/** Condition: the row of an alias is of a visible step of the projection's served version. */
export function isVisible(sources: LakeSources, projection: string, alias: string): string {
  const range = rangeName(sources, projection);
  return `${alias}.mc_seqno >= (SELECT first FROM ${range}) AND ${alias}.mc_seqno <= (SELECT last FROM ${range})`;
}
