import type { EngineParts } from '../../../engine/engine-parts.ts';
import type { NewRecord } from '../../../engine/projection/stored-input.ts';
import { LostStateError, readStates } from '../../../engine/replay/replay-inputs.ts';
import { readStateHashes, storeStates } from '../../../engine/replay/state-table.ts';
import { servedDatabase } from '../../../engine/versions/prepare-store.ts';
import { IndexedStart } from './indexed-start.ts';
import { type LateState, writeLateStates } from './late-state-rows.ts';

/** States that are taken in at a position, and the records that the log would have of them. */
interface PlacedStates {
  readonly position: number;
  readonly states: readonly LateState[];
  readonly records: readonly NewRecord[];
}

/** An index as capture asks it about states that are given later: the served version of `base`. */
export class BaseStateIndex {
  readonly #parts: EngineParts;

  /** `parts`: of the projection `base`. */
  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  /** Start of the index; null if no block is indexed. */
  async start(): Promise<IndexedStart | null> {
    const { client, identity, projection } = this.#parts;
    return IndexedStart.read(client, await servedDatabase(client, identity, projection));
  }

  /** Records of the states at a position; none if their bytes are lost. */
  async statesAt(position: number): Promise<readonly Pick<NewRecord, 'key' | 'value'>[]> {
    const start = await this.start();
    if (!(await start?.hasStatesAt(position))) return [];
    // If the run stopped before their states were stored, the rows are written again.
    return readStates(this.#parts, position).catch((error: unknown) => {
      if (error instanceof LostStateError) return [];
      throw error;
    });
  }

  /** Root hashes (hex) of the states that are stored outside the log, by key. */
  readStateHashes(): Promise<ReadonlyMap<string, string>> {
    const { client, identity } = this.#parts;
    return readStateHashes(client, identity.network, 'late-states');
  }

  /** Writes the rows of the states, then keeps their records. May be called again. */
  async takeIn({ position, states, records }: PlacedStates, signal: AbortSignal): Promise<void> {
    const { client, identity } = this.#parts;
    await writeLateStates(this.#parts, position, states, signal);
    const placed = records.map((record) => ({ ...record, position }));
    await storeStates(client, identity.network, placed, 'late-states');
  }
}
