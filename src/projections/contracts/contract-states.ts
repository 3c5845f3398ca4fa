import { BocError } from '../../ton/boc/boc-error.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import { PartialCells } from '../../ton/cell/partial-cells.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import type { ReadToken } from '../../ton/contracts/known-layouts.ts';
import { toAccountName } from '../../ton/store/store-address.ts';
import type { KnownRows } from '../tokens/known-rows.ts';
import { type ContractRow, contractRow } from './contract-row.ts';
import type { ContractTables } from './contract-tables.ts';
import type { ContractCells, StateFact } from './fact.ts';

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Makes the rows of sales, auctions and names of one partition: each follows from the one before it. */
export class ContractStates {
  readonly #known: KnownRows<ContractRow>;
  readonly #tables: Pick<ContractTables, 'contracts' | 'addGap'>;

  constructor(known: KnownRows<ContractRow>, tables: Pick<ContractTables, 'contracts' | 'addGap'>) {
    this.#known = known;
    this.#tables = tables;
  }

  /** Adds a state. @returns the account as a token; undefined if its code already decides that */
  add(fact: StateFact): ReadToken | undefined {
    const before = this.#known.get(toAccountName(fact.account));
    const { contract } = fact;
    // A state from before the index, of an account whose later ones are known.
    if (before && fact.lt <= before.lt) return undefined;
    if (contract === null) return this.#end(fact, before);
    if (contract === 'large') this.#tables.addGap(fact, 'size');
    else if (contract === 'hidden') return this.#continue(fact, before);
    else return this.#change(fact, contract, before);
    return this.#end(fact, before);
  }

  /** The account is no such contract now. */
  #end({ position, lt }: StateFact, before: ContractRow | undefined): undefined {
    if (before && !before.isGone) this.#add({ ...before, position, lt, isGone: true }, before);
  }

  /** The block omits its data: the previous data remains, if the hash is equal. */
  #continue(fact: StateFact, before: ContractRow | undefined): ReadToken | undefined {
    const isAsBefore =
      before && isSame(before.dataHash, fact.dataHash) && isSame(before.code.hash, fact.codeHash);
    if (!isAsBefore) return this.#lose(fact, before);
    const { position, lt } = fact;
    return this.#add({ ...before, position, lt, isGone: false }, before);
  }

  #change(fact: StateFact, cells: ContractCells, before: ContractRow | undefined): ReadToken | undefined {
    const data = resolveData(cells, before);
    if (!data) return this.#lose(fact, before);
    const { position, account, lt, codeHash, dataHash } = fact;
    const code = { hash: codeHash, depth: cells.codeDepth };
    const row = contractRow({ position, account, lt, code, dataHash, data, isGone: false });
    if (!row) {
      this.#tables.addGap(fact, 'sense');
      return this.#end(fact, before);
    }
    if (before && before.state.kind !== row.state.kind) this.#end(fact, before);
    return this.#add(row, before);
  }

  /** Its present state is not known: the last known one stays. */
  #lose(fact: StateFact, before: ContractRow | undefined): ReadToken | undefined {
    this.#tables.addGap(fact, 'data');
    return before?.state.token ? 'hidden' : undefined;
  }

  #add(row: ContractRow, before: ContractRow | undefined): ReadToken | undefined {
    this.#tables.contracts.add(row, before && !before.isGone ? before.state : null);
    this.#known.set(row);
    return row.isGone ? undefined : row.state.token;
  }
}

/** The data with its omitted parts filled from the previous data; null if they are missing there. */
function resolveData({ data }: ContractCells, before: ContractRow | undefined): Uint8Array | null {
  try {
    const root = readCell(data);
    const cells = new PartialCells();
    cells.add(root);
    if (before) cells.add(readCell(before.data));
    const resolved = cells.resolve(root.key);
    return resolved && writeBag(resolved);
  } catch (error) {
    if (error instanceof BocError) return null;
    throw error;
  }
}
