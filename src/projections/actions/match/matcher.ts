import { DataError } from '../../../platform/errors/error-kinds.ts';
import type { Pattern } from './pattern.ts';

/** A rule with its place among the others. */
export interface Matcher {
  /** Usually the type that it gives; named in problems. */
  readonly name: string;
  /** Matchers that must have run over the whole tree before; names of any family. */
  readonly after?: readonly string[];
  /** Matchers that must run later. */
  readonly before?: readonly string[];
  readonly pattern: Pattern;
}

/** The order of the matchers asks for a circle, or names one that is not there. */
export class MatcherOrderError extends DataError {}

/**
 * Sorts matchers by `after` and `before`; ties keep the order of the list.
 * @throws MatcherOrderError
 */
export function inOrder(matchers: readonly Matcher[]): Matcher[] {
  const waitsFor = predecessors(matchers);
  const ordered: Matcher[] = [];
  const open = new Map(matchers.map((one) => [one.name, one]));
  while (open.size > 0) {
    const next = [...open.values()].find(
      ({ name }) => ![...waitsFor.get(name)!].some((one) => open.has(one)),
    );
    if (!next) throw new MatcherOrderError(`matchers wait for each other: ${[...open.keys()].join(', ')}`);
    ordered.push(next);
    open.delete(next.name);
  }
  return ordered;
}

/** Names of the matchers that each one waits for. */
function predecessors(matchers: readonly Matcher[]): Map<string, Set<string>> {
  const names = new Map(matchers.map(({ name }) => [name, new Set<string>()]));
  if (names.size !== matchers.length) throw new MatcherOrderError('two matchers have one name');
  const of = (name: string, asker: string): Set<string> => {
    const found = names.get(name);
    if (!found) throw new MatcherOrderError(`${asker} names ${name}, which is no matcher`);
    return found;
  };
  for (const { name, after = [], before = [] } of matchers) {
    for (const one of after) if (of(one, name)) of(name, name).add(one);
    for (const one of before) of(one, name).add(name);
  }
  return names;
}
