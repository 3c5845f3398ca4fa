import { neededNames, type TableProjection } from '../projection/projection.ts';

/** Names of projections with the projections that they are made from. `all`: needed ones come first. */
export function withNeeded(
  names: readonly string[],
  all: readonly Pick<TableProjection, 'name' | 'input' | 'needs'>[],
): readonly string[] {
  const needed = new Set(names);
  for (const projection of all.toReversed())
    if (needed.has(projection.name)) for (const name of neededNames(projection)) needed.add(name);
  return [...needed];
}
