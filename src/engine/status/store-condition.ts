import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { detachedParts } from '../../platform/clickhouse/detached-parts.ts';
import { isUnreadable } from '../../platform/clickhouse/store-errors.ts';
import { pause } from '../../platform/retry/poll.ts';
import type { EngineParts, RunScope } from '../engine-parts.ts';
import type { TableAudit } from '../projection/table-audit.ts';

const POLL_INTERVAL_MS = 30_000;

/** The damage of the store, as `/healthz` reports it. */
export interface StoreCondition {
  /** Parts that the server put aside: their rows are in no answer. */
  readonly detachedParts: number;
  /** Counts of rows, of what was written last before the server started, that are not what they should be. */
  readonly missing: number;
  readonly samples: readonly string[];
}

const COMPLETE: StoreCondition = { detachedParts: 0, missing: 0, samples: [] };

/** Checks detached parts at intervals, and measures the last writes after each restart of the server. */
export class StoreConditionWatch {
  readonly #client: StoreClient;
  readonly #identity: LogIdentity;
  readonly #database: () => string;
  readonly #audit: Pick<TableAudit, 'recentDamage'>;
  readonly #scope: Pick<RunScope, 'signal' | 'log'>;
  /** Database and start of the server that was measured. */
  #measured = '';
  #current: StoreCondition = COMPLETE;

  /** `database`: of the projection's served version, which a replay changes. */
  constructor(
    { client, identity }: Pick<EngineParts, 'client' | 'identity'>,
    database: () => string,
    audit: Pick<TableAudit, 'recentDamage'>,
    scope: Pick<RunScope, 'signal' | 'log'>,
  ) {
    this.#client = client;
    this.#identity = identity;
    this.#database = database;
    this.#audit = audit;
    this.#scope = scope;
  }

  get current(): StoreCondition {
    return this.#current;
  }

  get isDamaged(): boolean {
    return this.#current.detachedParts > 0 || this.#current.missing > 0;
  }

  /** Checks until the session ends, in the background. */
  start(): void {
    void this.#follow();
  }

  async #follow(): Promise<void> {
    const { signal, log } = this.#scope;
    while (!signal.aborted) {
      try {
        await this.#poll();
      } catch (error) {
        if (!signal.aborted) log.debug({ error }, 'the condition of the store could not be read');
      }
      await pause(POLL_INTERVAL_MS, signal, { isBackground: true });
    }
  }

  async #poll(): Promise<void> {
    const database = this.#database();
    const parts = (await detachedParts(this.#client, database)).length;
    const run = `${database} ${await this.#startedAt()}`;
    // Rows that are found missing are looked for again until they are back.
    const isDue = run !== this.#measured || this.#current.missing > 0;
    const { missing, samples } =
      isDue && !this.#client.cluster ? await this.#measure(database) : this.#current;
    const before = this.isDamaged;
    this.#measured = run;
    this.#current = { detachedParts: parts, missing, samples };
    if (this.isDamaged && !before)
      this.#scope.log.error(
        { ...this.#current },
        'rows of the store are missing: `tonhouse verify --repair` builds them again',
      );
  }

  async #measure(database: string): Promise<Pick<StoreCondition, 'missing' | 'samples'>> {
    try {
      const store = { client: this.#client, database };
      const { problems, samples } = await this.#audit.recentDamage(store, this.#identity);
      return { missing: problems, samples };
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      return { missing: 1, samples: [error.message] };
    }
  }

  async #startedAt(): Promise<string> {
    const { rows } = await this.#client.queryRows<[string]>('SELECT toString(now() - uptime())', {
      route: 'condition/start',
    });
    // A second more or less is the same start.
    const seconds = Date.parse(`${rows[0]?.[0].replace(' ', 'T')}Z`) / 1000;
    return String(Math.round(seconds / 10));
  }
}
