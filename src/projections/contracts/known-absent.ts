import type { RowStart } from '../../engine/projection/row-maker.ts';
import { loadAbsent } from './load-codes.ts';

/** Accounts in memory beyond those whose rows are not in the database yet. */
const MAX_ACCOUNTS = 100_000;

/** Cells (hex) of one account that have a row, and the position of the newest of these rows. */
interface AbsentCells {
  readonly cells: Set<string>;
  position: number;
}

/** Cells that states of a partition have left out: an account names each of them once. */
export class KnownAbsent {
  readonly #start: RowStart;
  readonly #accounts = new Map<string, AbsentCells>();
  #confirmed: number;

  constructor(start: RowStart) {
    this.#start = start;
    this.#confirmed = start.next - 1;
  }

  confirmed(position: number): void {
    this.#confirmed = Math.max(this.#confirmed, position);
  }

  /** Loads what is not in memory of accounts (`workchain:hex`). */
  async load(accounts: Iterable<string>): Promise<void> {
    this.#evict();
    const missing = [...new Set(accounts)].filter((name) => !this.#accounts.has(name));
    for (const name of missing) this.#accounts.set(name, { cells: new Set(), position: -1 });
    if (this.#confirmed < 0) return;
    for (const [name, hash] of await loadAbsent(this.#start, missing, this.#confirmed))
      this.#accounts.get(name)?.cells.add(hash);
  }

  /** Whether the account has no row of the cell (hex) yet; it gets one now. The account is loaded. */
  isNew(account: string, cell: string, position: number): boolean {
    const known = this.#accounts.get(account);
    if (!known) throw new Error(`cells of ${account} were not loaded`);
    if (known.cells.has(cell)) return false;
    known.cells.add(cell);
    known.position = position;
    return true;
  }

  /** Forgets what can be read again. */
  #evict(): void {
    for (const [name, { position }] of this.#accounts) {
      if (this.#accounts.size <= MAX_ACCOUNTS) return;
      if (position <= this.#confirmed) this.#accounts.delete(name);
    }
  }
}
