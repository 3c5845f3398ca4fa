import type { RowMaker, RowStart } from '../../engine/projection/row-maker.ts';
import type { RowParts, RowSet } from '../../engine/projection/row-set.ts';
import { ACTIVITY, ACTIVITY_TYPES } from '../../tables/activity.ts';
import { TableBuilder } from '../../ton/columns/table-builder.ts';
import { type Counters, counted, loadCounters } from './account-counters.ts';
import { readFacts, type TransactionFact } from './transaction-facts.ts';

/** Accounts in memory beyond those whose rows are not in the database yet. */
const MAX_ACCOUNTS = 200_000;

const toName = ({ workchain, account }: Pick<TransactionFact, 'workchain' | 'account'>): string =>
  `${workchain}:${account.toString('hex')}`;

const toU32Bytes = (numbers: readonly number[]): Uint8Array =>
  new Uint8Array(Uint32Array.from(numbers).buffer);

/** Partition of an account: by the first byte of its address, which is as good as random. */
export function getPartition(account: Buffer, partitions: number): number {
  return Math.floor(((account[0] as number) * partitions) / 256);
}

/**
 * Counters of the accounts of one partition. Each row of the table `activity` is a checkpoint of its account: missing
 * state is read from there, and a killed process continues from the rows.
 */
export class ActivityMaker implements RowMaker {
  readonly #start: RowStart;
  readonly #accounts = new Map<string, Counters>();
  /** Accounts that the database does not have. */
  readonly #unknown = new Set<string>();
  /** Rows up to this position are in the database. */
  #confirmed: number;
  /** Transactions that were read ahead of `append`. */
  readonly #read = new WeakMap<RowParts, readonly TransactionFact[]>();
  /** Accounts that the step under way changed. */
  readonly #changed = new Set<string>();

  constructor(start: RowStart) {
    this.#start = start;
    this.#confirmed = start.next - 1;
  }

  createRowSet = (): RowSet => new ActivityRows(this);

  async prepare(parts: readonly RowParts[]): Promise<void> {
    this.#evict();
    const missing = new Set<string>();
    for (const fact of parts.flatMap((some) => this.facts(some))) {
      const name = toName(fact);
      if (!this.#accounts.has(name) && !this.#unknown.has(name)) missing.add(name);
    }
    if (missing.size === 0) return;
    if (this.#confirmed >= 0)
      for (const counters of await loadCounters(this.#start, [...missing], this.#confirmed)) {
        const name = toName(counters);
        if (missing.delete(name)) this.#accounts.set(name, counters);
      }
    for (const name of missing) this.#unknown.add(name);
  }

  confirmed(position: number): void {
    this.#confirmed = Math.max(this.#confirmed, position);
  }

  /** Transactions of this partition. Their bytes are views of the parts. */
  facts(parts: RowParts): readonly TransactionFact[] {
    const read = this.#read.get(parts);
    if (read) return read;
    const { partition, partitions } = this.#start;
    const facts = [...readFacts(parts, (account) => getPartition(account, partitions) === partition)];
    this.#read.set(parts, facts);
    return facts;
  }

  get partition(): number {
    return this.#start.partition;
  }

  /** Counts a transaction. */
  add(fact: TransactionFact): void {
    const name = toName(fact);
    const counters = counted(this.#accounts.get(name), fact);
    // The newest last: the least recently used goes first.
    this.#accounts.delete(name);
    this.#accounts.set(name, counters);
    this.#unknown.delete(name);
    this.#changed.add(name);
  }

  /** Accounts that the step changed, by name: rows follow only from the step. */
  takeChanged(): Counters[] {
    const names = [...this.#changed].sort();
    this.#changed.clear();
    return names.map((name) => this.#accounts.get(name) as Counters);
  }

  /** Forgets what can be read again. */
  #evict(): void {
    if (this.#unknown.size > MAX_ACCOUNTS) this.#unknown.clear();
    for (const [name, { position }] of this.#accounts) {
      if (this.#accounts.size <= MAX_ACCOUNTS) return;
      if (position <= this.#confirmed) this.#accounts.delete(name);
    }
  }
}

class ActivityRows implements RowSet {
  readonly tables: readonly [TableBuilder<typeof ACTIVITY_TYPES>];
  readonly #maker: ActivityMaker;
  #position: number | null = null;

  constructor(maker: ActivityMaker) {
    this.#maker = maker;
    this.tables = [new TableBuilder(ACTIVITY.name, ACTIVITY_TYPES)];
  }

  append(parts: RowParts): void {
    for (const fact of this.#maker.facts(parts)) {
      if (this.#position !== null && fact.position !== this.#position) this.endStep();
      this.#position = fact.position;
      this.#maker.add(fact);
    }
  }

  /** One row for each account that the step changed. */
  endStep(): void {
    for (const counters of this.#maker.takeChanged()) this.#push(counters);
    this.#position = null;
  }

  reset(): void {
    this.tables[0].reset();
    this.#position = null;
  }

  #push(counters: Counters): void {
    const [table] = this.tables;
    const { col } = table;
    col.mc_seqno.push(counters.position);
    col.part.push(this.#maker.partition);
    col.workchain.push(counters.workchain);
    col.account.push(counters.account);
    col.first_utime.push(counters.firstUtime);
    col.first_lt.push(counters.firstLt);
    col.last_utime.push(counters.lastUtime);
    col.last_lt.push(counters.lastLt);
    col.is_new.push(counters.isNew);
    col.new_hours.push(toU32Bytes(counters.newHours));
    col.new_days.push(toU32Bytes(counters.newDays));
    col.transactions.push(counters.transactions);
    col.aborted.push(counters.aborted);
    col.messages_in.push(counters.messagesIn);
    col.messages_out.push(counters.messagesOut);
    col.fees.push(counters.fees);
    table.endRow();
  }
}
