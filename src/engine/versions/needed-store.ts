import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineParts, ServedPointers } from '../engine-parts.ts';
import { getPartitions, type TableProjection } from '../projection/projection.ts';
import type { ConsultedStore, NeededStore } from '../projection/row-maker.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import { IslandsReader } from './confirmed-islands.ts';
import { PointerWatch } from './pointer-watch.ts';
import { FIRST_VERSION, getDatabase } from './version-names.ts';

/** First pause between looks at what other processes confirm, milliseconds; it doubles up to the longest. */
const POLL_INTERVAL_MS = 50;
const MAX_POLL_MS = 500;
/** The same for what this process confirms and announces. */
const ANNOUNCED_POLL_MS = 15_000;
/** A consulted projection that confirms nothing for so long makes no progress, ms: longer than its writers rest. */
const STALL_MS = 60_000;
/** The same while no process writes the topic that it reads, ms: longer than a server takes to begin. */
const UNFED_STALL_MS = 15_000;

type NeedingParts = Pick<
  EngineParts,
  'bus' | 'client' | 'identity' | 'projection' | 'signal' | 'news' | 'pointers'
>;

/** A consulted projection that confirms nothing for so long makes no progress, ms. */
export interface StallTimes {
  readonly fed: number;
  /** No process writes the topic that it reads. */
  readonly unfed: number;
}

/** The served projections that one needs or consults; the parts' `signal` ends waits for them. */
export function neededStore(
  parts: NeedingParts,
  stallMs: StallTimes = { fed: STALL_MS, unfed: UNFED_STALL_MS },
): NeededStore {
  return new NeededVersions(parts, stallMs);
}

class NeededVersions implements NeededStore {
  readonly #parts: NeedingParts;
  readonly #pointers: ServedPointers;
  readonly #islands: IslandsReader;
  readonly #stallMs: StallTimes;
  /** Where consulted projections stopped, by database: nothing waits for them until they go on. */
  readonly #stalled = new Map<string, number>();

  constructor(parts: NeedingParts, stallMs: StallTimes) {
    this.#parts = parts;
    this.#stallMs = stallMs;
    this.#islands = new IslandsReader(parts.client, parts.news);
    this.#pointers = parts.pointers ?? new PointerWatch(parts.client, parts.identity.network);
  }

  async databaseWith(name: string, position: number): Promise<string> {
    const need = this.#need(name);
    const { identity, news, signal } = this.#parts;
    const partitions = getPartitions(need);
    for (let pauseMs = POLL_INTERVAL_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_POLL_MS)) {
      signal?.throwIfAborted();
      const { version } = await this.#pointers.of(name);
      const database = getDatabase(identity, need, version ?? FIRST_VERSION);
      const announced = this.#islands.announced(database, partitions);
      if (announced && holds([announced], position)) return database;
      // This process writes the projection, and has not come so far.
      if (announced && (await news?.heard(name, ANNOUNCED_POLL_MS, signal))) continue;
      if (holds(await this.#islands.poll(database, partitions), position)) return database;
      if (announced) continue;
      if (news) await news.heard(name, pauseMs, signal);
      else await sleep(pauseMs, undefined, signal && { signal });
    }
  }

  async consult(name: string, position: number | null): Promise<ConsultedStore | null> {
    const consulted = this.#consulted(name);
    const { identity, news, signal } = this.#parts;
    let best = { last: -2, at: 0 };
    for (let pauseMs = POLL_INTERVAL_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_POLL_MS)) {
      signal?.throwIfAborted();
      const { version } = await this.#pointers.of(name);
      if (version === null) return null;
      const database = getDatabase(identity, consulted, version);
      const [first] = await this.#islands.poll(database, getPartitions(consulted));
      const last = first?.last ?? -1;
      const now = performance.now();
      if (last > best.last) best = { last, at: now };
      else if (await this.#isStalled(consulted, now - best.at)) this.#stalled.set(database, last);
      const isOver = position === null || last >= position || this.#stalled.get(database) === last;
      if (isOver) return { database, last };
      if (news) await news.heard(name, pauseMs, signal);
      else await sleep(pauseMs, undefined, signal && { signal });
    }
  }

  async #isStalled({ reads }: TableProjection, silentMs: number): Promise<boolean> {
    const { fed, unfed } = this.#stallMs;
    if (silentMs < unfed) return false;
    return silentMs >= fed || (await this.#parts.bus.writerLease(reads)) === null;
  }

  #consulted(name: string): TableProjection {
    const { projection } = this.#parts;
    const found = projection.consults?.find((one) => one.name === name);
    if (!found)
      throw new RangeError(`projection ${projection.name} does not declare that it consults ${name}`);
    return found;
  }

  #need(name: string): TableProjection {
    const { projection } = this.#parts;
    const found = projection.needs?.find((need) => need.name === name);
    if (!found) throw new RangeError(`projection ${projection.name} does not declare that it needs ${name}`);
    return found;
  }
}

const holds = (ranges: readonly PositionRange[], position: number) =>
  ranges.some(({ first, last }) => first <= position && position <= last);
