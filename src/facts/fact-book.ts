import type { AccountFacts, FactSort } from '../ton/contracts/account-facts.ts';
import type { DatedFact, FactRange, FactStores, StateSource } from './fact-stores.ts';
import { readContracts } from './read-contracts.ts';
import { readData, readRoots } from './read-data.ts';
import { readDetected } from './read-detected.ts';
import { readPools } from './read-pools.ts';
import { readDataHashes, readStates, toCodes } from './read-states.ts';
import { readTokens } from './read-tokens.ts';

/** Looks up the facts of one sort through a range of steps. */
type Reader = (
  stores: FactStores,
  states: StateSource,
  accounts: readonly string[],
  range: FactRange,
) => Promise<readonly DatedFact[]>;

/** Facts that are looked up together, each kind on demand of a rule. */
const READERS: Readonly<Record<FactSort, Reader>> = {
  account: async (stores, source, accounts, range) => {
    const states = source.readStates(accounts, range);
    const found = [
      states.then(toCodes),
      readTokens(stores, accounts, range),
      readContracts(stores.tokens, accounts, range),
      stores.detections ? readDetected(stores.detections, accounts, range, states) : [],
    ];
    return (await Promise.all(found)).flat();
  },
  data: (_, source, accounts, range) => readData(source, accounts, range),
  pool: readPools,
};

/** The history of states. */
function storedStates(stores: FactStores): StateSource {
  return {
    readStates: (accounts, range) => readStates(stores.chain, accounts, range),
    readDataHashes: (accounts, range) => readDataHashes(stores.chain, accounts, range),
    readRoots: (hashes, last) => readRoots(stores, hashes, last),
  };
}

/** Facts of accounts through a range of steps: a trace is classified by what held when it ended, whenever that is asked. */
export class FactBook {
  readonly #stores: FactStores;
  readonly #states: StateSource;
  readonly #range: FactRange;
  readonly #sorts: Readonly<Record<FactSort, SortedFacts>> = {
    account: new SortedFacts(),
    data: new SortedFacts(),
    pool: new SortedFacts(),
  };

  constructor(stores: FactStores, range: FactRange) {
    this.#stores = stores;
    this.#states = stores.states ?? storedStates(stores);
    this.#range = range;
  }

  /** Looks up the requested facts that are not known yet. Returns true if there were any. */
  async lookUp(): Promise<boolean> {
    const sorts = Object.keys(READERS) as FactSort[];
    const lookUps = sorts.map(async (sort) => {
      const accounts = this.#sorts[sort].takeMissing();
      if (accounts.length === 0) return false;
      this.#sorts[sort].add(accounts, await READERS[sort](this.#stores, this.#states, accounts, this.#range));
      return true;
    });
    return (await Promise.all(lookUps)).includes(true);
  }

  /** Facts of an account after a step; null for none, undefined if it needs the next look-up. */
  find(position: number, sort: FactSort, account: string): AccountFacts | null | undefined {
    return this.#sorts[sort].at(position, account);
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
