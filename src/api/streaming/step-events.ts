import type { ReadScope } from '../query/scope.ts';
import { jettonEvents, stateEvents } from './account-events.ts';
import { CachedChanges } from './cached-changes.ts';
import type { SentActions } from './corrections/sent-actions.ts';
import { isBehind } from './position.ts';
import { readChangedAccounts, readChangedTraces, type Steps } from './step-changes.ts';
import type { StreamEvent } from './stream-event.ts';
import type { Subscribed, SubscriptionIndex } from './subscription-index.ts';
import { traceEvents } from './trace-events.ts';

/** Projections that events are made from. */
export type StreamScope = ReadScope<'base' | 'traces' | 'contracts'>;

/** Makes the events of steps. */
export class StepEvents {
  readonly #traces = new CachedChanges('traces', readChangedTraces);
  readonly #accounts = new CachedChanges('base', readChangedAccounts);
  readonly #sent: SentActions | undefined;

  /** `sent`: remembers the actions that are sent. */
  constructor(sent?: SentActions) {
    this.#sent = sent;
  }

  /** Reads what steps changed that only the traces have by now: their events need less when the blocks are there. */
  readAhead<T extends Subscribed>(
    scope: ReadScope<'traces'>,
    steps: Steps,
    index: SubscriptionIndex<T>,
  ): void {
    // The caller of the events gets a failure.
    if (wantsTraces(index)) this.#traces.read(scope, steps).catch(() => {});
  }

  /** The events of steps for the clients of an index that want any, each client's in order. */
  async of<T extends Subscribed>(
    scope: StreamScope,
    steps: Steps,
    index: SubscriptionIndex<T>,
  ): Promise<ReadonlyMap<T, readonly StreamEvent[]>> {
    const ofAccounts = index.has('account_state_change') || index.has('jettons_change');
    const [traces, accounts] = await Promise.all([
      wantsTraces(index) ? this.#traces.read(scope, steps) : [],
      ofAccounts ? this.#accounts.read(scope, steps) : [],
    ]);
    const all = await Promise.all([
      traceEvents(scope, traces, index, this.#sent),
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

function wantsTraces<T extends Subscribed>(index: SubscriptionIndex<T>): boolean {
  return index.has('transactions') || index.has('actions') || index.has('trace');
}
