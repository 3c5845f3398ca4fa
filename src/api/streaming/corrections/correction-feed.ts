import { pause } from '../../../platform/retry/poll.ts';
import { openScope, type ReadScope } from '../../query/scope.ts';
import type { ServeContext } from '../../serve-context.ts';
import { ProjectionUnavailableError } from '../../version-vector.ts';
import type { Subscription } from '../subscription.ts';
import { type Subscribed, SubscriptionIndex } from '../subscription-index.ts';
import { type CorrectedEvents, correctedEvents } from './corrected-events.ts';
import {
  type CorrectedTrace,
  hasMoments,
  readCorrected,
  readNow,
  SETTLE_SECONDS,
} from './corrected-traces.ts';
import { type CorrectionPlace, correctionText, toPlace } from './correction-place.ts';
import type { SentActions } from './sent-actions.ts';

/** A client that was sent events of traces, and is sent them again when their actions are corrected. */
export interface CorrectionReceiver extends Subscribed {
  /** The first step whose events it is sent: earlier traces are not corrected. */
  readonly since: number;
  /** Whether it was sent the events of a step: a correction waits for those of its trace. */
  isSent(seqno: number): boolean;
  /** Whether an event may be sent without a wait. */
  hasRoom(): boolean;
  /** Sends the events of a correction. */
  sendCorrection(events: readonly string[], place: CorrectionPlace): void;
  /** Called once if it began without a place: corrections from here on are sent. */
  onStart?(place: CorrectionPlace): void;
}

/** Interval of looks for new corrections, ms. */
const POLL_INTERVAL_MS = 2_000;
/** Pause after a failure, ms. */
const RETRY_MS = 10_000;
/** Longest time of a look, ms. */
const LOOK_MS = 30_000;
/** Corrected traces that are in memory at the same time. */
const MAX_TRACES = 100;
const READS = ['base', 'traces', 'actions'] as const;
type Scope = ReadScope<(typeof READS)[number]>;

/**
 * Sends events of traces again when their stored actions were corrected after a late detection. Any process may correct:
 * corrections are read from the store, in the order in which they were written. Works while it has receivers.
 */
export class CorrectionFeed {
  readonly #context: ServeContext;
  readonly #sent: SentActions;
  readonly #isOnce: boolean;
  /** With the place that each was sent; null: it has not begun. */
  readonly #places = new Map<CorrectionReceiver, CorrectionPlace | null>();
  /** The last database of actions that was looked at, and whether it has what is read here. */
  #known = { database: '', isReadable: false };
  #stop: AbortController | null = null;

  /** `isOnce`: corrections to actions that were sent are omitted. */
  constructor(context: ServeContext, sent: SentActions, isOnce: boolean) {
    this.#isOnce = isOnce;
    this.#context = context;
    this.#sent = sent;
  }

  /** True if corrections make events of a subscription. */
  static takes({ types }: Subscription): boolean {
    return types.has('actions') || types.has('trace');
  }

  /** `place`: null begins with the corrections of this moment. */
  add(receiver: CorrectionReceiver, place: CorrectionPlace | null): void {
    this.#places.set(receiver, place);
    if (this.#stop) return;
    this.#stop = new AbortController();
    void this.#run(this.#stop.signal);
  }

  /** Returns the place up to which it was sent everything. */
  delete(receiver: CorrectionReceiver): CorrectionPlace | null {
    const place = this.#places.get(receiver) ?? null;
    this.#places.delete(receiver);
    if (this.#places.size === 0) this.close();
    return place;
  }

  close(): void {
    this.#stop?.abort();
    this.#stop = null;
  }

  async #run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      let pauseMs = POLL_INTERVAL_MS;
      try {
        await this.#poll(stop);
      } catch (error) {
        if (stop.aborted) return;
        pauseMs = RETRY_MS;
        if (!(error instanceof ProjectionUnavailableError))
          this.#context.log.warn({ error }, 'corrected actions could not be read; streams send them later');
      }
      await pause(pauseMs, stop, { isBackground: true });
    }
  }

  async #poll(stop: AbortSignal): Promise<void> {
    await this.#context.freshen?.(READS);
    const caller = { signal: stop, deadline: performance.now() + LOOK_MS, client: 'stream', readOnly: true };
    const adds = ['contracts'] as const;
    const scope = openScope(this.#context, { route: 'streaming/corrections', reads: READS, adds, caller });
    if (!(await this.#isReadable(scope))) return;
    await this.#begin(scope);
    await this.#sendUnsettled(scope);
    const begun = [...this.#places].flatMap(([receiver, place]) => (place ? [{ receiver, place }] : []));
    const groups = Map.groupBy(begun, ({ place }) => correctionText(place));
    for (const group of groups.values()) {
      // Some may have left while the groups before were sent theirs.
      const open = group.flatMap(({ receiver }) =>
        this.#places.has(receiver) && receiver.hasRoom() ? [receiver] : [],
      );
      if (open.length > 0 && !stop.aborted) await this.#advance(scope, group[0]!.place, open);
    }
  }

  async #isReadable(scope: Scope): Promise<boolean> {
    const { actions: database } = scope.databases;
    if (this.#known.database !== database) this.#known = { database, isReadable: await hasMoments(scope) };
    return this.#known.isReadable;
  }

  /** Places receivers that have none before the corrections that are not read yet. */
  async #begin(scope: Scope): Promise<void> {
    const fresh = [...this.#places].flatMap(([receiver, place]) => (place ? [] : [receiver]));
    if (fresh.length === 0) return;
    const place = toPlace((await readNow(scope)) - 1_000 * SETTLE_SECONDS - POLL_INTERVAL_MS);
    for (const receiver of fresh) {
      if (!this.#places.has(receiver)) continue;
      this.#places.set(receiver, place);
      receiver.onStart?.(place);
    }
  }

  /** Sends traces whose stored actions are not those that were sent, because a token in them was not examined. */
  async #sendUnsettled(scope: Scope): Promise<void> {
    const traces = this.#sent.findUnsettled(scope.visible.last, MAX_TRACES);
    if (traces.length === 0) return;
    const found = await correctedEvents(scope, traces, toIndex([...this.#places.keys()]));
    this.#sent.settle(traces);
    for (const { corrected, trace, events } of found) {
      const { place } = corrected;
      if (this.#sent.has(trace)) continue;
      for (const [receiver, own] of Map.groupBy(events, ({ to }) => to))
        if (this.#places.has(receiver) && place.seqno >= receiver.since && receiver.isSent(place.seqno))
          receiver.sendCorrection(
            own.map(({ event }) => event.json),
            place,
          );
    }
  }

  /** Sends the next corrections to receivers at one place. */
  async #advance(
    scope: Scope,
    after: CorrectionPlace,
    receivers: readonly CorrectionReceiver[],
  ): Promise<void> {
    const since = Math.min(...receivers.map((receiver) => receiver.since));
    const page = await readCorrected(scope, after, { since, limit: MAX_TRACES });
    // The rest is read when this server has the step.
    const unknown = page.findIndex(({ place }) => place.seqno > scope.visible.last);
    const traces = unknown < 0 ? page : page.slice(0, unknown);
    if (traces.length === 0) return;
    const found = await correctedEvents(scope, traces, toIndex(receivers));
    const byTrace = new Map(found.map((one) => [one.corrected, one]));
    const open = new Set(receivers.filter((receiver) => this.#places.has(receiver)));
    for (const corrected of traces) this.#send(corrected, byTrace.get(corrected), open);
  }

  /** Sends a correction to those who are `open`; the others get it at a later look. */
  #send(
    { place }: CorrectedTrace,
    found: CorrectedEvents<CorrectionReceiver> | undefined,
    open: Set<CorrectionReceiver>,
  ): void {
    const isKnown = this.#isOnce && found && this.#sent.has(found.trace);
    const events = Map.groupBy((!isKnown && found?.events) || [], ({ to }) => to);
    for (const receiver of open) {
      const isOwn = place.seqno >= receiver.since;
      if (isOwn && !(receiver.isSent(place.seqno) && receiver.hasRoom())) {
        open.delete(receiver);
        continue;
      }
      this.#places.set(receiver, place);
      const own = isOwn ? (events.get(receiver) ?? []) : [];
      if (own.length > 0)
        receiver.sendCorrection(
          own.map(({ event }) => event.json),
          place,
        );
    }
  }
}

function toIndex(receivers: readonly CorrectionReceiver[]): SubscriptionIndex<CorrectionReceiver> {
  const index = new SubscriptionIndex<CorrectionReceiver>();
  for (const receiver of receivers) index.add(receiver);
  return index;
}
