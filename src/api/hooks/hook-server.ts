import type { ServeContext } from '../serve-context.ts';
import { CorrectionFeed } from '../streaming/corrections/correction-feed.ts';
import { SentActions } from '../streaming/corrections/sent-actions.ts';
import { Feed, type Subscriber } from '../streaming/feed.ts';
import { nextStep, readPosition } from '../streaming/position.ts';
import { readSubscription, SSE_WORDS } from '../streaming/read-subscription.ts';
import { getNeededProjections } from '../streaming/stream.ts';
import type { Subscription } from '../streaming/subscription.ts';
import type { ProjectionName } from '../version-vector.ts';
import type { Hook } from './hook.ts';
import { hookCorrections, parseCorrections, toCorrectionsKey } from './hook-corrections.ts';
import type { HookRecords } from './hook-records.ts';
import { HookSender, PAUSES_MS } from './hook-sender.ts';
import { ANSWER_MS, DeliveryError, sendDelivery } from './send-delivery.ts';

/** A webhook that was added or removed, and dead letters to be retried, count after so long, ms. */
const POLL_INTERVAL_MS = 2_000;
/** Addresses of a webhook's filter. */
const MAX_ADDRESSES = 10_000;

/** The right of one process of a network to deliver. */
export interface DeliveryTurn {
  /** Time for which no other process can have it, ms; 0: this process does not have it. */
  readonly leftMs: number;
}

/** How webhooks are delivered. */
export interface DeliveryRules {
  /** Default: no other process delivers. */
  readonly turn?: DeliveryTurn;
  /** Pauses between the attempts at one delivery, ms. */
  readonly pausesMs?: readonly number[];
}

/** Time after an attempt to write its outcome, ms. */
const OUTCOME_MS = 2_000;

/** The subscription of a webhook's filter. @throws HttpError 400 in the words of the streaming API */
export function parseSubscription(filter: string): Subscription {
  const rules = { words: SSE_WORDS, mostAddresses: MAX_ADDRESSES, actionsVersion: null };
  return readSubscription(JSON.parse(filter), rules);
}

/** Delivers the webhooks of a network while it is this process's turn. */
export class HookServer {
  readonly #context: ServeContext;
  readonly #records: HookRecords;
  readonly #turn: DeliveryTurn | null;
  readonly #pausesMs: readonly number[];
  readonly #feeds = new Map<string, Feed>();
  readonly #sent = new SentActions();
  readonly #corrections: CorrectionFeed;
  readonly #senders = new Map<string, { readonly sender: HookSender; readonly done: Promise<void> }>();
  readonly #stop = new AbortController();
  readonly #count: (outcome: 'delivered' | 'failed' | 'dead') => void;
  #timer: NodeJS.Timeout | undefined;
  #polling = Promise.resolve();

  constructor(context: ServeContext, records: HookRecords, { turn, pausesMs }: DeliveryRules = {}) {
    this.#context = context;
    this.#records = records;
    // What was sent before a restart is not known here: each correction is sent.
    this.#corrections = new CorrectionFeed(context, this.#sent, false);
    this.#turn = turn ?? null;
    this.#pausesMs = pausesMs ?? PAUSES_MS;
    const deliveries = context.metrics?.counter({
      name: 'tonhouse_hook_deliveries_total',
      help: 'Attempts to deliver to webhooks by their outcome; dead: given up',
      labels: ['outcome'],
    });
    this.#count = (outcome) => deliveries?.inc({ outcome });
  }

  /** Looks for webhooks, and again until `close`. */
  start(): void {
    this.#polling = this.#poll().catch((error: unknown) =>
      this.#context.log.warn({ error }, 'the webhooks could not be read; those known go on'),
    );
    void this.#polling.then(() => {
      if (this.#stop.signal.aborted) return;
      this.#timer = setTimeout(() => this.start(), POLL_INTERVAL_MS);
      this.#timer.unref();
    });
  }

  /** Resolves when nothing is sent any more. */
  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    const ending = [...this.#senders.values()];
    for (const { sender } of ending) sender.stop();
    await this.#polling;
    await Promise.all([...ending, ...this.#senders.values()].map(({ done }) => done));
    for (const feed of this.#feeds.values()) feed.close();
    this.#corrections.close();
  }

  #hasTurn(): boolean {
    return this.#turn === null || this.#turn.leftMs > ANSWER_MS + OUTCOME_MS;
  }

  async #poll(): Promise<void> {
    if (!this.#hasTurn()) {
      // The process with the turn continues after the stored position; so does this process when it has the turn again.
      for (const { sender } of this.#senders.values()) sender.stop();
      this.#senders.clear();
      return;
    }
    const hooks = await this.#records.list();
    const known = new Map(hooks.map((hook) => [hook.id, hook]));
    for (const [id, { sender }] of this.#senders)
      if (!known.has(id)) {
        sender.stop();
        this.#senders.delete(id);
      }
    const missing = hooks.filter(({ id }) => !this.#senders.has(id));
    const positions = missing.length > 0 ? await this.#records.positions() : new Map<string, string>();
    for (const hook of missing) this.#begin(hook, positions);
    await this.#retryDue(known);
  }

  /**
   * Begins after an event, at the head if none is named. A filter that cannot be served yet is retried at the next
   * poll.
   */
  #begin(hook: Hook, positions: ReadonlyMap<string, string>): void {
    if (this.#stop.signal.aborted) return;
    const from = positions.get(hook.id) ?? hook.start;
    try {
      const subscription = parseSubscription(hook.filter);
      const feed = this.#getFeed(getNeededProjections(subscription, this.#context));
      const { head, first } = feed;
      const start = readPosition(from) ?? head;
      if (nextStep(start) < first)
        this.#context.log.warn({ hook: hook.id, from, first }, 'events before the index are not delivered');
      const { log } = this.#context;
      const sender = new HookSender(hook, {
        records: this.#records,
        pausesMs: this.#pausesMs,
        log,
        onOutcome: this.#count,
        hasTurn: () => this.#hasTurn(),
      });
      const subscriber = feed.subscribe(
        subscription,
        sender,
        nextStep(start) < first ? { seqno: first, ordinal: -1 } : start,
      );
      const corrections = positions.get(toCorrectionsKey(hook.id));
      const leave = this.#addCorrections(sender, subscriber, corrections);
      const done = sender
        .run(feed, subscriber, leave)
        .catch((error: unknown) => {
          log.error({ hook: hook.id, error }, 'a webhook is not delivered any more');
        })
        .then(() => this.#forget(sender));
      this.#senders.set(hook.id, { sender, done });
    } catch (error) {
      this.#context.log.warn({ hook: hook.id, error }, 'a webhook cannot be delivered yet');
    }
  }

  /** Sends corrected traces too, after the place that was written. Returns the function that ends it. */
  #addCorrections(sender: HookSender, subscriber: Subscriber, written: string | undefined): () => void {
    if (!CorrectionFeed.takes(subscriber.subscription)) return () => {};
    const state = parseCorrections(written, nextStep(subscriber.position));
    const receiver = hookCorrections(sender, subscriber, state, this.#records);
    this.#corrections.add(receiver, state.place);
    return () => this.#corrections.delete(receiver);
  }

  /** A sender that has ended, of whatever cause, is begun again by the next look. */
  #forget(sender: HookSender): void {
    if (this.#senders.get(sender.hook.id)?.sender === sender) this.#senders.delete(sender.hook.id);
  }

  /** One attempt at each dead letter that a retry was asked for. */
  async #retryDue(hooks: ReadonlyMap<string, Hook>): Promise<void> {
    for (const letter of await this.#records.deadLetters('due')) {
      const hook = hooks.get(letter.hook);
      if (!hook || this.#stop.signal.aborted || !this.#hasTurn()) continue;
      try {
        await sendDelivery(hook, { id: letter.delivery, body: letter.body }, this.#stop.signal);
        this.#count('delivered');
        await this.#records.writeDeadLetter({ ...letter, body: '', error: '', state: 'delivered' });
      } catch (error) {
        if (!(error instanceof DeliveryError)) throw error;
        if (this.#stop.signal.aborted) return;
        this.#count('failed');
        await this.#records.writeDeadLetter({ ...letter, error: error.message, state: 'open' });
      }
    }
  }

  #getFeed(reads: readonly ProjectionName[]): Feed {
    const feed = this.#feeds.get(reads.join()) ?? new Feed(this.#context, reads, { sent: this.#sent });
    this.#feeds.set(reads.join(), feed);
    return feed;
  }
}
