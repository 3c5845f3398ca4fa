import { setTimeout as sleep } from 'node:timers/promises';
import { FencedError, LeaseHeldError } from '../../log/errors.ts';
import type { LogWriter, NewStep } from '../../log/port.ts';
import { retryStore } from '../../platform/clickhouse/retry-store.ts';
import { pause } from '../../platform/retry/poll.ts';
import { untilSharedMoment } from '../../platform/retry/shared-moment.ts';
import type { EngineParts, LaneSettings, ServedPointers } from '../engine-parts.ts';
import { getPartitions, type StepFeed } from '../projection/projection.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import { IslandsReader } from '../versions/confirmed-islands.ts';
import { PointerWatch } from '../versions/pointer-watch.ts';
import { FIRST_VERSION, getDatabase } from '../versions/version-names.ts';
import { nextOfFeed } from './next-of-feed.ts';

/** Interval of looks at what other processes have confirmed, ms. */
const POLL_INTERVAL_MS = 1_000;
/** The same while this process confirms. */
const ANNOUNCED_POLL_MS = 15_000;
/** A process that confirmed nothing for so long is no longer the one that does, ms: twice the longest rest of a lane. */
const ANNOUNCED_MS = 60_000;
/** Interval at which a feed is asked again that has no records of a confirmed position yet. */
const INCOMPLETE_POLL_MS = 250;
/** Steps of one append; of steps with few records several times as many, since readers look facts up for what one append has. */
const STEPS = 256;
const MAX_STEPS = 1_024;
/** Bytes of an append below which the next one may have twice as many steps. */
const SMALL_APPEND = 1 << 20;

/** Wakes a feed: rows of this process were confirmed. */
export class FeedBell {
  #ring = Promise.withResolvers<void>();
  #rungAt = Number.NEGATIVE_INFINITY;

  ring(): void {
    this.#rungAt = performance.now();
    this.#ring.resolve();
  }

  /** Longest pause between looks at the store, milliseconds. */
  get pollMs(): number {
    return performance.now() - this.#rungAt < ANNOUNCED_MS ? ANNOUNCED_POLL_MS : POLL_INTERVAL_MS;
  }

  /** Resolves at a ring, those since the last call included, with true; after `ms`, or when `signal` aborts, with false. */
  async heard(ms: number, signal: AbortSignal): Promise<boolean> {
    const late = new AbortController();
    const options = { signal: AbortSignal.any([signal, late.signal]) };
    const pause = sleep(ms, false, options).catch(() => false);
    const hasRung = await Promise.race([this.#ring.promise.then(() => true), pause]);
    late.abort();
    if (hasRung) this.#ring = Promise.withResolvers();
    return hasRung;
  }
}

/**
 * Appends a projection's confirmed positions to its topic until `signal` aborts. The topic has one writer: its lease
 * fences an earlier one, and the topic's last position shows where to continue. So each position is appended once,
 * whatever was killed. Records follow only from confirmed rows. While another process feeds, this one waits.
 */
export async function followFeed(
  parts: EngineParts,
  feed: StepFeed,
  settings: Pick<LaneSettings, 'sessionMs'> & { readonly bell: FeedBell },
  signal: AbortSignal,
): Promise<void> {
  const { bus, owner, log } = parts;
  const { sessionMs, bell } = settings;
  while (!signal.aborted) {
    let writer: LogWriter | null = null;
    try {
      writer = await bus.writer(feed.topic, `${owner}/${feed.topic}`, sessionMs);
      feed.begin?.();
      await new FeedRun(parts, feed, writer, signal).run(bell, sessionMs / 4);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof FencedError || error instanceof LeaseHeldError)) throw error;
      log.debug({ topic: feed.topic, error: error.message }, 'the topic is fed by another process');
      await pause(sessionMs / 4, signal);
    } finally {
      await writer?.release().catch(() => {});
    }
  }
}

/** One tenure of the topic's writer. */
class FeedRun {
  readonly #parts: EngineParts;
  readonly #feed: StepFeed;
  readonly #pointers: ServedPointers;
  readonly #islands: IslandsReader;
  readonly #writer: LogWriter;
  readonly #signal: AbortSignal;

  constructor(parts: EngineParts, feed: StepFeed, writer: LogWriter, signal: AbortSignal) {
    this.#parts = parts;
    this.#islands = new IslandsReader(parts.client, parts.news);
    this.#pointers = parts.pointers ?? new PointerWatch(parts.client, parts.identity.network);
    this.#feed = feed;
    this.#writer = writer;
    this.#signal = signal;
  }

  /** `renewMs`: interval at which the lease is renewed. */
  async run(bell: FeedBell, renewMs: number): Promise<void> {
    const tail = await this.#writer.tail();
    let isAnnounced = false;
    let width = STEPS;
    for (let next = tail && tail.position + 1; !this.#signal.aborted; ) {
      const { database, confirmed } = await this.#retryStore(() => this.#confirmed(isAnnounced));
      if (confirmed) next = nextOfFeed(next, confirmed, this.#parts.identity, this.#feed);
      if (next !== null && confirmed && next <= confirmed.last) {
        const range = { first: next, last: Math.min(confirmed.last, next + width - 1) };
        const steps = await this.#retryStore(() => this.#steps(database, range));
        // An empty append renews the lease.
        await this.#writer.append(steps);
        next += steps.length;
        width = toWidth(width, steps);
        if (steps.length === 0) await bell.heard(INCOMPLETE_POLL_MS, this.#signal);
      } else isAnnounced = await this.#wait(bell, renewMs);
    }
  }

  /** Returns true when rows of this process are confirmed, or false when it is time to poll for other writers. */
  async #wait(bell: FeedBell, renewMs: number): Promise<boolean> {
    const began = performance.now();
    while (!this.#signal.aborted) {
      // Renews the lease.
      await this.#writer.append([]);
      const leftMs = began + bell.pollMs - performance.now();
      if (await bell.heard(Math.max(1, Math.min(leftMs, untilSharedMoment(renewMs))), this.#signal))
        return true;
      if (performance.now() - began >= bell.pollMs) break;
    }
    return false;
  }

  /**
   * Database of the served version, and its confirmed range that contains the head. `isAnnounced`: this process's own
   * announcements are enough, if known. Read the steps of the range from the same database: another version may lack
   * them.
   */
  async #confirmed(isAnnounced: boolean): Promise<{ database: string; confirmed: PositionRange | null }> {
    const database = await this.#database();
    const partitions = getPartitions(this.#parts.projection);
    const announced = isAnnounced ? this.#islands.announced(database, partitions) : null;
    const confirmed = announced ?? (await this.#islands.poll(database, partitions)).at(-1) ?? null;
    return { database, confirmed };
  }

  async #steps(database: string, range: PositionRange): Promise<NewStep[]> {
    const { client, codec, identity } = this.#parts;
    const store = { client, database };
    const encoding = { codec, network: identity.network, signal: this.#signal };
    const records = await this.#feed.records(store, range, encoding);
    const steps: NewStep[] = [];
    for (let position = range.first; position <= range.last; position++) {
      const own = records.get(position);
      if (!own) break;
      const epoch = Math.floor(position / identity.epochSize);
      steps.push({ position, epoch, lane: epoch % identity.lanes, records: own });
    }
    if (steps.length < records.size)
      throw new RangeError(
        `${this.#feed.topic}: no records of confirmed position ${range.first + steps.length}, but of later ones`,
      );
    return steps;
  }

  async #database(): Promise<string> {
    const { identity, projection } = this.#parts;
    const { version } = await this.#pointers.of(projection.name);
    return getDatabase(identity, projection, version ?? FIRST_VERSION);
  }

  #retryStore<Result>(poll: () => Promise<Result>): Promise<Result> {
    const { log } = this.#parts;
    const onFailure = (error: unknown, pauseMs: number) =>
      log.warn({ error, pauseMs, topic: this.#feed.topic }, 'the store does not answer; retrying');
    return retryStore(poll, { signal: this.#signal, onFailure });
  }
}

/** Steps of the next append, after one of so many. */
function toWidth(width: number, steps: readonly NewStep[]): number {
  const bytes = steps.flatMap(({ records }) => records).reduce((sum, { value }) => sum + value.length, 0);
  if (bytes >= SMALL_APPEND) return STEPS;
  return steps.length < width ? width : Math.min(2 * width, MAX_STEPS);
}
