import type { NewRecord } from '../log/port.ts';
import type { BlockId } from './block-id.ts';
import type { ChainStart, StateHashBehind } from './late-states.ts';
import type { SourceState } from './source.ts';

/** Where an index begins, by its own blocks. */
export interface IndexedStart extends Omit<ChainStart, 'globalId'> {
  /** As `StateHashBehind`: after a merge two states stand in one hash. */
  stateHashBehind(id: BlockId): ReturnType<StateHashBehind>;
}

/** States of one masterchain seqno, with the records that the log would have of them. */
export interface PlacedStates {
  readonly position: number;
  readonly states: readonly SourceState[];
  readonly records: readonly NewRecord[];
}

/** An index that states may be taken into after it was made. */
export interface StateIndex {
  /** Null where no block is indexed. */
  start(): Promise<IndexedStart | null>;
  /** The records of the states that stand at a masterchain seqno; none where their bytes are lost. */
  statesAt(position: number): Promise<readonly Pick<NewRecord, 'key' | 'value'>[]>;
  /** Root hashes (hex) of the states that are kept beside the log, by key. */
  keptStates(): Promise<ReadonlyMap<string, string>>;
  /**
   * Makes the state rows of a position those of the states, as in an index that began with them, then keeps their
   * records. May be called again.
   */
  takeIn(placed: PlacedStates, signal: AbortSignal): Promise<void>;
}
