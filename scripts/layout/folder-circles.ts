import type { Import } from './read-imports.ts';

/**
 * Cycles of the folder graph. At each level the nodes are the files and folders of one folder, each folder with
 * everything below it. A file that all its neighbours need makes no cycle; two folders that need each other do. Each
 * cycle is listed as a path back to its start.
 */
export function folderCircles(imports: readonly Import[]): string[][] {
  const levels = new Map<string, Map<string, Set<string>>>();
  for (const { file, target } of imports) {
    if (!target.endsWith('.ts')) continue;
    const [from, to] = [segments(file), segments(target)];
    let shared = 0;
    while (from[shared] === to[shared] && shared < Math.min(from.length, to.length) - 1) shared++;
    const level = from.slice(0, shared).join('/');
    const graph = levels.get(level) ?? new Map<string, Set<string>>();
    levels.set(level, graph);
    const [a, b] = [from.slice(0, shared + 1).join('/'), to.slice(0, shared + 1).join('/')];
    if (a !== b) graph.set(a, (graph.get(a) ?? new Set()).add(b));
  }
  return [...levels.values()].flatMap((graph) =>
    stronglyConnected(graph)
      .filter((group) => [...group].some((node) => !node.endsWith('.ts')))
      .map((group) => wayBack(graph, group)),
  );
}

/** `src/engine/x.ts` → `src/engine`, `x.ts`: the folders of `src` are on one level with `pipelines`. */
function segments(path: string): string[] {
  const [first, second, ...rest] = path.split('/');
  return first === 'src' ? [`${first}/${second}`, ...rest] : path.split('/');
}

export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Tarjan's components of more than one node. */
export function stronglyConnected(graph: Graph): Set<string>[] {
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const groups: Set<string>[] = [];
  const visit = (node: string): void => {
    numbers.set(node, numbers.size);
    lowest.set(node, numbers.get(node) as number);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!numbers.has(next)) visit(next);
      else if (!stack.includes(next)) continue;
      lowest.set(node, Math.min(lowest.get(node) as number, lowest.get(next) as number));
    }
    if (lowest.get(node) !== numbers.get(node)) return;
    const group = new Set(stack.splice(stack.indexOf(node)));
    if (group.size > 1) groups.push(group);
  };
  for (const node of graph.keys()) if (!numbers.has(node)) visit(node);
  return groups;
}

/** A shortest circle within a component. */
export function wayBack(graph: Graph, group: ReadonlySet<string>): string[] {
  const [start] = [...group].sort() as [string];
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (let way = ways.shift(); way; way = ways.shift()) {
    for (const next of graph.get(way.at(-1) as string) ?? []) {
      if (next === start) return [...way, start];
      if (!group.has(next) || seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return [...group];
}
