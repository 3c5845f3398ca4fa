import { HttpError } from '../http/errors/http-error.ts';
import type { ServeContext } from '../serve-context.ts';
import type { ProjectionName } from '../version-vector.ts';
import { CorrectionFeed, type CorrectionReceiver } from './corrections/correction-feed.ts';
import type { CorrectionPlace } from './corrections/correction-place.ts';
import type { Feed, Receiver, Subscriber } from './feed.ts';
import { type EndKind, Outbox, type OutboxTotal, type Wire } from './outbox.ts';
import type { PendingEvents, PendingReceiver } from './pending-events.ts';
import { nextStep, type Position, positionText } from './position.ts';
import { refused } from './read-subscription.ts';
import type { EventFrame, StreamEvent } from './stream-event.ts';
import type { Subscription } from './subscription.ts';

/** Parts that all streams of a server share. */
export interface StreamParts {
  readonly context: ServeContext;
  readonly total: OutboxTotal;
  readonly pending: PendingEvents;
  readonly corrections: CorrectionFeed;
  /** The feed of some projections; one for all who want it. */
  getFeed(reads: readonly ProjectionName[]): Feed;
  /** Called when the stream is over, once. */
  onOver(stream: Stream, reason: string): void;
}

/** Projections that events are made from, of any subscription. */
export const STREAMED = ['base', 'traces', 'contracts'] as const satisfies readonly ProjectionName[];
/** Maximum lag in steps of a resuming client. */
export const MAX_RESUMED = 20_000;
/** Another server may have seen slightly more. */
const MAX_AHEAD = 100;
/** A client whose streams are all open is asked to wait so long: one that broke may count a little longer. */
const LIMIT_RETRY_SECONDS = 5;

/** One connection: its subscription, how far it was sent, and the frames that wait to be read. */
export class Stream implements Receiver {
  readonly client: string;
  readonly #parts: StreamParts;
  readonly #frame: () => EventFrame;
  readonly #outbox: Outbox;
  #feed: Feed | null = null;
  #subscriber: Subscriber | null = null;
  #pending: PendingReceiver | null = null;
  #correction: CorrectionReceiver | null = null;
  /** The first step whose traces the client may have been sent. */
  #since: number | null = null;
  #events = 0;

  /** `frame`: how its events are written now. */
  constructor(parts: StreamParts, client: string, wire: Wire, frame: () => EventFrame) {
    this.client = client;
    this.#parts = parts;
    this.#frame = frame;
    const most = parts.context.settings.streamBufferKb * 1024;
    this.#outbox = new Outbox(wire, { most, total: parts.total }, (reason) => this.#over(reason));
  }

  get isOpen(): boolean {
    return this.#outbox.isOpen;
  }

  get hasRoom(): boolean {
    return this.#outbox.hasRoom;
  }

  get subscription(): Subscription | null {
    return this.#subscriber?.subscription ?? null;
  }

  /** Events that were sent. */
  get events(): number {
    return this.#events;
  }

  /** Id of the place up to which everything was sent; null without a subscription. */
  get eventId(): string | null {
    return this.#subscriber && positionText(this.#subscriber.position);
  }

  /**
   * Replaces the subscription. `from`: null continues at the previous position, or at the head.
   * @throws HttpError 400 for a position outside the index, ProjectionUnavailableError
   */
  subscribe(subscription: Subscription, from: Position | null): void {
    const feed = this.#parts.getFeed(getNeededProjections(subscription, this.#parts.context));
    const start = from ?? this.#subscriber?.position ?? feed.head;
    checkStart(feed, start);
    const next = feed.subscribe(subscription, this, start);
    const place = this.#leave();
    this.#feed = feed;
    this.#subscriber = next;
    if (this.#parts.pending.takes(subscription)) {
      this.#pending = {
        subscription,
        hasRoom: () => this.hasRoom,
        sendPending: (json) => this.#sendPending(json),
      };
      this.#parts.pending.add(this.#pending);
    }
    if (CorrectionFeed.takes(subscription)) this.#takeCorrections(next, from, place);
  }

  /** Continues after the corrections of the subscription before. A client that resumes was sent earlier traces, too. */
  #takeCorrections(subscriber: Subscriber, from: Position | null, place: CorrectionPlace | null): void {
    const first = nextStep(subscriber.position);
    this.#since ??= from === null ? first : Math.max(0, first - MAX_RESUMED);
    this.#correction = {
      subscription: subscriber.subscription,
      since: this.#since,
      isSent: (seqno) => nextStep(subscriber.position) > seqno,
      hasRoom: () => this.hasRoom,
      sendCorrection: (events) => {
        for (const json of events) this.#sendPending(json);
      },
    };
    this.#parts.corrections.add(this.#correction, place);
  }

  send(event: StreamEvent): void {
    this.#events++;
    this.#outbox.send(event.framed(this.#frame()));
  }

  /** Sends a frame that is no event: a reply, a sign of life. */
  sendFrame(text: string): void {
    this.#outbox.send(text);
  }

  ready(): Promise<void> {
    return this.#outbox.ready();
  }

  /** To be called at an interval: ends the stream of a client that reads nothing. */
  checkProgress(): void {
    this.#outbox.checkProgress();
  }

  tooSlow(): void {
    this.end('slow consumer: it reads more slowly than events come');
  }

  /** Ends the stream, and sends the client the reason. */
  end(reason: string, kind: EndKind = 'again'): void {
    this.#outbox.drop(reason, kind);
  }

  /** The connection is gone. */
  gone(): void {
    if (!this.#outbox.isOpen) return;
    this.#outbox.close();
    this.#over('the client left');
  }

  #over(reason: string): void {
    this.#leave();
    this.#parts.onOver(this, reason);
  }

  /** An event without an id: the place up to which everything was sent stays. */
  #sendPending(json: string): void {
    this.#events++;
    this.#outbox.send(this.#frame()({ position: null, json }));
  }

  /** Returns the place up to which corrections were sent. */
  #leave(): CorrectionPlace | null {
    const place = this.#correction && this.#parts.corrections.delete(this.#correction);
    this.#correction = null;
    if (this.#pending) this.#parts.pending.delete(this.#pending);
    this.#pending = null;
    if (this.#subscriber) this.#feed?.unsubscribe(this.#subscriber);
    this.#subscriber = null;
    return place;
  }
}

/** Projections that the events of a subscription are made from. */
export function getNeededProjections(
  { types, withBook, withMetadata }: Subscription,
  context: ServeContext,
): readonly ProjectionName[] {
  const has = (...names: Parameters<typeof types.has>[0][]) => names.some((name) => types.has(name));
  const reads: ProjectionName[] = ['base'];
  if (has('transactions', 'actions', 'trace')) reads.push('traces');
  const needsContracts = has('actions', 'jettons_change');
  // Traces have actions, and books have names, if these are available.
  const takesContracts = has('trace') || withBook || withMetadata;
  const isOff = context.vector().contracts.state === 'off';
  if (needsContracts || (takesContracts && !isOff)) reads.push('contracts');
  return reads;
}

/** @throws HttpError 400 */
function checkStart(feed: Feed, start: Position): void {
  const step = nextStep(start);
  const { first, head } = feed;
  const text = `Last-Event-ID ${positionText(start)}`;
  if (step < first)
    throw refused(`${text} is before the first block of the index, masterchain block ${first}`);
  if (step > head.seqno + MAX_AHEAD)
    throw refused(`${text} is not of this index, which ends with masterchain block ${head.seqno}`);
  if (head.seqno - step > MAX_RESUMED)
    throw refused(`${text} is more than ${MAX_RESUMED} masterchain blocks ago: read v3 instead`);
}

/** A stream where none may be opened. */
export class StreamLimitError extends HttpError {
  override readonly retryAfter = LIMIT_RETRY_SECONDS;
}
