import { LRUCache } from 'lru-cache';
import type { AccountFacts } from '../../ton/contracts/account-facts.ts';
import { tokenAccounts } from '../../ton/contracts/token-accounts.ts';
import { mayBeToken } from '../../ton/contracts/unknown-code.ts';
import { runMethods } from '../chain/tokens/run-token-methods.ts';
import type { ClassifierTrace, FactsByAddress } from '../classifier-port.ts';
import { answerCache } from '../query/answer-cache.ts';
import type { ReadScope } from '../query/scope.ts';

/** Accounts of one answer whose get methods are run. Others stay unknown until they are detected. */
const MAX_ACCOUNTS = 16;
/** How long a result is valid, ms: detection stores it meanwhile. */
const FRESH_MS = 60_000;

/** Results by address and code hash. */
const RESULTS = answerCache(
  () => new LRUCache<string, Promise<AccountFacts | null>>({ max: 10_000, ttl: FRESH_MS }),
);

/** Facts of tokens that detection has not reached: their get methods run on the newest stored state. */
export class UndetectedTokens {
  readonly #scope: ReadScope;
  readonly #accounts: ReadonlySet<string>;
  /** Accounts beyond the limit, or all if nothing runs get methods. */
  readonly #skipped = new Set<string>();
  #left = MAX_ACCOUNTS;

  /** `traces`: only accounts that behave as tokens in them are examined. */
  constructor(scope: ReadScope, traces: readonly ClassifierTrace[]) {
    this.#scope = scope;
    this.#accounts = tokenAccounts(traces.flatMap(({ transactions }) => transactions));
  }

  /** The facts of accounts, with what get methods return for those that may be tokens. */
  async addTo(known: FactsByAddress): Promise<FactsByAddress> {
    const unknown = [...known].filter(
      ([address, facts]) => this.#accounts.has(address) && isUndetected(facts),
    );
    const examined = this.#scope.context.chain ? unknown.slice(0, this.#left) : [];
    this.#left -= examined.length;
    for (const [address] of unknown.slice(examined.length)) this.#skipped.add(address);
    const added = await Promise.all(
      examined.map(async ([address, facts]) => {
        const found = await this.#examine(address, facts?.codeHash ?? '');
        return [address, { ...facts, ...found }] as const;
      }),
    );
    return new Map([...known, ...added]);
  }

  /** True if a token in a trace was not examined. */
  hasSkipped({ transactions }: ClassifierTrace): boolean {
    return this.#skipped.size > 0 && !tokenAccounts(transactions).isDisjointFrom(this.#skipped);
  }

  #examine(address: string, codeHash: string): Promise<AccountFacts | null> {
    const results = RESULTS(this.#scope);
    const name = `${address} ${codeHash}`;
    const running = results.get(name);
    if (running) return running;
    const started = runMethods(this.#scope, { address, codeHash });
    results.set(name, started);
    // The next answer tries again.
    started.catch(() => results.delete(name));
    return started;
  }
}

function isUndetected(facts: AccountFacts | null): boolean {
  if (!facts?.codeHash || facts.jettonWallet || facts.nftItem) return false;
  return mayBeToken(Buffer.from(facts.codeHash, 'base64'));
}
