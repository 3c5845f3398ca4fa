import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { detachedParts } from '../../platform/clickhouse/detached-parts.ts';
import { recentDamage } from '../../projections/base/verify/recent-damage.ts';
import { isUnreadable } from '../../projections/base/verify/store-damage.ts';
import type { Session } from '../session.ts';

const LOOK_MS = 30_000;

/** What of the store may be lost, as `/healthz` tells it. */
export interface StoreCondition {
  /** Parts that the server put aside: their rows are in no answer. */
  readonly detachedParts: number;
  /** Counts of rows, of what was written last before the server started, that are not what they should be. */
  readonly missing: number;
  readonly samples: readonly string[];
}

const WHOLE: StoreCondition = { detachedParts: 0, missing: 0, samples: [] };

/**
 * Looks at the parts that the server put aside, now and then, and measures what was written last whenever the server has
 * been started anew.
 */
export class StoreConditionWatch {
  readonly #client: StoreClient;
  readonly #database: () => string;
  readonly #session: Session;
  /** Database and start of the server that was measured. */
  #measured = '';
  #current: StoreCondition = WHOLE;

  constructor(client: StoreClient, database: () => string, session: Session) {
    this.#client = client;
    this.#database = database;
    this.#session = session;
  }

  get current(): StoreCondition {
    return this.#current;
  }

  get isDamaged(): boolean {
    return this.#current.detachedParts > 0 || this.#current.missing > 0;
  }

  /** Looks until the session ends; nobody waits for it. */
  start(): void {
    void this.#follow();
  }

  async #follow(): Promise<void> {
    const { signal, log } = this.#session;
    while (!signal.aborted) {
      try {
        await this.#look();
      } catch (error) {
        if (!signal.aborted) log.debug({ error }, 'the condition of the store could not be looked at');
      }
      await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #look(): Promise<void> {
    const database = this.#database();
    const parts = (await detachedParts(this.#client, database)).length;
    const run = `${database} ${await this.#startedAt()}`;
    // What is found missing is looked for again until it is back.
    const isDue = run !== this.#measured || this.#current.missing > 0;
    const { missing, samples } =
      isDue && !this.#client.cluster ? await this.#measure(database) : this.#current;
    const before = this.isDamaged;
    this.#measured = run;
    this.#current = { detachedParts: parts, missing, samples };
    if (this.isDamaged && !before)
      this.#session.log.error(
        { ...this.#current },
        'rows of the store are missing: `tonhouse verify --repair` builds them again',
      );
  }

  async #measure(database: string): Promise<Pick<StoreCondition, 'missing' | 'samples'>> {
    try {
      const { problems, samples } = await recentDamage(this.#client, database);
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
