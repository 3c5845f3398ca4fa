import type { Log } from '../../platform/observability/log.ts';
import { pause } from '../../platform/retry/poll.ts';
import { type AccountAddress, toAccountName } from '../../ton/store/store-address.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import type { OriginAccounts } from './origin-accounts.ts';
import { OriginError, OriginLimitError } from './origin-error.ts';

/** Accounts of one request that are not loaded yet. */
const MAX_OF_REQUEST = 100;
/** Steps that a load takes at most: its library comes one step earlier, and splits of shards delay it. */
const MAX_STEPS = 100;
/** Time that a step waits for accounts. Later answers are for a later step. */
const STEP_WAIT_MS = 2_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Names whose state is decided: the engine is not asked again. */
const MAX_DECIDED = 200_000;

interface LateParts {
  readonly client: EngineClient;
  readonly accounts: OriginAccounts;
  readonly log: Log | null;
}

/** Loads accounts of a fork into its chain when somebody names them, or a message needs them. */
export class LateLoading {
  private readonly parts: LateParts;
  /** Accounts by name, with the masterchain block that loaded them; 0 for none of this process. */
  private readonly decided = new Map<string, number>();
  private pauseMs = FIRST_PAUSE_MS;
  private retryAt = 0;

  constructor(parts: LateParts) {
    this.parts = parts;
  }

  /**
   * Loads accounts that the chain does not know yet. `mine` makes a masterchain step. Resolves when the chain has them: with the
   * newest masterchain block that loaded one of them, 0 if none of this process did.
   * @throws OriginError, OriginLimitError; EngineCallError before the chain's first step
   */
  async touch(given: readonly AccountAddress[], mine: () => Promise<number>): Promise<number> {
    const accounts = new Map(given.map((account) => [toAccountName(account), account]));
    const open = [...accounts.values()].filter((account) => !this.decided.has(toAccountName(account)));
    const unknown = await this.undecided(open);
    if (unknown.length > MAX_OF_REQUEST)
      throw new OriginLimitError('accounts to load', `at most ${MAX_OF_REQUEST}`, `${unknown.length}`);
    if (unknown.length > 0) await this.load(unknown, mine);
    return Math.max(0, ...[...accounts.keys()].map((name) => this.decided.get(name) ?? 0));
  }

  /** Fetches what messages on their way need. False if some of it is not there yet: then their accounts wait. */
  async beforeStep(signal: AbortSignal): Promise<boolean> {
    const { client, accounts, log } = this.parts;
    const missing = await client.call('missing');
    if (missing.length === 0) return true;
    if (performance.now() < this.retryAt) return false;
    const done: Awaited<ReturnType<OriginAccounts['fetch']>>[] = [];
    const errors: unknown[] = [];
    const fetches = missing.map((account) =>
      accounts.fetch(account).then(
        (fetched) => done.push(fetched),
        (error: unknown) => errors.push(error),
      ),
    );
    const over = new AbortController();
    const any = AbortSignal.any([signal, over.signal]);
    await Promise.race([Promise.all(fetches), pause(STEP_WAIT_MS, any)]);
    over.abort();
    if (done.length > 0) await client.call('load', done);
    if (errors.length === 0) this.pauseMs = FIRST_PAUSE_MS;
    else {
      this.retryAt = performance.now() + this.pauseMs;
      this.pauseMs = Math.min(2 * this.pauseMs, LONGEST_PAUSE_MS);
      log?.warn({ error: errors[0], waiting: missing.length }, 'fork: messages wait for their accounts');
    }
    return done.length > 0;
  }

  private async load(unknown: readonly AccountAddress[], mine: () => Promise<number>): Promise<void> {
    const { client, accounts } = this.parts;
    const fetched = await Promise.all(unknown.map((account) => accounts.fetch(account)));
    await client.call('load', fetched);
    for (let steps = 0; (await this.undecided(unknown)).length > 0; steps++) {
      if (steps === MAX_STEPS)
        throw new OriginError(`${unknown.length} accounts`, `not loaded by ${MAX_STEPS} steps of the chain`);
      await mine();
    }
  }

  /** The accounts that must be fetched; the others are decided. */
  private async undecided(accounts: readonly AccountAddress[]): Promise<AccountAddress[]> {
    if (accounts.length === 0) return [];
    const loads = await this.parts.client.call('loads', accounts);
    if (this.decided.size > MAX_DECIDED) this.decided.clear();
    return accounts.filter((account, at) => {
      const load = loads[at]!;
      if (load !== null) this.decided.set(toAccountName(account), load);
      return load === null;
    });
  }
}
