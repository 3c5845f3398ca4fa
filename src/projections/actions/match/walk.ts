import { DataError } from '../../../platform/errors/error-kinds.ts';
import type { Block } from '../tree/block.ts';
import { attempt } from './attempt.ts';
import type { Context } from './context.ts';
import type { Matcher } from './matcher.ts';
import { getMarks, type Mark } from './pattern.ts';

/** A block that a matcher has made is offered to it again; so often it is no coincidence. */
const MAX_REPEATS = 100;

/** A matcher takes what it has made for a start again and again. */
class MatcherLoopError extends DataError {
  constructor(matcher: string) {
    super(`matcher ${matcher} accepts its own blocks without end`);
  }
}

/** Marks of the patterns that have been offered something: the same for all traces. */
const marksByMatcher = new WeakMap<Matcher, readonly Mark[] | null>();

function getKnownMarks(matcher: Matcher): readonly Mark[] | null {
  let marks = marksByMatcher.get(matcher);
  if (marks === undefined) {
    marks = getMarks(matcher.pattern);
    marksByMatcher.set(matcher, marks);
  }
  return marks;
}

/**
 * Offers the current tree to each matcher in turn, breadth first from the roots. The walk is live: a block that was
 * merged during the walk is replaced by the block that contains it, and each block is offered once. A matcher without a
 * block with its marks is skipped, which is the usual case.
 */
export function runMatchers(matchers: readonly Matcher[], context: Context): void {
  for (const matcher of matchers) {
    if (!context.mayMatch(getKnownMarks(matcher))) continue;
    context.matcher = matcher.name;
    walk(matcher, context);
  }
}

function walk({ name, pattern }: Matcher, context: Context): void {
  const seen = new Set<Block>();
  const queue = [...context.roots];
  for (let i = 0; i < queue.length; i++) {
    let block = queue[i]!.outermost();
    if (seen.has(block)) continue;
    for (let made = 0; !seen.has(block); made++) {
      if (made > MAX_REPEATS) throw new MatcherLoopError(name);
      seen.add(block);
      attempt(pattern, block, context);
      block = block.outermost();
    }
    queue.push(...block.children);
  }
}
