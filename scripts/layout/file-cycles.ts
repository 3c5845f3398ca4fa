import { stronglyConnected, wayBack } from './folder-circles.ts';
import type { Import } from './read-imports.ts';

/**
 * Cycles of files that load each other, each listed as a path back to its start. A file of a cycle may run before the
 * values that it imports exist. Imports of types and `import()` at a later time make no cycle.
 */
export function fileCycles(imports: readonly Import[]): string[][] {
  const graph = new Map<string, Set<string>>();
  for (const { file, target, isLoaded } of imports) {
    if (!isLoaded || !target.endsWith('.ts')) continue;
    graph.set(file, (graph.get(file) ?? new Set()).add(target));
  }
  return stronglyConnected(graph).map((group) => wayBack(graph, group));
}
