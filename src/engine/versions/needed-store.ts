import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineParts } from '../engine-parts.ts';
import { partitionsOf, type TableProjection } from '../projection/projection.ts';
import type { NeededStore } from '../projection/row-maker.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import { readCommonIslands, readIslands } from './confirmed-islands.ts';
import { servedDatabase } from './prepare-store.ts';

const LOOK_MS = 50;

type NeedingParts = Pick<EngineParts, 'client' | 'identity' | 'projection' | 'signal'>;

/** The projections that one needs, as they are served; `signal` of the parts ends what waits for them. */
export function neededStore(parts: NeedingParts): NeededStore {
  return new NeededVersions(parts);
}

class NeededVersions implements NeededStore {
  readonly #parts: NeedingParts;
  /** What was confirmed at the last look, by projection. */
  readonly #confirmed = new Map<string, readonly PositionRange[]>();

  constructor(parts: NeedingParts) {
    this.#parts = parts;
  }

  database(projection: string): Promise<string> {
    return servedDatabase(this.#parts.client, this.#parts.identity, this.#need(projection));
  }

  async whenConfirmed(name: string, position: number): Promise<void> {
    const need = this.#need(name);
    const { signal } = this.#parts;
    const isConfirmed = () =>
      this.#confirmed.get(name)?.some(({ first, last }) => first <= position && position <= last) ?? false;
    while (!isConfirmed()) {
      signal?.throwIfAborted();
      this.#confirmed.set(name, await this.#look(need));
      if (!isConfirmed()) await sleep(LOOK_MS, undefined, signal && { signal });
    }
  }

  async #look(need: TableProjection): Promise<readonly PositionRange[]> {
    const { client } = this.#parts;
    const database = await this.database(need.name);
    const partitions = partitionsOf(need);
    return partitions === null
      ? readIslands(client, database)
      : readCommonIslands(client, database, partitions);
  }

  #need(name: string): TableProjection {
    const { projection } = this.#parts;
    const found = projection.needs?.find((need) => need.name === name);
    if (!found) throw new RangeError(`projection ${projection.name} does not declare that it needs ${name}`);
    return found;
  }
}
