import { neededNames, type TableProjection } from '../projection/projection.ts';

/** Names of projections with those that they are made from. `all`: those that another one needs stand before it. */
export function withNeeded(
  names: readonly string[],
  all: readonly Pick<TableProjection, 'name' | 'input' | 'needs'>[],
): readonly string[] {
  const needed = new Set(names);
  for (const projection of all.toReversed())
    if (needed.has(projection.name)) for (const name of neededNames(projection)) needed.add(name);
  return [...needed];
}
