import type { FastifyRequest } from 'fastify';
import type { Counter } from '../../platform/observability/metrics/metrics.ts';
import { PeerCounts } from '../../platform/processes/peer-counts.ts';
import { HttpError, OverloadedError } from '../http/errors/http-error.ts';
import { EventLoopQueue } from '../http/fairness/event-loop-queue.ts';
import { getClientName } from '../http/fairness/rate-limits.ts';
import { loggedPath } from '../http/logged-path.ts';
import type { ServeContext } from '../serve-context.ts';
import type { ProjectionName } from '../version-vector.ts';
import { ByteBudgets } from './byte-budgets.ts';
import { CorrectionFeed } from './corrections/correction-feed.ts';
import { SentActions } from './corrections/sent-actions.ts';
import { Feed } from './feed.ts';
import { OutboxTotal, type Wire } from './outbox.ts';
import { PendingEvents } from './pending-events.ts';
import { Stream, StreamLimitError, type StreamParts } from './stream.ts';
import type { EventFrame } from './stream-event.ts';

/** Bytes that wait for the readers of all streams; beyond it the slowest is dropped. */
const MAX_UNSENT = 256 * 1024 ** 2;
/** Intervals of a server's signs of life, and of the looks whether clients read, ms. */
export const KEEP_ALIVE_MS = 15_000;

/** Part of the server's connections that streams may have: requests are answered however many there are. */
const SHARE_OF_CONNECTIONS = 0.8;
/** Pause before a client that was refused for others' sake comes again, seconds. */
const FULL_RETRY_SECONDS = 5;

/** Interval of the checks whether the keys of open streams are valid, ms. */
const KEY_CHECK_MS = 500;
/** The reason that a stream of a revoked or expired key ends with. */
const KEY_ENDED = 'the API key was revoked or has expired';
/** Bytes that a client may send on all its WebSockets in a second: some subscriptions of the largest size. */
const BYTES_PER_SECOND = 512 * 1024;
/** Clients whose budgets are kept at the same time. */
const MAX_BUDGETS = 10_000;

/** How a connection is served. */
export interface StreamTransport {
  readonly name: 'sse' | 'ws';
  readonly wire: Wire;
  /** How its events are written now. */
  readonly frame: () => EventFrame;
}

/** The open streams of a server. */
export class StreamServer {
  readonly #context: ServeContext;
  readonly #parts: StreamParts;
  readonly #pending: PendingEvents;
  readonly #sent = new SentActions();
  readonly #corrections: CorrectionFeed;
  readonly #feeds = new Map<string, Feed>();
  readonly #streams = new Map<Stream, { readonly transport: string; readonly request: FastifyRequest }>();
  readonly #byClient: PeerCounts;
  readonly #bytes = new ByteBudgets(BYTES_PER_SECOND, MAX_BUDGETS);
  readonly #keyTimer: NodeJS.Timeout | undefined;
  readonly #events: Counter<'transport'> | undefined;
  readonly #ended: Counter<'transport' | 'reason'> | undefined;
  #isClosed = false;
  /** Turns of the event loop in which subscriptions are read, one at a time for all streams. */
  readonly turns = new EventLoopQueue();

  constructor(context: ServeContext) {
    this.#context = context;
    this.#byClient = new PeerCounts('streams', context.peers);
    const total = new OutboxTotal(MAX_UNSENT);
    this.#pending = new PendingEvents(context);
    this.#corrections = new CorrectionFeed(context, this.#sent, true);
    this.#parts = {
      context,
      total,
      pending: this.#pending,
      corrections: this.#corrections,
      getFeed: (reads) => this.#getFeed(reads),
      onOver: (stream, reason) => this.#over(stream, reason),
    };
    if (context.keys) this.#keyTimer = setInterval(() => this.#checkKeys(), KEY_CHECK_MS).unref();
    const { metrics } = context;
    const labels = ['transport'] as const;
    const together = 'sum';
    metrics?.gauge({ name: 'tonhouse_streams', help: 'Open streams of clients', labels, together }, () =>
      (['sse', 'ws'] as const).map((transport) => ({ labels: { transport }, value: this.#count(transport) })),
    );
    const unsent = 'Bytes that wait for clients of streams';
    metrics?.gauge({ name: 'tonhouse_stream_unsent_bytes', help: unsent, together }, () => total.bytes);
    this.#events = metrics?.counter({
      name: 'tonhouse_stream_events_total',
      help: 'Events that were sent on streams, counted when these end',
      labels: ['transport'],
    });
    this.#ended = metrics?.counter({
      name: 'tonhouse_streams_ended_total',
      help: 'Streams that ended',
      labels: ['transport', 'reason'],
    });
  }

  /**
   * @throws HttpError 401 without a valid key if limits are on, 429 above the client's limits, 503 while the server
   * closes or is full
   */
  check(request: FastifyRequest): void {
    const { keylessLimit, streamConnections, maxConnections } = this.#context.settings;
    if (this.#isClosed) throw new OverloadedError('the server is closing');
    if (keylessLimit !== null && request.apiKey === null) throw new HttpError(401, 'streams need an API key');
    if (!this.#renewKey(request)) throw new HttpError(401, 'API key does not exist');
    const open = this.#byClient.get(getClientName(request));
    if (streamConnections !== null && open >= streamConnections)
      throw new StreamLimitError(429, `connection limit reached: ${open} active connections`);
    if (this.#streams.size >= Math.max(1, maxConnections * SHARE_OF_CONNECTIONS))
      throw new OverloadedError('too many streams are open', FULL_RETRY_SECONDS);
  }

  /** A stream for a connection. @throws HttpError as `check` */
  open(request: FastifyRequest, { name, wire, frame }: StreamTransport): Stream {
    this.check(request);
    const client = getClientName(request);
    const stream = new Stream(this.#parts, client, wire, frame);
    this.#streams.set(stream, { transport: name, request });
    this.#byClient.add(client, 1);
    return stream;
  }

  /** Ends a stream whose key was revoked or has expired. Returns false if it did. */
  checkKey(stream: Stream): boolean {
    const opened = this.#streams.get(stream);
    if (!opened || this.#renewKey(opened.request)) return true;
    stream.end(KEY_ENDED, 'refused');
    return false;
  }

  /** Takes bytes that a client sent on a WebSocket. Returns the milliseconds until it may send more. */
  takeBytes(client: string, bytes: number): number {
    return this.#bytes.take(client, bytes);
  }

  /** Time since the slowest feed of some projections has read anything, seconds; 0 without a feed. */
  silentSeconds(reads: readonly ProjectionName[]): number {
    const feeds = [...this.#feeds.values()].filter((feed) =>
      reads.every((name) => feed.reads.includes(name)),
    );
    return wholeSeconds(Math.max(0, ...feeds.map(({ silentMs }) => silentMs)));
  }

  /** The same for pending events; null without receivers. */
  get pendingSilentSeconds(): number | null {
    const { silentMs } = this.#pending;
    return silentMs === null ? null : wholeSeconds(silentMs);
  }

  /** Ends all streams, and opens none any more. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#keyTimer);
    for (const stream of this.#streams.keys()) stream.end('the server is closing');
    for (const feed of this.#feeds.values()) feed.close();
    this.#pending.close();
    this.#corrections.close();
  }

  #checkKeys(): void {
    for (const stream of this.#streams.keys()) this.checkKey(stream);
  }

  /** Gives a request the newest state of its key, such as another rate. Returns false if the key may not be used. */
  #renewKey(request: FastifyRequest): boolean {
    if (request.apiKey === null) return true;
    const key = this.#context.keys?.renew(request.apiKey, Date.now() / 1_000) ?? null;
    if (key) request.apiKey = key;
    return key !== null;
  }

  #over(stream: Stream, reason: string): void {
    const opened = this.#streams.get(stream);
    if (!opened) return;
    const { transport, request } = opened;
    this.#streams.delete(stream);
    this.#byClient.add(stream.client, -1);
    this.#events?.inc({ transport }, stream.events);
    this.#ended?.inc({ transport, reason: reason.split(':', 1)[0]! });
    if (!this.#context.settings.accessLog) return;
    const { id, ip, url, apiKey } = request;
    const facts = { id, client: ip, key: apiKey?.id ?? null, path: loggedPath(url), events: stream.events };
    this.#context.log.info({ ...facts, reason }, 'a stream ended');
  }

  #getFeed(reads: readonly ProjectionName[]): Feed {
    const key = reads.join();
    const feed = this.#feeds.get(key) ?? new Feed(this.#context, reads, { sent: this.#sent });
    this.#feeds.set(key, feed);
    return feed;
  }

  #count(transport: string): number {
    return [...this.#streams.values()].filter((one) => one.transport === transport).length;
  }
}

const wholeSeconds = (ms: number) => Math.floor(ms / 1_000);
