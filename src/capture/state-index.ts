import type { NewRecord } from '../log/port.ts';
import type { BlockId } from './block-id.ts';
import type { ChainStart, StateHashBehind } from './late-states.ts';
import type { SourceState } from './source.ts';

/** Start of an index, from its own blocks. */
export interface IndexedStart extends Omit<ChainStart, 'globalId'> {
  /** Like `StateHashBehind`: after a merge one hash covers two states. */
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
  /** Null if no block is indexed. */
  start(): Promise<IndexedStart | null>;
  /** Records of the states at a masterchain seqno; none if their bytes are lost. */
  statesAt(position: number): Promise<readonly Pick<NewRecord, 'key' | 'value'>[]>;
  /** Root hashes (hex) of the states that are stored outside the log, by key. */
  readStateHashes(): Promise<ReadonlyMap<string, string>>;
  /**
   * Replaces the state rows of a position, as in an index that began with these states, then stores their records. Can
   * be repeated.
   */
  takeIn(placed: PlacedStates, signal: AbortSignal): Promise<void>;
}
