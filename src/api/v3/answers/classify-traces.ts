import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountFacts, FactSort } from '../../../ton/contracts/account-facts.ts';
import type {
  ClassifiedTrace,
  ClassifierTrace,
  ClassifyTrace,
  KnownFacts,
  RequestedFacts,
} from '../../classifier-port.ts';
import { readFacts } from '../../entities/actions/read-facts.ts';
import type { TraceRow } from '../../entities/traces/model.ts';
import type { TransactionRow } from '../../entities/transactions/model.ts';
import { UndetectedTokens } from '../../pending/undetected-tokens.ts';
import type { ReadScope } from '../../query/scope.ts';
import { classifierTrace } from './classifier-trace.ts';

/** Two rounds are the rule; then a trace is answered by what is known. */
const MAX_ROUNDS = 6;
/** Accounts looked up for one answer, by kind of facts: a pool needs some hundred messages. */
const MAX_LOOK_UPS: Readonly<Record<FactSort, number>> = { account: 50_000, data: 1_000, pool: 64 };
const SORTS = Object.keys(MAX_LOOK_UPS) as FactSort[];
/** Traces classified before other requests have their turn. */
const TRACES_AT_ONCE = 16;

/** `isUnsettled`: a token in the trace was not examined; stored actions may differ later. */
export type ClassifiedTraces = ReadonlyMap<
  TraceRow,
  Pick<ClassifiedTrace, 'state' | 'actions'> & { readonly isUnsettled: boolean }
>;

/** A trace as the classifier takes it, and by what its outcome is found. */
interface Open<K> {
  readonly trace: K;
  readonly input: ClassifierTrace;
}

/** Looks up what is known of accounts; each that was asked for is in the answer. */
export type LookUpFacts = (requested: RequestedFacts) => Promise<KnownFacts>;

/**
 * Actions of complete traces whose rows are all present, and which the projection `contracts` has reached. Other traces
 * are absent.
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
    const isComplete = trace.state === 'complete' && rows.length > 0 && rows.length === trace.transactions;
    return isComplete && trace.mc_seqno_end <= contracts.visible.last
      ? [{ trace, input: classifierTrace(trace.trace_id, rows) }]
      : [];
  });
  const undetected = new UndetectedTokens(
    scope,
    open.map(({ input }) => input),
  );
  const classified = await classifyWith(open, classify, async (requested) => {
    const found = await readFacts(scope, contracts, requested, () => undefined);
    return { ...found, account: await undetected.addTo(found.account) };
  });
  return new Map(
    open.flatMap(({ trace, input }) => {
      const one = classified.get(trace);
      return one ? [[trace, { ...one, isUnsettled: undetected.hasSkipped(input) }] as const] : [];
    }),
  );
}

/** Classifies traces, and again with the facts that rules asked for, as long as they ask for more. */
export async function classifyWith<K>(
  traces: readonly Open<K>[],
  classify: ClassifyTrace,
  lookUp: LookUpFacts,
): Promise<ReadonlyMap<K, ClassifiedTrace>> {
  const done = new Map<K, ClassifiedTrace>();
  const book = new AnswerFacts();
  let open = traces;
  for (let round = 1; open.length > 0; round++) {
    await classifyRound(open, book, classify, done);
    if (round === MAX_ROUNDS || !(await book.lookUp(lookUp))) break;
    open = open.filter(({ trace }) => SORTS.some((sort) => done.get(trace)!.missing[sort].length > 0));
  }
  return done;
}

/** Facts that were looked up for one answer, and those that are to be. */
class AnswerFacts {
  readonly known = { account: noFacts(), data: noFacts(), pool: noFacts() };
  readonly #missing = { account: new Set<string>(), data: new Set<string>(), pool: new Set<string>() };

  note(missing: RequestedFacts): void {
    for (const sort of SORTS) for (const address of missing[sort]) this.#missing[sort].add(address);
  }

  /** Looks up the requested facts within an answer's limits; returns whether there were any. */
  async lookUp(lookUp: LookUpFacts): Promise<boolean> {
    const requested = { account: this.#take('account'), data: this.#take('data'), pool: this.#take('pool') };
    if (SORTS.every((sort) => requested[sort].length === 0)) return false;
    const found = await lookUp(requested);
    for (const sort of SORTS)
      for (const [address, facts] of found[sort]) this.known[sort].set(address, facts);
    return true;
  }

  #take(sort: FactSort): readonly string[] {
    const left = MAX_LOOK_UPS[sort] - this.known[sort].size;
    const requested = [...this.#missing[sort]].slice(0, Math.max(0, left));
    this.#missing[sort].clear();
    return requested;
  }
}

const noFacts = (): Map<string, AccountFacts | null> => new Map();

/** Classifies each with the known facts, and records which facts rules also need. */
async function classifyRound<K>(
  open: readonly Open<K>[],
  book: AnswerFacts,
  classify: ClassifyTrace,
  done: Map<K, ClassifiedTrace>,
): Promise<void> {
  for (const [index, { trace, input }] of open.entries()) {
    if (index % TRACES_AT_ONCE === TRACES_AT_ONCE - 1) await nextTurn();
    const result = classify(input, book.known);
    done.set(trace, result);
    book.note(result.missing);
  }
}
