import type { AccountFacts, FactSort, PoolFact } from '../../../ton/contracts/account-facts.ts';
import { isUnknownCode } from '../../../ton/contracts/unknown-code.ts';

/** True if the account's code is known to be none whose data is read from cells. */
export function hasCustomCode(facts: AccountFacts | null): boolean {
  return facts?.codeHash !== undefined && isUnknownCode(Buffer.from(facts.codeHash, 'base64'));
}

/**
 * Facts by account address (raw text, upper case), from the newest indexed state. Rules also ask for accounts that only
 * bodies name, so the accounts of a trace's transactions are not enough: see `LoadedFacts`.
 */
export interface ContractFacts {
  /** null: nothing is known of the account. */
  of(address: string): AccountFacts | null;
  /** `AccountFacts.data`, which is rare and is looked up separately; null: unknown. */
  getData(address: string): Uint8Array | null;
  /** `AccountFacts.pool`, likewise. */
  getPool(address: string): PoolFact | null;
}

/** Facts with a separate source for each kind. `find`: null if nothing is known. */
export function factsBySort(find: (sort: FactSort, address: string) => AccountFacts | null): ContractFacts {
  return {
    of: (address) => find('account', address),
    getData: (address) => find('data', address)?.data ?? null,
    getPool: (address) => find('pool', address)?.pool ?? null,
  };
}

/**
 * Facts that were looked up beforehand. Accounts that are asked for and were not looked up are noted in `missing`: look
 * them up, add them and classify again, until nothing is missing.
 */
export class LoadedFacts implements ContractFacts {
  /** Requested accounts that were not looked up yet. */
  readonly missing: Set<string> = new Set();
  private readonly known: Map<string, AccountFacts | null>;

  /** `known`: facts that were looked up so far, as `add` takes them. */
  constructor(known: Iterable<readonly [string, AccountFacts | null]> = []) {
    this.known = new Map(known);
  }

  /** `facts` null: looked up, nothing found. */
  add(address: string, facts: AccountFacts | null): void {
    this.known.set(address, facts);
    this.missing.delete(address);
  }

  of(address: string): AccountFacts | null {
    const found = this.known.get(address);
    if (found === undefined) this.missing.add(address);
    return found ?? null;
  }

  getData(address: string): Uint8Array | null {
    return this.of(address)?.data ?? null;
  }

  getPool(address: string): PoolFact | null {
    return this.of(address)?.pool ?? null;
  }
}
