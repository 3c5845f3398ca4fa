import type { PositionRange } from '../../../engine/ranges/position-ranges.ts';
import { FactBook } from '../../../facts/fact-book.ts';
import type { FactStores } from '../../../facts/fact-stores.ts';
import { readStates } from '../../../facts/read-states.ts';
import type { FinishedTraceV1 } from '../../../platform/avro/generated.ts';
import { type ClassifyOptions, classifyTrace } from '../classify.ts';
import { addPools } from '../find-pools.ts';
import type { Action, Problem } from '../model/action.ts';
import type { Trace } from '../model/trace.ts';
import { unknownAction } from '../out/unknown-action.ts';
import { undetectedTokens } from '../undetected-tokens.ts';
import { readExamined } from './examined.ts';
import { factsAt } from './facts-at.ts';
import type { FinishedStep } from './finished-steps.ts';
import { readTransactions, toName } from './read-transactions.ts';

export type FinishedTrace = FinishedTraceV1;

/** Actions of a trace, and how its classification went. */
export interface TraceActions {
  readonly trace: FinishedTrace;
  readonly actions: readonly Action[];
  /** The trace was not classified as a whole: its actions are the basic ones, or `unknown`. */
  readonly isFailed: boolean;
  readonly problems: readonly Pick<Problem, 'matcher' | 'error'>[];
  /** Accounts that may be tokens and whose state has no outcome of `detections`: a later one corrects the trace. */
  readonly undetected: readonly UndetectedToken[];
}

/** An account that may be a token, and the lt of its last transaction up to the step; 0 if no state of it is indexed. */
export interface UndetectedToken {
  readonly account: string;
  readonly lt: bigint;
}

/** The traces of a step. */
export interface ClassifiedStep {
  readonly position: number;
  readonly outcomes: readonly TraceActions[];
}

/** Two rounds are the rule; then a trace is classified by what is known. */
const MAX_ROUNDS = 6;
/** A larger trace is answered as `unknown`, as the API answers it without its transactions (v3-endpoints.md 4.1). */
const MAX_TRANSACTIONS = 4_000;

/** How steps are classified. */
export interface StepOptions extends ClassifyOptions {
  /**
   * Called once if a token in a trace is not detected yet: the stores after a wait for the detections of the steps, which
   * may have ended without them. Default: no wait.
   */
  readonly awaitDetections?: () => Promise<FactStores>;
}

interface Open {
  readonly step: number;
  readonly trace: FinishedTrace;
  readonly input: Trace;
  classified: Pick<TraceActions, 'actions' | 'isFailed' | 'problems'>;
  undetected: readonly UndetectedToken[];
}

/**
 * Classifies the traces of steps that the fact projections have confirmed, with the facts of contracts after each step.
 */
export async function classifySteps(
  stores: FactStores,
  steps: readonly FinishedStep[],
  { awaitDetections, ...options }: StepOptions = {},
): Promise<readonly ClassifiedStep[]> {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last) return [];
  const keys = steps.flatMap(({ traces }) => traces.flatMap(({ transactions }) => transactions));
  const transactions = await readTransactions(stores.chain, keys, last.position);
  const traces = steps.flatMap(({ position, traces: own }) =>
    own.map((trace): Open => {
      const known = trace.transactions.flatMap((key) => transactions.get(toName(key)) ?? []);
      const input = { traceId: trace.trace_id.toBase64(), transactions: known };
      return { step: position, trace, input, classified: unclassified(trace, input), undetected: [] };
    }),
  );
  const range = { first: first.position, last: last.position };
  const open = traces.filter(({ classified }) => classified.problems.length === 0);
  const book = new FactBook(stores, range);
  await classifyAll(open, book, options);
  const undetected = await findUndetected(open, book);
  if (awaitDetections && undetected.size > 0)
    await classifyLate([...undetected.keys()], { stores: await awaitDetections(), range }, options);
  else await keepUndetected(undetected, stores, range);
  const byStep = Map.groupBy(traces, ({ step }) => step);
  return steps.map(({ position }) => ({
    position,
    outcomes: (byStep.get(position) ?? []).map(({ trace, classified, undetected: tokens }) => ({
      trace,
      ...classified,
      undetected: tokens,
    })),
  }));
}

/** Traces with tokens that are not detected, and those tokens. */
async function findUndetected(
  traces: readonly Open[],
  book: FactBook,
): Promise<ReadonlyMap<Open, readonly string[]>> {
  const find = () =>
    traces.flatMap((one) => {
      const tokens = undetectedTokens(one.input, factsAt(book, one.step));
      return tokens.length > 0 ? [[one, tokens] as const] : [];
    });
  // A token's facts name its master, whose facts are looked up next.
  do find();
  while (await book.lookUp());
  return new Map(find());
}

/** Classifies traces after the wait. */
async function classifyLate(
  traces: readonly Open[],
  { stores, range }: { readonly stores: FactStores; readonly range: PositionRange },
  options: ClassifyOptions,
): Promise<void> {
  const book = new FactBook(stores, range);
  await classifyAll(traces, book, options);
  await keepUndetected(await findUndetected(traces, book), stores, range);
}

/** Keeps the tokens of traces whose state after the step has no outcome, nor a later one. */
async function keepUndetected(
  undetected: ReadonlyMap<Open, readonly string[]>,
  { chain, detections }: FactStores,
  range: PositionRange,
): Promise<void> {
  const accounts = [...new Set([...undetected.values()].flat())];
  if (accounts.length === 0) return;
  const [states, examined] = await Promise.all([
    readStates(chain, accounts, range),
    detections ? readExamined(detections, accounts) : new Map<string, bigint>(),
  ]);
  const byAccount = Map.groupBy(states, ({ account }) => account);
  const ltAt = (account: string, step: number) =>
    byAccount.get(account)?.findLast(({ position }) => position <= step)?.lt ?? 0n;
  for (const [one, tokens] of undetected)
    one.undetected = tokens
      .map((account) => ({ account, lt: ltAt(account, one.step) }))
      .filter(({ account, lt }) => (examined.get(account) ?? -1n) < lt);
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
    let isMissing = false;
    const facts = factsAt(book, one.step, () => {
      isMissing = true;
    });
    const { actions, state, problems } = classifyTrace(one.input, addPools(one.input, facts), options);
    one.classified = { actions, isFailed: state === 'failed', problems };
    return isMissing;
  }
}
