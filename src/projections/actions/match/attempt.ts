import { BOUNCED_OP } from '../../../ton/messages/bounced.ts';
import { EXCESS_OP } from '../../../ton/messages/excess.ts';
import { isRefusal } from '../body/refusal.ts';
import type { Block } from '../tree/block.ts';
import type { Context } from './context.ts';
import { Found } from './found.ts';
import type { AnyPattern, BlockPattern, Pattern, RepeatPattern } from './pattern.ts';

/**
 * Offers a block to a pattern. Returns what was found, or null. A pattern with its own build may have merged blocks
 * even if the outer pattern fails later.
 */
export function attempt(pattern: Pattern, block: Block, context: Context): Found | null {
  const found =
    pattern.form === 'block'
      ? attemptBlock(pattern, block, context)
      : pattern.form === 'any'
        ? attemptAny(pattern, block, context)
        : attemptRepeat(pattern, block, context);
  const [first] = found?.blocks ?? [];
  if (found && first && pattern.label !== undefined) found.nameFirst(pattern.label, first);
  return found;
}

function attemptBlock(pattern: BlockPattern, block: Block, context: Context): Found | null {
  if (!test(pattern, block, context)) return null;
  const found = new Found();
  if (pattern.child && !takeEveryChild(pattern.child, block, found, context)) return null;
  if (pattern.children && !takeChildren(pattern.children, block, found, context)) return null;
  if (pattern.parent && !takeParent(pattern.parent, block, found, context)) return null;
  return build(pattern, block, found, context);
}

/** Tests ask for facts and bodies too: one that fails is no match. */
function test(pattern: BlockPattern, block: Block, context: Context): boolean {
  try {
    return pattern.test(block, context);
  } catch (error) {
    if (!isRefusal(error)) context.report(error);
    return false;
  }
}

function takeEveryChild(pattern: Pattern, block: Block, found: Found, context: Context): boolean {
  let matched = 0;
  for (const child of [...block.children]) {
    if (child.into) continue;
    const part = attempt(pattern, child, context);
    if (!part || part.blocks.length === 0) continue;
    found.add(part);
    matched++;
  }
  return matched > 0 || pattern.optional === true;
}

function takeChildren(patterns: readonly Pattern[], block: Block, found: Found, context: Context): boolean {
  const pool = [...block.children];
  const list = new Found();
  for (const pattern of patterns) {
    const part = takeFirst(pattern, pool, context);
    if (part) list.add(part);
    else if (!pattern.optional) return false;
  }
  found.add(list);
  return true;
}

/** The first child of the pool that a pattern accepts leaves it. */
function takeFirst(pattern: Pattern, pool: Block[], context: Context): Found | null {
  for (const [place, child] of pool.entries()) {
    const part = child.into ? null : attempt(pattern, child, context);
    if (!part) continue;
    pool.splice(place, 1);
    return part;
  }
  return null;
}

function takeParent(pattern: Pattern, block: Block, found: Found, context: Context): boolean {
  const part = block.previous && attempt(pattern, block.previous, context);
  if (part) found.add(part);
  return part !== null || pattern.optional === true;
}

function isExcess(block: Block): boolean {
  return block.kind.name === 'call_contract' && (block.opcode === EXCESS_OP || block.opcode === BOUNCED_OP);
}

/** `found` with the block made of it in front. */
function build(pattern: BlockPattern, block: Block, found: Found, context: Context): Found | null {
  const { excesses = 'swallow' } = pattern;
  const own = excesses === 'leave' ? [] : block.children.filter(isExcess);
  if (excesses === 'first') found.blocks.push(...own);
  const made = pattern.build ? runBuild(pattern.build, block, found, context) : block;
  if (!made) return null;
  const result = new Found();
  result.blocks.push(made);
  if (pattern.build) result.addNames(found);
  else result.add(found);
  for (const one of own) if (!one.into && !result.blocks.includes(one)) result.blocks.push(one);
  return result;
}

/** null if the build refuses: the attempt is dropped. Our own error is recorded and drops the attempt too. */
function runBuild(
  make: NonNullable<BlockPattern['build']>,
  block: Block,
  found: Found,
  context: Context,
): Block | null {
  try {
    return make(block, found, context);
  } catch (error) {
    if (!isRefusal(error)) context.report(error);
    return null;
  }
}

function attemptAny(pattern: AnyPattern, block: Block, context: Context): Found | null {
  for (const option of pattern.options) {
    const found = attempt(option, block, context);
    if (found) return found;
  }
  return null;
}

/** In a round each candidate is offered to the exit first, then to the step, which ends the round. */
function attemptRepeat({ step, exit }: RepeatPattern, block: Block, context: Context): Found | null {
  const found = new Found();
  for (let candidates: readonly Block[] = [block]; candidates.length > 0; ) {
    let next: readonly Block[] = [];
    for (const candidate of candidates) {
      if (candidate.into) continue;
      const last = attempt(exit, candidate, context);
      if (last) {
        found.add(last);
        return found;
      }
      const taken = attempt(step, candidate, context);
      if (!taken) continue;
      found.add(taken);
      next = taken.blocks.flatMap(({ children }) => children);
      break;
    }
    candidates = next;
  }
  return found.blocks.length > 0 ? found : null;
}
