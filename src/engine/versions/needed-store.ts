import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineParts, ServedPointers } from '../engine-parts.ts';
import { partitionsOf, type TableProjection } from '../projection/projection.ts';
import type { NeededStore } from '../projection/row-maker.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import { IslandsReader } from './confirmed-islands.ts';
import { PointerWatch } from './pointer-watch.ts';
import { databaseOf, FIRST_VERSION } from './version-names.ts';

/** First pause between looks at what other processes confirm, milliseconds; it doubles up to the longest. */
const LOOK_MS = 50;
const LONGEST_LOOK_MS = 500;
/** The same of what this process confirms, and tells. */
const TOLD_LOOK_MS = 5_000;

type NeedingParts = Pick<EngineParts, 'client' | 'identity' | 'projection' | 'signal' | 'news' | 'pointers'>;

/** The projections that one needs, as they are served; `signal` of the parts ends what waits for them. */
export function neededStore(parts: NeedingParts): NeededStore {
  return new NeededVersions(parts);
}

class NeededVersions implements NeededStore {
  readonly #parts: NeedingParts;
  readonly #pointers: ServedPointers;
  readonly #islands: IslandsReader;
  /** Ranges that were confirmed at the last look, by projection. */
  readonly #confirmed = new Map<string, readonly PositionRange[]>();

  constructor(parts: NeedingParts) {
    this.#parts = parts;
    this.#islands = new IslandsReader(parts.client);
    this.#pointers = parts.pointers ?? new PointerWatch(parts.client, parts.identity.network);
  }

  async database(projection: string): Promise<string> {
    const need = this.#need(projection);
    const { version } = await this.#pointers.of(projection);
    return databaseOf(this.#parts.identity, need, version ?? FIRST_VERSION);
  }

  async whenConfirmed(name: string, position: number): Promise<void> {
    const need = this.#need(name);
    const { signal } = this.#parts;
    const isConfirmed = () =>
      this.#confirmed.get(name)?.some(({ first, last }) => first <= position && position <= last) ?? false;
    for (let pauseMs = LOOK_MS; !isConfirmed(); pauseMs = Math.min(2 * pauseMs, LONGEST_LOOK_MS)) {
      signal?.throwIfAborted();
      if (this.#isToCome(name, position)) await this.#pause(name, TOLD_LOOK_MS);
      this.#confirmed.set(name, await this.#look(need));
      if (!isConfirmed() && !this.#isToCome(name, position)) await this.#pause(name, pauseMs);
    }
  }

  /** This process writes the projection, and has not come so far. */
  #isToCome(name: string, position: number): boolean {
    const told = this.#parts.news?.highest(name) ?? null;
    return told !== null && told < position;
  }

  #pause(name: string, ms: number): Promise<void> {
    const { news, signal } = this.#parts;
    return news ? news.heard(name, ms, signal) : sleep(ms, undefined, signal && { signal });
  }

  async #look(need: TableProjection): Promise<readonly PositionRange[]> {
    return this.#islands.look(await this.database(need.name), partitionsOf(need));
  }

  #need(name: string): TableProjection {
    const { projection } = this.#parts;
    const found = projection.needs?.find((need) => need.name === name);
    if (!found) throw new RangeError(`projection ${projection.name} does not declare that it needs ${name}`);
    return found;
  }
}
