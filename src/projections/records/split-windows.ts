/** A masterchain step of a fed topic: what it completed. */
interface CountedStep {
  readonly traces: readonly { readonly transactions: readonly unknown[] }[];
}

/** Steps of one window at most: a window of empty steps ends too. */
const MAX_STEPS = 2_048;

/** Steps in order, cut where their transactions would be too many in memory at once. A window has at least one step. */
export function* splitWindows<Step extends CountedStep>(
  steps: Iterable<Step>,
  maxTransactions: number,
): Generator<readonly Step[]> {
  let window: Step[] = [];
  let transactions = 0;
  for (const step of steps) {
    const own = step.traces.reduce((sum, trace) => sum + trace.transactions.length, 0);
    if (window.length > 0 && (transactions + own > maxTransactions || window.length === MAX_STEPS)) {
      yield window;
      [window, transactions] = [[], 0];
    }
    window.push(step);
    transactions += own;
  }
  if (window.length > 0) yield window;
}
