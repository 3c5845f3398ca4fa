import type { AvroCodec } from '../platform/avro/avro-codec.ts';
import { DataError } from '../platform/errors/error-kinds.ts';
import { readRegularFile } from '../platform/files/regular-file.ts';
import { parseBoc } from '../ton/boc/boc.ts';
import { toHex } from '../ton/hash/hex.ts';
import {
  blockIdText,
  compareBlockIds,
  isMasterchain,
  sameBytes,
  samePlace,
  WHOLE_SHARD,
} from './block-id.ts';
import { ChangedBlockError, ForeignBlockError } from './chain/chain-errors.ts';
import { overlap } from './chain/shard-prefix.ts';
import { MAX_FILE_BYTES, readSourceState } from './read-state.ts';
import type { ChainTip, ShardTip, SourceState, Step } from './source.ts';
import { UnreadableError } from './unreadable-error.ts';

/** The states given cannot start an index together. */
export class StartStatesError extends DataError {
  readonly problem: string;

  constructor(problem: string) {
    super(`the states given cannot start an index: ${problem}`);
    this.problem = problem;
  }
}

/** Reads a state's file (`--state FILE`). */
export async function readStateFile(file: string, signal?: AbortSignal): Promise<SourceState> {
  const bytes = await readRegularFile(file, { maxBytes: MAX_FILE_BYTES, signal });
  try {
    return readSourceState(parseBoc(bytes), file);
  } catch (cause) {
    throw new UnreadableError(file, cause);
  }
}

/** A state as the log keeps it: the value of its record. */
export function readLoggedState(codec: AvroCodec, key: string, value: Uint8Array): SourceState {
  return readSourceState(parseBoc(codec.decode(value).value.boc), key);
}

/** The same state given twice counts once. */
export function distinctStates(states: readonly SourceState[]): SourceState[] {
  const distinct: SourceState[] = [];
  for (const state of states) {
    const known = distinct.find(({ id }) => samePlace(id, state.id));
    if (!known) distinct.push(state);
    else if (!sameBytes(known.id.rootHash, state.id.rootHash))
      throw new ChangedBlockError(known.id, known.origin, state.id, state.origin);
  }
  return distinct.sort((a, b) => compareBlockIds(a.id, b.id));
}

export interface Start {
  /** Only the states: the first step of the log. */
  readonly step: Step;
  /** Tip that the first block must follow. */
  readonly tip: ChainTip;
}

/**
 * Start of an index from given states: after the masterchain state, which must be among them. Block 1 names a
 * zerostate as the block before it. The block of a later state is unknown, except that its state is this one.
 * The shard blocks are the ones that the masterchain state names.
 *
 * @throws StartStatesError, ForeignBlockError
 */
export function startFromStates(given: readonly SourceState[]): Start {
  const states = distinctStates(given);
  const [masterchain, second] = states.filter(({ id }) => isMasterchain(id));
  if (!masterchain) throw new StartStatesError('the masterchain state is missing');
  if (second)
    throw new StartStatesError(
      `two masterchain states, ${blockIdText(masterchain.id)} and ${blockIdText(second.id)}`,
    );
  const shardStates = states.filter((state) => state !== masterchain);
  for (const state of states) {
    if (state.globalId === masterchain.globalId) continue;
    const block = `state ${blockIdText(state.id)} in ${state.origin}`;
    throw new ForeignBlockError(block, 'global_id', `${masterchain.globalId}`, `${state.globalId}`);
  }
  const { seqno } = masterchain.id;
  return {
    step: { mcSeqno: seqno, states, blocks: [] },
    tip: {
      mcSeqno: seqno,
      masterchain: buildTip(masterchain),
      shards: seqno === 0 ? shardStates.map(zeroTip) : shardTips(masterchain, shardStates),
      globalId: masterchain.globalId,
      vertSeqno: masterchain.vertSeqno,
    },
  };
}

function buildTip(state: SourceState): ShardTip {
  const { workchain, shard, seqno, rootHash } = state.id;
  return seqno === 0
    ? { ...state.id, stateHash: rootHash }
    : { workchain, shard, seqno, stateHash: rootHash };
}

function zeroTip(state: SourceState): ShardTip {
  if (state.id.seqno === 0 && state.id.shard === WHOLE_SHARD) return buildTip(state);
  throw new StartStatesError(`${blockIdText(state.id)} is no zerostate, the masterchain's is`);
}

/** The newest shard blocks by the masterchain state, with the states given for them. */
function shardTips(masterchain: SourceState, given: readonly SourceState[]): ShardTip[] {
  const tops = masterchain.shards ?? [];
  for (const { id, origin } of given) {
    if (tops.some((top) => samePlace(top, id))) continue;
    const overlapping = tops.filter((top) => overlap(top, id)).map(blockIdText);
    throw new StartStatesError(
      `${blockIdText(id)} in ${origin} is not what the masterchain state ${blockIdText(masterchain.id)} names` +
        ` (${overlapping.join(', ') || 'nothing of that shard'}), state hash ${toHex(id.rootHash)}`,
    );
  }
  return tops.map((top) => {
    const state = given.find(({ id }) => samePlace(top, id));
    return state ? { ...top, stateHash: state.id.rootHash } : top;
  });
}
