import { beginTrace, countTransaction, type Trace, toKey } from './trace.ts';
import type { MessageFact, TransactionFact } from './trace-facts.ts';

/** A message to an account that no transaction has taken yet. */
export interface InFlight {
  readonly trace: Trace;
  readonly createdLt: bigint;
  readonly hash8: bigint;
  /** Depth of the transaction that will take it. */
  readonly depth: number;
}

/** A transaction in its trace. */
export interface JoinedTransaction {
  readonly fact: TransactionFact;
  readonly trace: Trace;
  readonly depth: number;
}

/** Outcome of a masterchain step; its order follows only from the step. */
export interface JoinedStep {
  readonly transactions: readonly JoinedTransaction[];
  /** Traces that changed, after the step. */
  readonly traces: readonly Trace[];
  /** Messages that the step sent and did not deliver. */
  readonly sent: readonly InFlight[];
  readonly begun: number;
  readonly completed: number;
  /** Found broken, less those that were and are complete now. */
  readonly broken: number;
}

/** Key of a message in flight. */
export const messageKey = ({ createdLt, hash }: Pick<MessageFact, 'createdLt' | 'hash'>): string =>
  toKey(createdLt, hash.readBigUInt64BE(0));

/**
 * Joins transactions into traces by their messages (v3-rules.md 4). It holds the messages in flight and their traces.
 * `restore` loads evicted ones before a transaction needs them.
 */
export class TraceJoiner {
  /** Messages in flight by key. */
  readonly #messages = new Map<string, InFlight>();
  /** Traces by key, with the keys of their messages in `#messages`; the last changed come last. */
  readonly #traces = new Map<string, { readonly trace: Trace; readonly waiting: Set<string> }>();
  /** Traces in the state `pending`, in memory or not: by key, the step that changed them last, ascending. */
  readonly #open = new Map<string, number>();
  readonly #maxWaitSteps: number;

  /** `maxWaitSteps`: steps without a change after which a trace that waits is `broken`. */
  constructor(maxWaitSteps: number) {
    this.#maxWaitSteps = maxWaitSteps;
  }

  /** Messages in memory. */
  get size(): number {
    return this.#messages.size;
  }

  has(message: string): boolean {
    return this.#messages.has(message);
  }

  /** The trace of a key, if it is in memory. */
  trace(key: string): Trace | undefined {
    return this.#traces.get(key)?.trace;
  }

  /** Notes a trace that waits, of before; to be called in the order of their last changes. */
  awaits(key: string, changedAt: number): void {
    this.#open.set(key, changedAt);
  }

  /** Keys of traces that a step up to `position` may find broken, and that are not in memory: to be given to `hold` before it. */
  expiring(position: number): string[] {
    return [...this.#overdue(position)].filter((key) => !this.#traces.has(key));
  }

  /** Takes a trace into memory. */
  hold(trace: Trace): void {
    this.#held(trace);
  }

  /** Takes a message in flight into memory; answers its key. */
  restore(message: InFlight): string {
    const { trace, createdLt, hash8 } = message;
    const key = toKey(createdLt, hash8);
    this.#messages.set(key, message);
    this.#held(trace).waiting.add(key);
    return key;
  }

  /**
   * Evicts traces that did not change after `position`, and their messages, the longest unchanged first, until `most`
   * are left.
   */
  forget(most: number, position: number): void {
    for (const [key, { trace, waiting }] of this.#traces) {
      if (this.#messages.size <= most) return;
      if (trace.changedAt > position) continue;
      for (const message of waiting) this.#messages.delete(message);
      this.#traces.delete(key);
    }
  }

  /** Joins the transactions of one step, in any order. */
  step(facts: readonly TransactionFact[]): JoinedStep {
    const step = new StepUnderWay();
    for (const fact of [...facts].sort(inOrder)) this.#join(fact, step);
    const settled = this.#settle(step, facts[0]?.position ?? -1);
    return {
      transactions: step.transactions,
      ...settled,
      sent: [...step.sent].flatMap((key) => this.#messages.get(key) ?? []),
      begun: step.begun,
    };
  }

  #join(fact: TransactionFact, step: StepUnderWay): void {
    const [first] = fact.messages;
    const incoming = first && first.kind !== 'sent' && first.kind !== 'log' ? first : null;
    const taken = incoming?.kind === 'internal' ? this.#take(messageKey(incoming)) : undefined;
    const trace = taken?.trace ?? this.#begin(fact, incoming, step);
    const depth = taken?.depth ?? 0;
    countTransaction(trace, fact);
    step.transactions.push({ fact, trace, depth });
    step.changed.add(trace);
    for (const message of fact.messages) this.#send(message, { trace, depth: depth + 1 }, step);
  }

  /** The message in flight that a transaction takes: it is joined. */
  #take(key: string): InFlight | undefined {
    const found = this.#messages.get(key);
    if (!found) return undefined;
    this.#messages.delete(key);
    this.#held(found.trace).waiting.delete(key);
    found.trace.pending--;
    found.trace.messages++;
    return found;
  }

  #begin(fact: TransactionFact, incoming: MessageFact | null, step: StepUnderWay): Trace {
    const trace = beginTrace(fact);
    step.begun++;
    if (incoming?.kind === 'internal') {
      // Its sender is not in the index: the message stays pending.
      trace.pending++;
      trace.state = 'broken';
      step.broken++;
    } else if (incoming) trace.messages++;
    return trace;
  }

  #send(message: MessageFact, at: Pick<InFlight, 'trace' | 'depth'>, step: StepUnderWay): void {
    if (message.kind === 'log') at.trace.messages++;
    if (message.kind !== 'sent') return;
    at.trace.pending++;
    const { createdLt, hash } = message;
    const { trace, depth } = at;
    step.sent.add(this.restore({ trace, depth, createdLt, hash8: hash.readBigUInt64BE(0) }));
  }

  /** States are updated after a whole step; a trace without pending messages in memory is released. */
  #settle(step: StepUnderWay, position: number): Pick<JoinedStep, 'traces' | 'completed' | 'broken'> {
    let [completed, broken] = [0, step.broken];
    for (const trace of step.changed) {
      if (trace.pending === 0 && trace.state !== 'complete') {
        // A late message still joins: the broken trace is complete now.
        if (trace.state === 'broken') broken--;
        trace.state = 'complete';
        completed++;
      }
      const { key } = trace;
      this.#open.delete(key);
      if (trace.state === 'pending') this.#open.set(key, position);
      this.#leave(key);
    }
    const givenUp = this.#giveUp(position);
    const traces = [...step.changed, ...givenUp].sort((a, b) => (a.key < b.key ? -1 : 1));
    return { traces, completed, broken: broken + givenUp.length };
  }

  /** Traces that have waited for too long are broken; their messages are still awaited. */
  #giveUp(position: number): Trace[] {
    return [...this.#overdue(position)].map((key) => {
      const trace = this.trace(key);
      if (!trace) throw new RangeError(`an open trace is to be given up at ${position} and is not in memory`);
      trace.state = 'broken';
      trace.changedAt = position;
      this.#open.delete(key);
      this.#leave(key);
      return trace;
    });
  }

  *#overdue(position: number): Generator<string> {
    for (const [key, changedAt] of this.#open) {
      if (changedAt > position - this.#maxWaitSteps) return;
      yield key;
    }
  }

  /** A changed trace moves to the end; a trace without pending messages in memory is released. */
  #leave(key: string): void {
    const held = this.#traces.get(key);
    if (!held) return;
    this.#traces.delete(key);
    if (held.waiting.size > 0) this.#traces.set(key, held);
  }

  #held(trace: Trace) {
    const { key } = trace;
    const found = this.#traces.get(key);
    if (found) return found;
    const held = { trace, waiting: new Set<string>() };
    this.#traces.set(key, held);
    return held;
  }
}

class StepUnderWay {
  readonly transactions: JoinedTransaction[] = [];
  readonly changed = new Set<Trace>();
  /** Keys of messages that were sent. */
  readonly sent = new Set<string>();
  begun = 0;
  broken = 0;
}

/** By lt, then workchain, then account: a message's sender comes before its receiver. */
function inOrder(a: TransactionFact, b: TransactionFact): number {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  return a.workchain - b.workchain || a.account.compare(b.account);
}
