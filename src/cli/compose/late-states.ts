import { blockIdText, samePlace } from '../../capture/block-id.ts';
import { readLoggedIds } from '../../capture/isolated/below-tail.ts';
import { LateStateError, placeLateStates } from '../../capture/late-states.ts';
import type { SourceState } from '../../capture/source.ts';
import { distinctStates, readLoggedState } from '../../capture/states.ts';
import { stepRecords } from '../../capture/step-records.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { LostStateError, readStates } from '../../engine/replay/extras.ts';
import { stateTable } from '../../engine/replay/state-table.ts';
import { servedDatabase } from '../../engine/versions/prepare-store.ts';
import type { LogRecord } from '../../log/port.ts';
import type { AvroCodec } from '../../platform/avro/avro-codec.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { encodeNativeBlock } from '../../platform/clickhouse/native-format.ts';
import { toHex } from '../../ton/hash/hex.ts';
import { IndexedStart } from './indexed-start.ts';
import { writeLateStates } from './late-state-rows.ts';

export interface LateStateParts extends EngineParts {
  readonly codec: AvroCodec;
}

/** States that an index lacks, and where their rows belong. */
interface Missing {
  /** The masterchain seqno that their rows carry. */
  readonly position: number;
  readonly states: readonly SourceState[];
  /** Those that stand there already. */
  readonly known: readonly SourceState[];
}

/**
 * Says which of the states an index that is there has already. Nothing is written.
 * @throws LateStateError, StartStatesError, ForeignBlockError: a state that the index cannot take in
 */
export async function checkLateStates(parts: LateStateParts, given: readonly SourceState[]): Promise<void> {
  const missing = (await findMissingStates(parts, given)).flatMap(({ states }) => states);
  const start = given.length > 0 && (await indexedStart(parts));
  if (!start) return;
  for (const state of distinctStates(given)) {
    if (missing.some(({ id }) => samePlace(id, state.id))) continue;
    parts.log.info({ state: blockIdText(state.id), file: state.origin }, 'the index has this state already');
  }
}

/**
 * Which of the states the index lacks, and where they belong.
 * @throws LateStateError, StartStatesError, ForeignBlockError: a state that the index cannot take in
 */
async function findMissingStates(
  parts: LateStateParts,
  given: readonly SourceState[],
): Promise<readonly Missing[]> {
  if (given.length === 0) return [];
  const { identity } = parts;
  const start = await indexedStart(parts);
  // Of an index without blocks they are what it starts from.
  if (start === null) return [];
  const states = distinctStates(given);
  const isChain = identity.facts.continuity !== 'isolated';
  const known = isChain ? await statesAt(parts, start, start.firstStep - 1) : [];
  const loggedIds = isChain ? keysOf(known) : await isolatedKeys(parts);
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
  if (!isChain) return isolatedPlaces(parts, start, missing);
  await placeLateStates(missing, known, { ...start, globalId: identity.facts.global_id ?? '' }, (id) =>
    start.stateHashBehind(id),
  );
  return [{ position: start.firstStep - 1, states: missing, known }];
}

/**
 * Takes states into an index that was made without them: config, get methods and accounts that no block changed work
 * then. The rows are those of an index that began with the states. Cut off, it is done by the same call.
 */
export async function takeLateStates(
  parts: LateStateParts,
  given: readonly SourceState[],
  signal: AbortSignal,
): Promise<void> {
  const { client, identity, codec, log } = parts;
  for (const { position, states, known } of await findMissingStates(parts, given)) {
    const all = [...known, ...states];
    await writeLateStates(parts, position, all, signal);
    const { records } = stepRecords({ mcSeqno: position, states: all, blocks: [] }, identity, codec);
    const table = stateTable(records.map((record) => ({ ...NOWHERE, ...record, position })));
    await client.insertNative(`${metaDatabase(identity.network)}.raw_states`, encodeNativeBlock(table), {
      route: 'late-states',
    });
    for (const { id, origin } of states)
      log.info({ state: blockIdText(id), file: origin, position }, 'the state is taken in');
  }
}

const NOWHERE: Omit<LogRecord, 'key' | 'headers' | 'value' | 'position'> = {
  lane: 0,
  offset: 0,
  epoch: 0,
  endsStep: false,
  appendedAt: 0,
};

async function indexedStart({ client, identity, projection }: EngineParts): Promise<IndexedStart | null> {
  return IndexedStart.read(client, await servedDatabase(client, identity, projection));
}

/** States that stand at a masterchain seqno: the index began with them, or took them in since. */
async function statesAt(
  parts: LateStateParts,
  start: IndexedStart,
  position: number,
): Promise<readonly SourceState[]> {
  if (!(await start.hasStatesAt(position))) return [];
  // Rows that were cut off before their states were kept are written anew.
  const records = await readStates(parts, position).catch((error: unknown) => {
    if (error instanceof LostStateError) return [];
    throw error;
  });
  return records.map(({ key, value }) => readLoggedState(parts.codec, key, value));
}

function keysOf(states: readonly SourceState[]): ReadonlyMap<string, string> {
  return new Map(states.map(({ id }) => [blockIdText(id), toHex(id.rootHash)]));
}

/** Root hashes of the states among unrelated blocks: in the log, and kept beside it. */
async function isolatedKeys({ bus, client, identity }: LateStateParts): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.queryRows<[string, string]>(
    `SELECT key, root_hash FROM ${metaDatabase(identity.network)}.raw_states`,
    { route: 'late-states', maxRows: 1_000_000 },
  );
  const logged = [...(await readLoggedIds(bus))].filter(([, { kind }]) => kind === 'state');
  return new Map([...rows, ...logged.map(([key, { root_hash = '' }]) => [key, root_hash] as const)]);
}

/** Among unrelated blocks each state stands at its masterchain seqno, beside whatever blocks stand there. */
async function isolatedPlaces(
  parts: LateStateParts,
  start: IndexedStart,
  states: readonly SourceState[],
): Promise<Missing[]> {
  const places = Map.groupBy(states, ({ mcSeqno }) => mcSeqno);
  const missing: Missing[] = [];
  for (const [position, here] of places)
    missing.push({ position, states: here, known: await statesAt(parts, start, position) });
  return missing;
}
