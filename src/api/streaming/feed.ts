import { setImmediate as nextTurn } from 'node:timers/promises';
import { pause } from '../../platform/retry/poll.ts';
import type { Caller } from '../caller.ts';
import { openScope } from '../query/scope.ts';
import type { ServeContext } from '../serve-context.ts';
import type { ProjectionName } from '../version-vector.ts';
import type { SentActions } from './corrections/sent-actions.ts';
import { getStepEnd, isBehind, nextStep, type Position } from './position.ts';
import { Slots } from './slots.ts';
import type { Steps } from './step-changes.ts';
import { StepEvents, type StreamScope } from './step-events.ts';
import type { StreamEvent } from './stream-event.ts';
import type { Subscription } from './subscription.ts';
import { SubscriptionIndex } from './subscription-index.ts';

/** Receiver of a subscriber's events. */
export interface Receiver {
  /** Names the client for fair turns at the store. */
  readonly client: string;
  /** Whether an event may be sent without a wait. */
  readonly hasRoom: boolean;
  send(event: StreamEvent): void;
  /** Resolves when there is room, or the client is gone. */
  ready(): Promise<void>;
  /** The client has lagged after the head for too long. */
  tooSlow(): void;
}

/** Choices of a feed. */
export interface FeedChoices {
  /** How long a client may lag after the head. */
  readonly lagMs?: number;
  /** Remembers the actions that are sent. */
  readonly sent?: SentActions | undefined;
}

/** A client of a feed, and how far its events were sent. */
export class Subscriber {
  readonly subscription: Subscription;
  readonly receiver: Receiver;
  #position: Position;

  constructor(subscription: Subscription, receiver: Receiver, position: Position) {
    this.subscription = subscription;
    this.receiver = receiver;
    this.#position = position;
  }

  /** Everything up to here that the subscription wants was sent. */
  get position(): Position {
    return this.#position;
  }

  /** Sends the next events up to `behind` while there is room. Returns the rest. */
  take(events: readonly StreamEvent[], behind: Position): readonly StreamEvent[] {
    for (const [index, event] of events.entries()) {
      if (!isBehind(event.position, this.#position)) continue;
      if (!this.receiver.hasRoom) return events.slice(index);
      this.receiver.send(event);
      this.#position = event.position;
    }
    if (isBehind(behind, this.#position)) this.#position = behind;
    return [];
  }
}

/** Interval of looks for a new head, ms. */
const POLL_INTERVAL_MS = 50;
/** Pause after a failure, ms. */
const RETRY_MS = 500;
/** A store that is away makes one warning in this time, ms. */
const WARN_MS = 10_000;
/** Longest time of the statements of one batch, ms. */
const BATCH_MS = 30_000;
/** Steps of a batch: the delay of a resuming client, and the memory for it. */
const MAX_STEPS = 16;
/**
 * Clients whose past events are read at the same time, in turn; their transactions are in memory. While the store reads
 * for one, another's are formatted: more would only delay small requests.
 */
const CATCHING_UP = 2;
/** A client that was at the head and reads too slowly to come back to it for so long is dropped, ms. */
const LAG_MS = 60_000;
/** Clients that are sent their events before others have their turn. */
const SENT_AT_ONCE = 64;

/**
 * Follows the visible range of some projections and sends its events, in chain order and each once: to clients at the
 * head at once, to resuming ones in batches as fast as they read. Works while it has subscribers.
 */
export class Feed {
  readonly #context: ServeContext;
  readonly reads: readonly ProjectionName[];
  readonly #lagMs: number;
  readonly #events: StepEvents;
  readonly #catchingUp = new Slots(CATCHING_UP);
  readonly #subscribers = new Set<Subscriber>();
  /** Those who are not at the head, or have not been looked at. */
  readonly #joining = new Set<Subscriber>();
  readonly #live = new Set<Subscriber>();
  readonly #index = new SubscriptionIndex<Subscriber>();
  /** The last step whose events were sent. */
  #at = 0;
  #stride = MAX_STEPS;
  #stop: AbortController | null = null;
  #warnedAt = Number.NEGATIVE_INFINITY;
  /** When it last read what is new. */
  #polledAt = 0;

  constructor(
    context: ServeContext,
    reads: readonly ProjectionName[],
    { lagMs = LAG_MS, sent }: FeedChoices = {},
  ) {
    this.#context = context;
    this.reads = reads;
    this.#lagMs = lagMs;
    this.#events = new StepEvents(sent);
  }

  get size(): number {
    return this.#subscribers.size;
  }

  /** Time without reading new steps, ms; 0 without subscribers. */
  get silentMs(): number {
    return this.#stop ? performance.now() - this.#polledAt : 0;
  }

  /** The newest place that has everything. @throws ProjectionUnavailableError */
  get head(): Position {
    return getStepEnd(this.#scope('stream').visible.last);
  }

  /** The first step that is visible. @throws ProjectionUnavailableError */
  get first(): number {
    return this.#scope('stream').visible.first;
  }

  /** Sends the events after a position. @throws ProjectionUnavailableError */
  subscribe(subscription: Subscription, receiver: Receiver, from: Position): Subscriber {
    const head = this.head;
    const subscriber = new Subscriber(subscription, receiver, from);
    this.#subscribers.add(subscriber);
    this.#joining.add(subscriber);
    if (this.#stop === null) {
      this.#at = head.seqno;
      this.#polledAt = performance.now();
      this.#stop = new AbortController();
      void this.#run(this.#stop.signal);
    }
    return subscriber;
  }

  unsubscribe(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    this.#joining.delete(subscriber);
    if (this.#live.delete(subscriber)) this.#index.delete(subscriber);
    if (this.#subscribers.size === 0) this.close();
  }

  close(): void {
    this.#stop?.abort();
    this.#stop = null;
  }

  async #run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      let pauseMs = POLL_INTERVAL_MS;
      try {
        await this.#context.freshen?.(this.reads);
        if (stop.aborted) return;
        this.#join(stop);
        if (await this.#advance(stop)) pauseMs = 0;
        this.#polledAt = performance.now();
      } catch (error) {
        if (stop.aborted) return;
        this.#stride = Math.max(1, Math.floor(this.#stride / 2));
        this.#warn(error);
        pauseMs = RETRY_MS;
      }
      await pause(pauseMs, stop, { isBackground: true });
    }
  }

  /** Those at the head are sent what comes, between two batches and never within one; the others catch up first. */
  #join(stop: AbortSignal): void {
    for (const subscriber of this.#joining) {
      this.#joining.delete(subscriber);
      if (nextStep(subscriber.position) > this.#at) {
        this.#live.add(subscriber);
        this.#index.add(subscriber);
      } else void this.#catchUp(subscriber, stop, null);
    }
  }

  /** Sends the next steps to clients at the head; false if there are none. */
  async #advance(stop: AbortSignal): Promise<boolean> {
    const scope = this.#scope('stream', stop);
    const first = this.#at + 1;
    if (scope.visible.last < first) {
      this.#readAhead(stop);
      return false;
    }
    const steps = { first, last: Math.min(scope.visible.last, this.#at + this.#stride) };
    const events = await this.#events.of(scope, steps, this.#index);
    if (stop.aborted) return false;
    await this.#send(events, steps.last, stop);
    this.#at = steps.last;
    this.#stride = Math.min(MAX_STEPS, this.#stride * 2);
    return true;
  }

  /** Traces are written before their blocks: their changes in the next steps are read meanwhile. */
  #readAhead(stop: AbortSignal): void {
    if (!this.reads.includes('traces')) return;
    const scope = openScope(this.#context, {
      route: ROUTE,
      reads: ['traces'],
      caller: buildCaller('stream', stop),
    });
    const steps = { first: this.#at + 1, last: Math.min(scope.visible.last, this.#at + this.#stride) };
    this.#events.readAhead(scope, steps, this.#index);
  }

  /** Sends events at the head; who has no room for them is sent the rest as it reads. */
  async #send(events: EventsBySubscriber, last: number, stop: AbortSignal): Promise<void> {
    let sent = 0;
    for (const subscriber of this.#live) {
      if (++sent % SENT_AT_ONCE === 0) await nextTurn();
      if (stop.aborted) return;
      const behind = getStepEnd(last);
      const rest = subscriber.take(events.get(subscriber) ?? [], behind);
      if (rest.length === 0) continue;
      this.#live.delete(subscriber);
      this.#index.delete(subscriber);
      void this.#catchUp(subscriber, stop, { events: rest, behind });
    }
  }

  /** Sends what lies between a subscriber's place and the head. `begun`: events of before, which it had no room for. */
  async #catchUp(subscriber: Subscriber, stop: AbortSignal, begun: Batch | null): Promise<void> {
    const { receiver } = subscriber;
    const isOver = () => stop.aborted || !this.#subscribers.has(subscriber);
    const lag = begun ? setTimeout(() => receiver.tooSlow(), this.#lagMs) : undefined;
    let batch = begun;
    let stride = MAX_STEPS;
    while (!isOver() && (batch || nextStep(subscriber.position) <= this.#at)) {
      try {
        batch ??= await this.#readPast(subscriber, stride, stop);
        if (batch === null) {
          await pause(RETRY_MS, stop, { isBackground: true });
          continue;
        }
        const { events, behind } = batch;
        for (let rest = subscriber.take(events, behind); rest.length > 0 && !isOver(); ) {
          await receiver.ready();
          rest = subscriber.take(rest, behind);
        }
        batch = null;
        await receiver.ready();
      } catch (error) {
        if (isOver()) break;
        stride = Math.max(1, Math.floor(stride / 2));
        this.#warn(error);
        await pause(RETRY_MS, stop, { isBackground: true });
      }
    }
    clearTimeout(lag);
    if (!isOver()) this.#joining.add(subscriber);
  }

  /** Null if the next step is not visible: a new version may be behind the previous one. */
  #readPast(subscriber: Subscriber, stride: number, stop: AbortSignal): Promise<Batch | null> {
    const index = SubscriptionIndex.of(subscriber);
    const { client } = subscriber.receiver;
    return this.#catchingUp.run(client, async () => {
      // Small requests still find room at the store.
      const scope = this.#scope(client, stop, true);
      const steps = pastSteps(subscriber.position, Math.min(this.#at, scope.visible.last), stride);
      if (steps.last < steps.first) return null;
      const events = await this.#events.of(scope, steps, index);
      return { events: events.get(subscriber) ?? [], behind: getStepEnd(steps.last) };
    });
  }

  #scope(client: string, signal: AbortSignal = NEVER, isHeavy = false): StreamScope {
    const adds = ['traces', 'contracts'] as const;
    const options = { route: ROUTE, reads: this.reads, adds, caller: buildCaller(client, signal), isHeavy };
    return openScope(this.#context, options) as StreamScope;
  }

  #warn(error: unknown): void {
    if (performance.now() - this.#warnedAt < WARN_MS) return;
    this.#warnedAt = performance.now();
    this.#context.log.warn({ error }, 'events of streams could not be read; they come later');
  }
}

type EventsBySubscriber = ReadonlyMap<Subscriber, readonly StreamEvent[]>;

/** Events of one subscriber, and the place up to which there are no others. */
interface Batch {
  readonly events: readonly StreamEvent[];
  readonly behind: Position;
}

const NEVER = new AbortController().signal;
const ROUTE = 'streaming';

function buildCaller(client: string, signal: AbortSignal): Caller {
  return { signal, deadline: performance.now() + BATCH_MS, client, readOnly: true };
}

/** Steps after a position, cut at multiples, so that clients at near positions share reads. */
function pastSteps(position: Position, at: number, stride: number): Steps {
  const first = nextStep(position);
  return { first, last: Math.min(at, first + stride - 1 - (first % stride)) };
}
