import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountFacts, ClassifiedTrace, ClassifierTrace, ClassifyTrace } from '../../classifier-port.ts';
import { readAccountFacts } from '../../read/read-account-facts.ts';
import type { ReadScope } from '../../read/read-scope.ts';
import type { TraceRow } from '../../read/trace-row.ts';
import type { TransactionRow } from '../../read/transaction-row.ts';
import { classifierTrace } from './classifier-trace.ts';

/** Two rounds are the rule; then a trace is answered by what is known. */
const MOST_ROUNDS = 6;
/** Accounts looked up for one answer. */
const MOST_ACCOUNTS = 50_000;
/** Traces classified before other requests have their turn. */
const TRACES_AT_ONCE = 16;

export type ClassifiedTraces = ReadonlyMap<TraceRow, Pick<ClassifiedTrace, 'state' | 'actions'>>;

/** A trace as the classifier takes it, and by what its outcome is found. */
interface Open<K> {
  readonly trace: K;
  readonly input: ClassifierTrace;
}

/** Facts of accounts by raw address; null for those of which nothing is known. */
export type LookUpFacts = (addresses: readonly string[]) => Promise<ReadonlyMap<string, AccountFacts | null>>;

/**
 * Actions of those traces that are complete and wholly among the rows, and no newer than the projection `contracts`, which
 * tells what their contracts are. The others are absent: nothing is said of them.
 */
export async function classifyTraces(
  scope: ReadScope,
  traces: readonly TraceRow[],
  transactions: ReadonlyMap<unknown, readonly TransactionRow[]>,
): Promise<ClassifiedTraces> {
  const { contracts } = scope.added;
  const classify = scope.context.classifyTrace;
  if (!contracts || !classify) return new Map();
  const open = traces.flatMap((trace) => {
    const rows = transactions.get(trace) ?? [];
    const isWhole = trace.state === 'complete' && rows.length > 0 && rows.length === trace.transactions;
    return isWhole && trace.mc_seqno_end <= contracts.visible.last
      ? [{ trace, input: classifierTrace(trace.trace_id, rows) }]
      : [];
  });
  return classifyWith(open, classify, (addresses) => readAccountFacts(scope, contracts, addresses));
}

/** Classifies traces, and again with the facts that rules asked for, as long as they ask for more. */
export async function classifyWith<K>(
  traces: readonly Open<K>[],
  classify: ClassifyTrace,
  lookUp: LookUpFacts,
): Promise<ReadonlyMap<K, ClassifiedTrace>> {
  const done = new Map<K, ClassifiedTrace>();
  const known = new Map<string, AccountFacts | null>();
  let open = traces;
  for (let round = 1; open.length > 0; round++) {
    const missing = await classifyRound(open, known, classify, done);
    if (missing.size === 0 || round === MOST_ROUNDS || known.size + missing.size > MOST_ACCOUNTS) break;
    for (const [address, facts] of await lookUp([...missing])) known.set(address, facts);
    open = open.filter(({ trace }) => done.get(trace)!.missing.length > 0);
  }
  return done;
}

/** Classifies each by what is known; the accounts that rules asked for beside. */
async function classifyRound<K>(
  open: readonly Open<K>[],
  known: ReadonlyMap<string, AccountFacts | null>,
  classify: ClassifyTrace,
  done: Map<K, ClassifiedTrace>,
): Promise<Set<string>> {
  const missing = new Set<string>();
  for (const [index, { trace, input }] of open.entries()) {
    if (index % TRACES_AT_ONCE === TRACES_AT_ONCE - 1) await nextTurn();
    const result = classify(input, known);
    done.set(trace, result);
    for (const address of result.missing) missing.add(address);
  }
  return missing;
}
