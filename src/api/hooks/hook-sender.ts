import { pause } from '../../platform/retry/poll.ts';
import type { Feed, Receiver, Subscriber } from '../streaming/feed.ts';
import { positionText } from '../streaming/position.ts';
import type { StreamEvent } from '../streaming/stream-event.ts';
import type { Hook } from './hook.ts';
import type { HookRecords } from './hook-records.ts';
import { DeliveryError, sendDelivery } from './send-delivery.ts';

/** Pauses between the attempts at one delivery, ms; after the last one it is a dead letter. */
export const PAUSES_MS: readonly number[] = [1_000, 5_000, 15_000, 60_000, 300_000];
/** Events that wait in memory; further ones stay in the store. */
const MAX_WAITING = 100;
/** Pause before the state of a webhook is written again, ms. */
const WRITE_RETRY_MS = 1_000;
/** Write interval of a busy webhook's position, ms: after a crash, later deliveries are repeated under the same ids. */
const WRITE_MS = 1_000;
/** A place that nothing was delivered at is written down this often, ms. */
const QUIET_MS = 10_000;

/** Parts that the sender of a webhook uses. */
export interface SenderParts {
  readonly records: HookRecords;
  /** Pauses between the attempts at one delivery, ms. */
  readonly pausesMs: readonly number[];
  readonly log: { warn(facts: object, text: string): void };
  onOutcome(outcome: 'delivered' | 'failed' | 'dead'): void;
  /** True if no other process can deliver until an attempt that begins now is over. */
  hasTurn(): boolean;
}

/** A delivery that waits, without the id of the webhook. */
interface WaitingDelivery {
  readonly id: string;
  readonly json: string;
}

/** What waits: an event of the chain, or deliveries that have no place in it with the write that follows them. */
type Waiting =
  | { readonly event: StreamEvent }
  | { readonly deliveries: readonly WaitingDelivery[]; readonly write: () => Promise<void> };

/** Sends the events of one webhook, one after the other, each until it is taken or given up. */
export class HookSender implements Receiver {
  readonly client: string;
  readonly hook: Hook;
  readonly #parts: SenderParts;
  readonly #waiting: Waiting[] = [];
  readonly #stop = new AbortController();
  #leave = () => {};
  #wake = Promise.withResolvers<void>();
  #room = Promise.withResolvers<void>();
  #written: string | null = null;
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(hook: Hook, parts: SenderParts) {
    this.hook = hook;
    this.#parts = parts;
    this.client = `hook ${hook.id}`;
  }

  get hasRoom(): boolean {
    return this.#waiting.length < MAX_WAITING;
  }

  send(event: StreamEvent): void {
    this.#waiting.push({ event });
    this.#wake.resolve();
  }

  /** Sends deliveries that have no place in the chain, in their turn, then writes that they were sent. */
  enqueue(deliveries: readonly WaitingDelivery[], write: () => Promise<void>): void {
    this.#waiting.push({ deliveries, write });
    this.#wake.resolve();
  }

  async ready(): Promise<void> {
    if (this.hasRoom || this.#stop.signal.aborted) return;
    await this.#room.promise;
  }

  /** A webhook may lag without limit: unsent events stay in the store. */
  tooSlow(): void {}

  /** Sends until `stop`; `subscriber`: its position in the feed. `onStop`: called when it sends no more. */
  async run(feed: Feed, subscriber: Subscriber, onStop = () => {}): Promise<void> {
    this.#leave = () => {
      feed.unsubscribe(subscriber);
      onStop();
    };
    try {
      await this.#sendAll(subscriber);
    } finally {
      this.stop();
    }
  }

  /** The feed is left at once: it takes a receiver that it waits for for one with room, and would ask this one again and again. */
  stop(): void {
    this.#stop.abort();
    this.#leave();
    this.#wake.resolve();
    this.#room.resolve();
  }

  async #sendAll(subscriber: Subscriber): Promise<void> {
    const stop = this.#stop.signal;
    let last: string | null = null;
    while (!stop.aborted) {
      const next = this.#waiting[0];
      if (!next) {
        await this.#rest(positionText(subscriber.position));
        continue;
      }
      if (!(await this.#deliverNext(next))) break;
      this.#waiting.shift();
      this.#room.resolve();
      this.#room = Promise.withResolvers();
      if (!('event' in next)) continue;
      const position = positionText(next.event.position);
      const isDue = this.#waiting.length === 0 || performance.now() - this.#writtenAt > WRITE_MS;
      if (isDue) await this.#writePosition(position);
      last = isDue ? null : position;
    }
    // An orderly end repeats nothing that was taken. The place of who goes on instead is not moved back.
    if (last !== null && this.#parts.hasTurn()) await this.#writePosition(last);
  }

  /** False as `#deliver`. */
  async #deliverNext(next: Waiting): Promise<boolean> {
    const { id: hook } = this.hook;
    if ('event' in next) {
      const { position, json } = next.event;
      return this.#deliver({ id: `${hook}_${positionText(position)}`, body: json });
    }
    for (const { id, json } of next.deliveries)
      if (!(await this.#deliver({ id: `${hook}_${id}`, body: json }))) return false;
    return this.#persist(next.write);
  }

  /** Nothing waits: the place is written down now and then, so that a restart does not look through what was not wanted. */
  async #rest(position: string): Promise<void> {
    this.#wake = Promise.withResolvers();
    let isQuiet = false;
    const timer = setTimeout(() => {
      isQuiet = true;
      this.#wake.resolve();
    }, QUIET_MS);
    if (this.#stop.signal.aborted) this.#wake.resolve();
    await this.#wake.promise;
    clearTimeout(timer);
    if (isQuiet && this.#waiting.length === 0) await this.#writePosition(position);
  }

  /**
   * False if it was stopped, or the turn was lost, before the outcome was known: the next start sends it again, under
   * the same id.
   */
  async #deliver(delivery: { readonly id: string; readonly body: string }): Promise<boolean> {
    const stop = this.#stop.signal;
    let error = '';
    for (const pauseMs of [...this.#parts.pausesMs, null]) {
      if (!this.#parts.hasTurn()) return false;
      try {
        await sendDelivery(this.hook, delivery, stop);
        this.#parts.onOutcome('delivered');
        return true;
      } catch (failure) {
        if (!(failure instanceof DeliveryError)) throw failure;
        if (stop.aborted) return false;
        error = failure.message;
        this.#parts.onOutcome('failed');
      }
      if (pauseMs !== null) await pause(pauseMs, stop, { isBackground: true });
      if (stop.aborted) return false;
    }
    const letter = {
      hook: this.hook.id,
      delivery: delivery.id,
      body: delivery.body,
      error,
      state: 'open',
    } as const;
    const isWritten = await this.#persist(() => this.#parts.records.writeDeadLetter(letter));
    if (isWritten) this.#parts.onOutcome('dead');
    return isWritten;
  }

  async #writePosition(position: string): Promise<void> {
    if (position === this.#written) return;
    if (!(await this.#persist(() => this.#parts.records.moveTo(this.hook.id, position)))) return;
    this.#written = position;
    this.#writtenAt = performance.now();
  }

  /** Writes until it succeeds: nothing continues before it is stored. False if it failed and was stopped. */
  async #persist(write: () => Promise<void>): Promise<boolean> {
    const { signal } = this.#stop;
    for (;;) {
      try {
        await write();
        return true;
      } catch (error) {
        this.#parts.log.warn({ hook: this.hook.id, error }, 'the state of a webhook could not be written');
        await pause(WRITE_RETRY_MS, signal, { isBackground: true });
        if (signal.aborted) return false;
      }
    }
  }
}
