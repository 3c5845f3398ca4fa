import { LRUCache } from 'lru-cache';
import type { ReadScope } from '../read/read-scope.ts';
import { jettonEvents, stateEvents } from './account-events.ts';
import { isBehind } from './position.ts';
import {
  type ChangedAccount,
  type ChangedTrace,
  readChangedAccounts,
  readChangedTraces,
  type Steps,
} from './step-changes.ts';
import type { StreamEvent } from './stream-event.ts';
import type { Subscribed, SubscriptionIndex } from './subscription-index.ts';
import { traceEvents } from './trace-events.ts';

/** Projections that events are made from. */
export type StreamScope = ReadScope<'base' | 'traces' | 'contracts'>;

/** Lists of changes that are kept: clients that resume after a restart ask for the same steps. */
const MOST_KEPT = 16;

/** Makes the events of steps. */
export class StepEvents {
  readonly #traces = new Kept<ChangedTrace>(readChangedTraces);
  readonly #accounts = new Kept<ChangedAccount>(readChangedAccounts);

  /** The events of steps for those of an index who want any, each client's in the order of their places. */
  async of<T extends Subscribed>(
    scope: StreamScope,
    steps: Steps,
    index: SubscriptionIndex<T>,
  ): Promise<ReadonlyMap<T, readonly StreamEvent[]>> {
    const ofTraces = index.has('transactions') || index.has('actions') || index.has('trace');
    const ofAccounts = index.has('account_state_change') || index.has('jettons_change');
    const [traces, accounts] = await Promise.all([
      ofTraces ? this.#traces.read(scope, steps) : [],
      ofAccounts ? this.#accounts.read(scope, steps) : [],
    ]);
    const all = await Promise.all([
      traceEvents(scope, traces, index),
      stateEvents(scope, accounts, index),
      jettonEvents(scope, accounts, index),
    ]);
    const events = new Map<T, StreamEvent[]>();
    for (const { to, event } of all.flat()) {
      const own = events.get(to);
      if (own) own.push(event);
      else events.set(to, [event]);
    }
    for (const own of events.values()) own.sort((a, b) => (isBehind(a.position, b.position) ? 1 : -1));
    return events;
  }
}

/** Changes of steps that were read lately, each list read once. */
class Kept<C> {
  readonly #read: (scope: StreamScope, steps: Steps) => Promise<readonly C[]>;
  readonly #kept = new LRUCache<string, Promise<readonly C[]>>({ max: MOST_KEPT });

  constructor(read: (scope: StreamScope, steps: Steps) => Promise<readonly C[]>) {
    this.#read = read;
  }

  read(scope: StreamScope, steps: Steps): Promise<readonly C[]> {
    const key = `${scope.databases.base} ${scope.databases.traces} ${steps.first}-${steps.last}`;
    const known = this.#kept.get(key);
    if (known) return known;
    const found = this.#read(scope, steps);
    this.#kept.set(key, found);
    found.catch(() => this.#kept.delete(key));
    return found;
  }
}
