import { isRefusal } from './body/refusal.ts';
import { AFTERWARDS, ALL_MATCHERS } from './families/all-matchers.ts';
import { ghostActions } from './ghost-actions.ts';
import { Context, type Rules } from './match/context.ts';
import type { Matcher } from './match/matcher.ts';
import { runMatchers } from './match/walk.ts';
import type { Action, Classified, Problem } from './model/action.ts';
import type { ContractFacts } from './model/contract-facts.ts';
import type { Trace } from './model/trace.ts';
import { toActions } from './out/to-actions.ts';
import { unknownAction } from './out/unknown-action.ts';
import type { TraceNode } from './tree/trace-node.ts';
import { buildBlocks, buildNodes, checkBodies } from './tree/trace-tree.ts';

/** Which rules a trace is classified by. */
export interface ClassifyOptions extends Partial<Rules> {
  /** In the order in which they run. Default: every family's. */
  readonly matchers?: readonly Matcher[];
}

/** Rules of the recorded cases' release, on mainnet. */
const DEFAULT_RULES: Rules = { release: '1.2', isTestnet: false };

/**
 * Returns the actions of a trace: a pure function of the trace and the facts of contracts, by the rules of
 * v3-actions-rules. A failed matcher is recorded in `problems`, and the rest of the trace is classified. If the trace
 * cannot be classified at all, its basic actions are returned.
 */
export function classifyTrace(trace: Trace, facts: ContractFacts, options: ClassifyOptions = {}): Classified {
  const nodes = buildNodes(trace);
  if (isSingleTickTock(trace)) return { actions: [], state: 'ok', problems: [] };
  const problems: Problem[] = [];
  try {
    const { matchers = ALL_MATCHERS, ...chosen } = options;
    const run = { matchers, rules: { ...DEFAULT_RULES, ...chosen }, problems };
    return { actions: classifiedActions(nodes, trace, facts, run), state: 'ok', problems };
  } catch (error) {
    if (!isRefusal(error)) problems.push({ matcher: 'the trace as a whole', traceId: trace.traceId, error });
    return { actions: basicActions(nodes, trace), state: 'failed', problems };
  }
}

function isSingleTickTock({ transactions }: Trace): boolean {
  const [only, ...others] = transactions;
  return others.length === 0 && only!.isTickTock && only!.outMessages.length === 0;
}

interface Run {
  readonly matchers: readonly Matcher[];
  readonly rules: Rules;
  readonly problems: Problem[];
}

function classifiedActions(
  nodes: readonly TraceNode[],
  trace: Trace,
  facts: ContractFacts,
  { matchers, rules, problems }: Run,
): readonly Action[] {
  checkBodies(nodes);
  const context = new Context(trace, buildBlocks(nodes), facts, rules);
  runMatchers(matchers, context);
  problems.push(...context.problems);
  for (const step of AFTERWARDS) step(context);
  const actions = toActions(context.roots, trace.traceId);
  if (actions.length > 0) return actions;
  const ghosts = ghostActions(nodes[0]!, trace, facts, rules);
  return ghosts.length > 0 ? ghosts : [unknownAction(trace)];
}

/** Actions that need no rule; a trace of one node is unknown. */
function basicActions(nodes: readonly TraceNode[], trace: Trace): readonly Action[] {
  const isSingle = nodes.length === 1 && nodes[0]!.children.length === 0;
  return isSingle ? [unknownAction(trace)] : toActions(buildBlocks(nodes), trace.traceId);
}
