import type { StoreDatabase } from '../../../engine/projection/stored-input.ts';
import type { PositionRange } from '../../../engine/ranges/position-ranges.ts';
import type { AccountFacts, FactSort } from '../../../ton/contracts/account-facts.ts';
import { type ContractFacts, factsBySort } from '../model/contract-facts.ts';
import { readData } from './read-data.ts';
import { readDetected } from './read-detected.ts';
import { readContracts, readStates, readTokens, toCodes } from './read-facts.ts';
import { readPools } from './read-pools.ts';

/** A part of an account's facts, and the step from which on it holds; null: from there on nothing does. */
export interface DatedFact {
  readonly account: string;
  readonly position: number;
  readonly facts: AccountFacts | null;
  /** Facts of one kind take each other's place. */
  readonly kind: string;
}

/** Databases that facts are read from. */
export interface FactStores {
  /** Transactions and account states. */
  readonly chain: StoreDatabase;
  /** States and cells of tokens and other contracts. */
  readonly tokens: StoreDatabase;
  /** Outcomes of get methods for contracts under unknown codes; null if there are none. */
  readonly detections: DetectedStore | null;
}

/** Outcomes of get methods that are confirmed up to a step. */
export interface DetectedStore extends StoreDatabase {
  readonly last: number;
}

/** Looks up the facts of one sort through a range of steps. */
type Reader = (
  stores: FactStores,
  accounts: readonly string[],
  range: PositionRange,
) => Promise<readonly DatedFact[]>;

/** Facts that are looked up together, each kind on demand of a rule. */
const READERS = {
  account: async ({ chain, tokens, detections }, accounts, range) => {
    const states = readStates(chain, accounts, range);
    const found = [
      states.then(toCodes),
      readTokens(tokens, accounts, range, detections),
      readContracts(tokens, accounts, range),
      detections ? readDetected(detections, accounts, range, states) : [],
    ];
    return (await Promise.all(found)).flat();
  },
  data: readData,
  pool: readPools,
} satisfies Record<FactSort, Reader>;

/** Facts of accounts through a range of steps: a trace is classified by what held when it ended, whenever that is asked. */
export class FactBook {
  readonly #stores: FactStores;
  readonly #range: PositionRange;
  readonly #sorts: Readonly<Record<FactSort, SortedFacts>> = {
    account: new SortedFacts(),
    data: new SortedFacts(),
    pool: new SortedFacts(),
  };

  constructor(stores: FactStores, range: PositionRange) {
    this.#stores = stores;
    this.#range = range;
  }

  /** Looks up the requested facts that are not known yet. Returns true if there were any. */
  async lookUp(): Promise<boolean> {
    const sorts = Object.keys(READERS) as FactSort[];
    const lookUps = sorts.map(async (sort) => {
      const accounts = this.#sorts[sort].takeMissing();
      if (accounts.length === 0) return false;
      this.#sorts[sort].add(accounts, await READERS[sort](this.#stores, accounts, this.#range));
      return true;
    });
    return (await Promise.all(lookUps)).includes(true);
  }

  /** Facts after a step; `onMissing` gets accounts that still need a look-up. */
  at(position: number, onMissing: (account: string) => void): ContractFacts {
    return factsBySort((sort, account) => {
      const found = this.#sorts[sort].at(position, account);
      if (found === undefined) onMissing(account);
      return found ?? null;
    });
  }
}

/** Facts of one sort. */
class SortedFacts {
  /** Dated facts by account and kind, ascending. */
  readonly #accounts = new Map<string, Map<string, DatedFact[]>>();
  readonly #missing = new Set<string>();

  /** Requested accounts without a look-up. */
  takeMissing(): string[] {
    const accounts = [...this.#missing];
    this.#missing.clear();
    return accounts;
  }

  /** Takes what was found of accounts that were looked up. */
  add(accounts: readonly string[], found: readonly DatedFact[]): void {
    for (const account of accounts) this.#accounts.set(account, new Map());
    // Facts from cells come after detected ones, which hold from the beginning, and win.
    // The store gives what held before and what came since in any order; of one step, the later comes later.
    for (const fact of found.toSorted((a, b) => a.position - b.position)) {
      const kinds = this.#accounts.get(fact.account);
      const own = kinds?.get(fact.kind);
      if (own) own.push(fact);
      else kinds?.set(fact.kind, [fact]);
    }
  }

  /** Facts of an account after a step; null for none, undefined if a look-up is still needed. */
  at(position: number, account: string): AccountFacts | null | undefined {
    const kinds = this.#accounts.get(account);
    if (!kinds) {
      this.#missing.add(account);
      return undefined;
    }
    const held = [...kinds.values()].flatMap(
      (dated) => dated.findLast((one) => one.position <= position)?.facts ?? [],
    );
    return held.length === 0 ? null : Object.assign({}, ...held);
  }
}
