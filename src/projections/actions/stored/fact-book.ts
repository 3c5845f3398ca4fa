import type { StoreDatabase } from '../../../engine/projection/stored-input.ts';
import type { PositionRange } from '../../../engine/ranges/position-ranges.ts';
import type { AccountFacts, ContractFacts } from '../model/contract-facts.ts';
import { readCodes, readContracts, readTokens } from './read-facts.ts';

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
  /** What contracts say of themselves. */
  readonly tokens: StoreDatabase;
}

/** Facts of accounts through a range of steps: a trace is classified by what held when it ended, whenever that is asked. */
export class FactBook {
  readonly #stores: FactStores;
  readonly #range: PositionRange;
  /** Dated facts by account and kind, ascending. */
  readonly #accounts = new Map<string, Map<string, DatedFact[]>>();
  readonly #missing = new Set<string>();

  constructor(stores: FactStores, range: PositionRange) {
    this.#stores = stores;
    this.#range = range;
  }

  /** Looks up what was asked for and is not known; answers whether there was any. */
  async lookUp(): Promise<boolean> {
    const accounts = [...this.#missing];
    this.#missing.clear();
    if (accounts.length === 0) return false;
    for (const account of accounts) this.#accounts.set(account, new Map());
    const found = await Promise.all([
      readCodes(this.#stores.chain, accounts, this.#range),
      readTokens(this.#stores.tokens, accounts, this.#range),
      readContracts(this.#stores.tokens, accounts, this.#range),
    ]);
    // The store gives what held before and what came since in any order; of one step, the later comes later.
    for (const fact of found.flat().toSorted((a, b) => a.position - b.position)) this.#add(fact);
    return true;
  }

  /** Facts as they were behind a step; `onMissing` is told of accounts that are still to be looked up. */
  at(position: number, onMissing: (account: string) => void): ContractFacts {
    return {
      of: (account) => {
        const kinds = this.#accounts.get(account);
        if (!kinds) {
          this.#missing.add(account);
          onMissing(account);
          return null;
        }
        const held = [...kinds.values()].flatMap(
          (dated) => dated.findLast((one) => one.position <= position)?.facts ?? [],
        );
        return held.length === 0 ? null : Object.assign({}, ...held);
      },
    };
  }

  #add(fact: DatedFact): void {
    const kinds = this.#accounts.get(fact.account);
    const own = kinds?.get(fact.kind);
    if (own) own.push(fact);
    else kinds?.set(fact.kind, [fact]);
  }
}
