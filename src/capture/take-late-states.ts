import type { Bus, LogIdentity } from '../log/port.ts';
import type { AvroCodec } from '../platform/avro/avro-codec.ts';
import type { Log } from '../platform/observability/log.ts';
import { toHex } from '../ton/hash/hex.ts';
import { blockIdText, samePlace } from './block-id.ts';
import { readLoggedIds } from './isolated/below-tail.ts';
import { LateStateError, placeLateStates } from './late-states.ts';
import type { SourceState } from './source.ts';
import type { StateIndex } from './state-index.ts';
import { distinctStates, readLoggedState } from './states.ts';
import { stepRecords } from './step-records.ts';

/** An index with its log. */
export interface LateStateParts {
  readonly index: StateIndex;
  readonly bus: Bus;
  readonly identity: LogIdentity;
  readonly codec: AvroCodec;
  readonly log: Log;
}

/** States that an index lacks, and where their rows belong. */
interface Missing {
  /** The masterchain seqno that their rows carry. */
  readonly position: number;
  readonly states: readonly SourceState[];
  /** States that are already there. */
  readonly known: readonly SourceState[];
}

/**
 * Finds which of the states an existing index already has. Writes nothing.
 * @throws LateStateError, StartStatesError, ForeignBlockError: a state that the index cannot accept
 */
export async function checkLateStates(parts: LateStateParts, given: readonly SourceState[]): Promise<void> {
  const missing = (await findMissingStates(parts, given)).flatMap(({ states }) => states);
  const start = given.length > 0 && (await parts.index.start());
  if (!start) return;
  for (const state of distinctStates(given)) {
    if (missing.some(({ id }) => samePlace(id, state.id))) continue;
    parts.log.info({ state: blockIdText(state.id), file: state.origin }, 'the index has this state already');
  }
}

/**
 * Finds states that the index lacks, and their positions.
 * @throws LateStateError, StartStatesError, ForeignBlockError: a state that the index cannot accept
 */
async function findMissingStates(
  parts: LateStateParts,
  given: readonly SourceState[],
): Promise<readonly Missing[]> {
  if (given.length === 0) return [];
  const { identity } = parts;
  const start = await parts.index.start();
  // An index without blocks starts from them.
  if (start === null) return [];
  const states = distinctStates(given);
  const isChain = identity.facts.continuity !== 'isolated';
  const known = isChain ? await statesAt(parts, start.firstStep - 1) : [];
  const loggedIds = isChain ? getRootHashes(known) : await isolatedKeys(parts);
  const isThere = (state: SourceState) => loggedIds.get(blockIdText(state.id)) === toHex(state.id.rootHash);
  const missing = states.filter((state) => !isThere(state));
  for (const state of missing) {
    if (!loggedIds.has(blockIdText(state.id))) continue;
    throw new LateStateError(
      state,
      `the index has another state of that id, ${loggedIds.get(blockIdText(state.id))}`,
    );
  }
  if (missing.length === 0) return [];
  if (!isChain) return isolatedPlaces(parts, missing);
  await placeLateStates(missing, known, { ...start, globalId: identity.facts.global_id ?? '' }, (id) =>
    start.stateHashBehind(id),
  );
  return [{ position: start.firstStep - 1, states: missing, known }];
}

/**
 * Adds states to an index that was created without them: config, get methods and unchanged accounts then work. The rows
 * equal those of an index that began with the states. An interrupted call is repeated.
 */
export async function takeLateStates(
  parts: LateStateParts,
  given: readonly SourceState[],
  signal: AbortSignal,
): Promise<void> {
  const { index, identity, codec, log } = parts;
  for (const { position, states, known } of await findMissingStates(parts, given)) {
    const all = [...known, ...states];
    const { records } = stepRecords({ mcSeqno: position, states: all, blocks: [] }, identity, codec);
    await index.takeIn({ position, states: all, records }, signal);
    for (const { id, origin } of states)
      log.info({ state: blockIdText(id), file: origin, position }, 'the state is taken in');
  }
}

/** States at a masterchain seqno: the index began with them, or they were added later. */
async function statesAt({ index, codec }: LateStateParts, position: number): Promise<readonly SourceState[]> {
  return (await index.statesAt(position)).map(({ key, value }) => readLoggedState(codec, key, value));
}

function getRootHashes(states: readonly SourceState[]): ReadonlyMap<string, string> {
  return new Map(states.map(({ id }) => [blockIdText(id), toHex(id.rootHash)]));
}

/** Root hashes of the states among isolated blocks: in the log, and stored outside it. */
async function isolatedKeys({ bus, index }: LateStateParts): Promise<ReadonlyMap<string, string>> {
  const logged = [...(await readLoggedIds(bus))].filter(([, { kind }]) => kind === 'state');
  const stored = await index.readStateHashes();
  return new Map([...stored, ...logged.map(([key, { root_hash = '' }]) => [key, root_hash] as const)]);
}

/** Among isolated blocks each state is at its masterchain seqno, next to the blocks there. */
async function isolatedPlaces(parts: LateStateParts, states: readonly SourceState[]): Promise<Missing[]> {
  const places = Map.groupBy(states, ({ mcSeqno }) => mcSeqno);
  const missing: Missing[] = [];
  for (const [position, here] of places)
    missing.push({ position, states: here, known: await statesAt(parts, position) });
  return missing;
}
