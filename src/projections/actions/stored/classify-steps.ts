import { FactBook } from '../../../facts/fact-book.ts';
import type { FactStores } from '../../../facts/fact-stores.ts';
import type { FinishedTraceV1 } from '../../../platform/avro/generated.ts';
import { type ClassifyOptions, classifyTrace } from '../classify.ts';
import { addPools } from '../find-pools.ts';
import type { Action, Problem } from '../model/action.ts';
import type { Trace } from '../model/trace.ts';
import { unknownAction } from '../out/unknown-action.ts';
import type { AskedFacts } from '../undetected-accounts.ts';
import { factsAt } from './facts-at.ts';
import type { FinishedStep } from './finished-steps.ts';
import { readTransactions, toName } from './read-transactions.ts';
import {
  findUndetected,
  keepUnexamined,
  type UndetectedAccount,
  type UndetectedStores,
} from './undetected.ts';

export type FinishedTrace = FinishedTraceV1;

/** Actions of a trace, and how its classification went. */
export interface TraceActions {
  readonly trace: FinishedTrace;
  readonly actions: readonly Action[];
  /** The trace was not classified as a whole: its actions are the basic ones, or `unknown`. */
  readonly isFailed: boolean;
  readonly problems: readonly Pick<Problem, 'matcher' | 'error'>[];
  /** Accounts that get methods may identify and whose state has no outcome of `detections`: a later one corrects the trace. */
  readonly undetected: readonly UndetectedAccount[];
}

/** The traces of a step. */
export interface ClassifiedStep {
  readonly position: number;
  readonly outcomes: readonly TraceActions[];
}

const NOTHING: AskedFacts = { account: new Set(), data: new Set(), pool: new Set() };

/** Two rounds are the rule; then a trace is classified by what is known. */
const MAX_ROUNDS = 6;
/** A larger trace is answered as `unknown`, as the API answers it without its transactions (v3-endpoints.md 4.1). */
const MAX_TRANSACTIONS = 4_000;

/** Where facts of steps are read from. */
export type StepStores = FactStores & UndetectedStores;

/** How steps are classified. */
export interface StepOptions extends ClassifyOptions {
  readonly network: string;
  /**
   * Called once if an account in a trace is not detected yet: the stores after a wait for the detections of the steps, which
   * may have ended without them. Default: no wait.
   */
  readonly awaitDetections?: () => Promise<StepStores>;
}

interface Open {
  readonly step: number;
  readonly trace: FinishedTrace;
  readonly input: Trace;
  classified: Pick<TraceActions, 'actions' | 'isFailed' | 'problems'>;
  /** Of its last classification. */
  asked: AskedFacts;
}

/**
 * Classifies the traces of steps that the fact projections have confirmed, with the facts of contracts after each step.
 */
export async function classifySteps(
  stores: StepStores,
  steps: readonly FinishedStep[],
  { awaitDetections, network, ...options }: StepOptions,
): Promise<readonly ClassifiedStep[]> {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last) return [];
  const keys = steps.flatMap(({ traces }) => traces.flatMap(({ transactions }) => transactions));
  const transactions = await readTransactions(stores.chain, keys, last.position);
  const traces = steps.flatMap(({ position, traces: own }) =>
    own.map((trace): Open => {
      const known = trace.transactions.flatMap((key) => transactions.get(toName(key)) ?? []);
      const input = { traceId: trace.trace_id.toBase64(), transactions: known };
      return { step: position, trace, input, classified: unclassified(trace, input), asked: NOTHING };
    }),
  );
  const range = { first: first.position, last: last.position };
  const open = traces.filter(({ classified }) => classified.problems.length === 0);
  const classify = async (from: StepStores, some: readonly Open[]) => {
    const book = new FactBook(from, range);
    await classifyAll(some, book, options);
    return findUndetected(some, book, { tokens: from.tokens, network });
  };
  let [found, used] = [await classify(stores, open), stores];
  if (awaitDetections && found.size > 0) {
    used = await awaitDetections();
    found = await classify(used, [...found.keys()]);
  }
  const undetected = await keepUnexamined<Open>(found, used, range);
  const byStep = Map.groupBy(traces, ({ step }) => step);
  return steps.map(({ position }) => ({
    position,
    outcomes: (byStep.get(position) ?? []).map((one) => {
      const { trace, classified } = one;
      return { trace, ...classified, undetected: undetected.get(one) ?? [] };
    }),
  }));
}

/** A trace before it is classified; what keeps it from being so is its problem. */
function unclassified({ transactions }: FinishedTrace, input: Trace): Open['classified'] {
  const found = input.transactions.length;
  const reason =
    found < transactions.length
      ? `${transactions.length - found} of ${transactions.length} transactions are not in the index`
      : found > MAX_TRANSACTIONS && `${found} transactions: more than ${MAX_TRANSACTIONS}`;
  if (!reason) return { actions: [], isFailed: false, problems: [] };
  return {
    actions: found > 0 ? [unknownAction(input)] : [],
    isFailed: true,
    problems: [{ matcher: 'the trace as a whole', error: new Error(reason) }],
  };
}

/** Classifies traces, and repeats if a rule asked for accounts that were not looked up. */
async function classifyAll(traces: readonly Open[], book: FactBook, options: ClassifyOptions): Promise<void> {
  let open = traces;
  for (let round = 1; open.length > 0; round++) {
    open = open.filter(classifyOnce);
    if (round === MAX_ROUNDS || !(await book.lookUp())) return;
  }

  /** Whether facts were missing. */
  function classifyOnce(one: Open): boolean {
    let areMissing = false;
    const asked = { account: new Set<string>(), data: new Set<string>(), pool: new Set<string>() };
    const facts = factsAt(book, one.step, (account, sort, isMissing) => {
      asked[sort].add(account);
      areMissing ||= isMissing;
    });
    const { actions, state, problems } = classifyTrace(one.input, addPools(one.input, facts), options);
    Object.assign(one, { classified: { actions, isFailed: state === 'failed', problems }, asked });
    return areMissing;
  }
}
