import type { RowMaker, RowStart } from '../../engine/projection/row-maker.ts';
import type { RowParts, RowSet } from '../../engine/projection/row-set.ts';
import { TRACE_TABLES } from '../../tables/traces.ts';
import { TableBuilder } from '../../ton/columns/table-builder.ts';
import { loadMessages, loadOpen, loadTraces, type StoredMessage, type TableKey } from './load-traces.ts';
import { keyFrom, TRACE_STATES, type Trace, toKey } from './trace.ts';
import { readFacts, type TransactionFact } from './trace-facts.ts';
import {
  type InFlight,
  type JoinedStep,
  type JoinedTransaction,
  messageKey,
  TraceJoiner,
} from './trace-joiner.ts';

/** Messages in flight in memory, beyond those whose rows are not in the database yet. */
const MAX_MESSAGES = 200_000;

/**
 * Masterchain steps without a change after which a trace that waits for messages is `broken`: some hours to half a day. A
 * message that arrives later joins it all the same.
 */
const PATIENCE = 10_000;

/** Bounds that tests make narrow. */
export interface TracesLimits {
  readonly mostMessages: number;
  /** Default: 10,000 steps. */
  readonly maxWaitSteps?: number;
}

/**
 * Traces of the chain. Every message that its step does not deliver has a row, and every trace has one for each step
 * that changed it: together they are the checkpoint. Missing traces and messages are read from there as of the
 * confirmed step. So a killed process continues from the rows, and a message may be in flight for any time.
 */
export class TracesMaker implements RowMaker {
  readonly #start: RowStart;
  readonly #limits: TracesLimits;
  readonly #maxWaitSteps: number;
  readonly #joiner: TraceJoiner;
  /** Whether the joiner knows the traces that waited when this maker began. */
  #knowsOpen = false;
  /** Rows up to this position are in the database. */
  #confirmed: number;
  /** Transactions of the step under way. */
  #facts: TransactionFact[] = [];
  /** Transactions that were read ahead of `add`; their bytes are copies. */
  readonly #read = new WeakMap<RowParts, readonly TransactionFact[]>();

  constructor(start: RowStart, limits: TracesLimits = { mostMessages: MAX_MESSAGES }) {
    this.#start = start;
    this.#limits = limits;
    this.#maxWaitSteps = limits.maxWaitSteps ?? PATIENCE;
    this.#joiner = new TraceJoiner(this.#maxWaitSteps);
    this.#confirmed = start.next - 1;
  }

  createRowSet = (): RowSet => new TracesRows(this);

  async prepare(parts: readonly RowParts[]): Promise<void> {
    // Transactions of a step under way may need what is not used since: it stays.
    if (this.#facts.length === 0) this.#joiner.forget(this.#limits.mostMessages, this.#confirmed);
    if (this.#confirmed < 0) return;
    if (!this.#knowsOpen) await this.#loadOpen();
    await this.#loadExpiring(parts);
    const missing = this.#missing(parts);
    if (missing.length > 0) await this.#load(missing);
  }

  confirmed(position: number): void {
    this.#confirmed = Math.max(this.#confirmed, position);
  }

  /** Takes transactions; answers what each step did that they end. */
  *add(parts: RowParts): Generator<JoinedStep> {
    for (const fact of this.#getFacts(parts)) {
      const [first] = this.#facts;
      if (first && first.position !== fact.position) yield this.endStep();
      this.#facts.push(fact);
    }
  }

  endStep(): JoinedStep {
    const facts = this.#facts;
    this.#facts = [];
    return this.#joiner.step(facts);
  }

  #getFacts(parts: RowParts): readonly TransactionFact[] {
    const read = this.#read.get(parts);
    if (read) return read;
    const { buffer, rows, sizes } = parts;
    const facts = [...readFacts({ buffer: buffer.slice(0, sizes[0]), rows, sizes })];
    this.#read.set(parts, facts);
    return facts;
  }

  /** Steps without any transaction give up nothing, so more steps than the limit may have passed. */
  async #loadOpen(): Promise<void> {
    const after = this.#confirmed - 2 * this.#maxWaitSteps;
    for (const { key, changedAt } of await loadOpen(this.#start, { after, upTo: this.#confirmed }))
      this.#joiner.awaits(toKey(key.lt, key.hash8), changedAt);
    this.#knowsOpen = true;
  }

  /** Traces that the steps of these parts may give up. */
  async #loadExpiring(parts: readonly RowParts[]): Promise<void> {
    let last = this.#facts.at(-1)?.position ?? -1;
    for (const some of parts)
      for (const { position } of this.#getFacts(some)) last = Math.max(last, position);
    const keys = this.#joiner.expiring(last).map(keyFrom);
    if (keys.length === 0) return;
    for (const trace of await loadTraces(this.#start, keys, this.#confirmed)) this.#joiner.hold(trace);
  }

  /** Messages that transactions take, but for those in memory or sent by these transactions or the step under way. */
  #missing(parts: readonly RowParts[]): TableKey[] {
    const sent = new Set<string>();
    const taken = new Map<string, TableKey>();
    const visit = ({ messages }: TransactionFact) => {
      for (const message of messages) {
        if (message.kind !== 'sent' && message.kind !== 'internal') continue;
        const key = messageKey(message);
        if (message.kind === 'sent') sent.add(key);
        else if (!this.#joiner.has(key))
          taken.set(key, { lt: message.createdLt, hash8: message.hash.readBigUInt64BE(0) });
      }
    };
    for (const fact of this.#facts) visit(fact);
    for (const some of parts) for (const fact of this.#getFacts(some)) visit(fact);
    for (const key of sent) taken.delete(key);
    return [...taken.values()];
  }

  async #load(keys: readonly TableKey[]): Promise<void> {
    const messages = await loadMessages(this.#start, keys, this.#confirmed);
    const traces = await this.#findTraces(messages);
    for (const { createdLt, hash8, trace: key, depth } of messages) {
      const trace = traces.get(toKey(key.lt, key.hash8));
      if (!trace)
        throw new Error(`message in flight (${createdLt}, ${hash8}): its trace is not in the database`);
      this.#joiner.restore({ trace, createdLt, hash8, depth });
    }
  }

  /** The traces of messages by key: in memory, or from the database. */
  async #findTraces(messages: readonly StoredMessage[]): Promise<ReadonlyMap<string, Trace>> {
    const found = new Map<string, Trace>();
    const missing = new Map<string, TableKey>();
    for (const { trace } of messages) {
      const key = toKey(trace.lt, trace.hash8);
      const known = this.#joiner.trace(key);
      if (known) found.set(key, known);
      else missing.set(key, trace);
    }
    const loaded = await loadTraces(this.#start, [...missing.values()], this.#confirmed);
    for (const trace of loaded) found.set(toKey(trace.startLt, trace.trace8), trace);
    return found;
  }
}

class TracesRows implements RowSet {
  readonly tables;
  readonly #maker: TracesMaker;
  readonly #traces = new TableBuilder('traces', TRACE_TABLES.traces);
  readonly #transactions = new TableBuilder('trace_transactions', TRACE_TABLES.trace_transactions);
  readonly #inFlight = new TableBuilder('messages_in_flight', TRACE_TABLES.messages_in_flight);
  readonly #steps = new TableBuilder('trace_steps', TRACE_TABLES.trace_steps);

  constructor(maker: TracesMaker) {
    this.#maker = maker;
    this.tables = [this.#traces, this.#transactions, this.#inFlight, this.#steps];
  }

  append(parts: RowParts): void {
    for (const step of this.#maker.add(parts)) this.#push(step);
  }

  endStep(): void {
    this.#push(this.#maker.endStep());
  }

  reset(): void {
    for (const table of this.tables) table.reset();
  }

  #push({ transactions, traces, sent, begun, completed, broken }: JoinedStep): void {
    const [first] = transactions;
    if (!first) return;
    const { position } = first.fact;
    for (const joined of transactions) this.#pushTransaction(joined);
    for (const trace of traces) this.#pushTrace(trace, position);
    for (const message of sent) this.#pushInFlight(message, position);
    const { col } = this.#steps;
    col.mc_seqno.push(position);
    col.begun.push(begun);
    col.completed.push(completed);
    col.broken.push(broken);
    this.#steps.endRow();
  }

  #pushTransaction({ fact, trace, depth }: JoinedTransaction): void {
    const { col } = this.#transactions;
    col.mc_seqno.push(fact.position);
    col.start_lt.push(trace.startLt);
    col.trace8.push(trace.trace8);
    col.workchain.push(fact.workchain);
    col.account.push(fact.account);
    col.lt.push(fact.lt);
    col.depth.push(depth);
    this.#transactions.endRow();
  }

  #pushTrace(trace: Trace, position: number): void {
    const { col } = this.#traces;
    col.mc_seqno.push(position);
    col.trace_id.push(trace.id);
    col.trace8.push(trace.trace8);
    col.external_hash.push(trace.externalHash);
    col.external_hash_norm.push(trace.externalHashNorm);
    col.state.push(TRACE_STATES.indexOf(trace.state));
    col.mc_seqno_start.push(trace.startPosition);
    col.start_lt.push(trace.startLt);
    col.start_utime.push(trace.startUtime);
    col.mc_seqno_end.push(trace.endPosition);
    col.end_lt.push(trace.endLt);
    col.end_utime.push(trace.endUtime);
    col.messages.push(trace.messages);
    col.transactions.push(trace.transactions);
    col.pending_messages.push(trace.pending);
    this.#traces.endRow();
  }

  #pushInFlight({ trace, createdLt, hash8, depth }: InFlight, position: number): void {
    const { col } = this.#inFlight;
    col.mc_seqno.push(position);
    col.created_lt.push(createdLt);
    col.hash8.push(hash8);
    col.start_lt.push(trace.startLt);
    col.trace8.push(trace.trace8);
    col.depth.push(depth);
    this.#inFlight.endRow();
  }
}
