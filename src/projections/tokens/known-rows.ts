import { type AccountAddress, toAccountName } from '../../ton/store/store-address.ts';
import { forgetOldest } from './forget-oldest.ts';

/** Rows, and accounts that have none, in memory beyond those whose rows are not in the database yet. */
const MAX_ACCOUNTS = 200_000;

/** The newest rows of one table by name, by default of the account, and the names that have none. */
export class KnownRows<Row extends { readonly position: number; readonly account: AccountAddress }> {
  readonly #rows = new Map<string, Row>();
  readonly #others = new Set<string>();
  readonly #toName: (row: Row) => string;

  constructor(toName: (row: Row) => string = ({ account }) => toAccountName(account)) {
    this.#toName = toName;
  }

  /** Those among names of which nothing is in memory. */
  missing(names: ReadonlySet<string>): string[] {
    return [...names].filter((name) => !this.#rows.has(name) && !this.#others.has(name));
  }

  /** Takes what the store has of names that were missing. */
  load(names: readonly string[], rows: readonly Row[]): void {
    for (const row of rows) this.#rows.set(this.#toName(row), row);
    for (const name of names) if (!this.#rows.has(name)) this.#others.add(name);
  }

  get(name: string): Row | undefined {
    return this.#rows.get(name);
  }

  set(row: Row): void {
    const name = this.#toName(row);
    // The newest last: the least recently used goes first.
    this.#rows.delete(name);
    this.#rows.set(name, row);
    this.#others.delete(name);
  }

  /** Forgets what can be read again: rows up to `confirmed` are in the store. */
  evict(confirmed: number): void {
    if (this.#others.size > MAX_ACCOUNTS) this.#others.clear();
    forgetOldest(this.#rows, MAX_ACCOUNTS, ({ position }) => position <= confirmed);
  }
}
