import { DataError } from '../platform/errors/error-kinds.ts';
import { toHex } from '../ton/hash/hex.ts';
import { type BlockId, blockIdText, isMasterchain, sameBytes } from './block-id.ts';
import { ForeignBlockError } from './chain/chain-errors.ts';
import type { SourceState } from './source.ts';
import { startFromStates } from './states.ts';

/** A state that an existing index cannot take in. */
export class LateStateError extends DataError {
  /** `(wc,shard,seqno)` */
  readonly state: string;
  readonly file: string;

  constructor({ id, origin }: SourceState, problem: string) {
    super(
      `state ${blockIdText(id)} with root ${toHex(id.rootHash)} in ${origin} cannot be taken in: ${problem}`,
    );
    this.state = blockIdText(id);
    this.file = origin;
  }
}

/** Start of the index of a chain. */
export interface ChainStart {
  /** Its first masterchain seqno. */
  readonly firstStep: number;
  /** Decimal, as the log's identity has it. */
  readonly globalId: string;
  /** Block that its first masterchain block names as the previous one. */
  readonly before: { readonly rootHash: Uint8Array; readonly fileHash: Uint8Array };
}

/**
 * Root hash of the state before the block that follows an id; null if no such block is indexed, or it covers two
 * states.
 */
export type StateHashBehind = (id: BlockId) => Promise<Uint8Array | null>;

/**
 * That states are those which the chain of an index had right before its first block. `known`: states that the index has.
 * @throws LateStateError, StartStatesError, ForeignBlockError
 */
export async function placeLateStates(
  states: readonly SourceState[],
  known: readonly SourceState[],
  start: ChainStart,
  stateHashBehind: StateHashBehind,
): Promise<void> {
  for (const state of states) checkPlace(state, start);
  startFromStates([...known, ...states]);
  for (const state of states) {
    const expected = await stateHashBehind(state.id);
    if (expected && !sameBytes(expected, state.id.rootHash))
      throw new LateStateError(state, `the next indexed block begins with state ${toHex(expected)}`);
  }
}

function checkPlace(state: SourceState, { firstStep, globalId, before }: ChainStart): void {
  const { id, origin } = state;
  if (String(state.globalId) !== globalId)
    throw new ForeignBlockError(
      `state ${blockIdText(id)} in ${origin}`,
      'global_id',
      globalId,
      `${state.globalId}`,
    );
  if (!isMasterchain(id)) return;
  if (id.seqno !== firstStep - 1)
    throw new LateStateError(
      state,
      `the index begins with masterchain block ${firstStep}, and accepts only states of block ${firstStep - 1}`,
    );
  const isZerostate = sameBytes(before.rootHash, id.rootHash) && sameBytes(before.fileHash, id.fileHash);
  if (id.seqno === 0 && !isZerostate)
    throw new LateStateError(
      state,
      `masterchain block 1 names the zerostate with root ${toHex(before.rootHash)} file ${toHex(before.fileHash)}`,
    );
}
