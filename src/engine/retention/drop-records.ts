/**
 * Drops input records of old epochs from the store. They stay in sealed files of the log. Nothing is dropped before
 * every record of it was found in a sealed file, by key and byte for byte:
 *
 *  1. `compared`: some records were read back from the sealed files and are equal to the store's.
 *  2. `recorded`: all are; the store has start states among them, and has written down, and synced, that the epoch is cold. Readers look into both places.
 *  3. `dropped`: one part of the table is gone. Only parts that were compared are dropped.
 *
 * A process that dies before 3 leaves the store as it was. One that dies later leaves parts, which the next run compares
 * and drops.
 */

import { readColdEpochs, recordColdEpoch, toEpochRange } from '../cold/cold-epochs.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { ColdInput, RecordPart, StoreDatabase, StoredStep } from '../projection/stored-input.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import { storeStates } from '../replay/state-table.ts';
import { presentVersions } from '../replay/switch.ts';
import { getDatabase } from '../versions/version-names.ts';
import { headEpoch } from './trim-log.ts';

/** What was done. `kept`: the epoch stays in the store. */
export type DropStep =
  | { readonly step: 'compared' | 'recorded' | 'dropped'; readonly epoch: number }
  | { readonly step: 'kept'; readonly epoch: number; readonly reason: string };

/** Records that are compared at once. */
const WINDOW = { bytes: 16 << 20, steps: 512 } as const;
/** Merges replace parts while they are compared; then the new parts are compared. */
const ATTEMPTS = 3;

/** Drops the input records of all but the newest epochs, step by step. `parts`: of the projection that keeps the records. */
export async function* dropSealedRecords(
  parts: EngineParts,
  hotEpochs: number,
  signal: AbortSignal,
): AsyncGenerator<DropStep, void> {
  const { bus, client, identity, projection } = parts;
  const { cold } = projection.input;
  const head = await headEpoch(parts);
  if (!cold || head === null) return;
  const border = head - hotEpochs + 1;
  const sealed = new Set((await bus.sealed(projection.reads)).map(({ epoch }) => epoch));
  const known = new Set(await readColdEpochs(client, identity));
  // Older versions first: a new version that is compared with an old one never has less.
  for (const { version } of (await presentVersions(parts)).toSorted((a, b) => a.version - b.version)) {
    const store = { client, database: getDatabase(identity, projection, version) };
    const epochs = new Set((await cold.parts(store)).map(({ epoch }) => epoch));
    for (const epoch of [...epochs].sort((a, b) => a - b))
      if (epoch < border && sealed.has(epoch)) yield* dropEpoch({ parts, cold, store, known, signal }, epoch);
  }
}

interface DropContext {
  readonly parts: EngineParts;
  readonly cold: ColdInput;
  readonly store: StoreDatabase;
  /** Cold epochs that are recorded. */
  readonly known: Set<number>;
  readonly signal: AbortSignal;
}

async function* dropEpoch(context: DropContext, epoch: number): AsyncGenerator<DropStep, void> {
  const { parts, cold, store, known } = context;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const own = (await cold.parts(store)).filter((part) => part.epoch === epoch);
    if (own.length === 0) return;
    const compared = yield* compareEpoch(context, epoch, own);
    if ('reason' in compared) {
      yield { step: 'kept', epoch, reason: compared.reason };
      return;
    }
    if (!known.has(epoch)) await recordColdEpoch(parts.client, parts.identity, { epoch, ...compared });
    known.add(epoch);
    yield { step: 'recorded', epoch };
    for (const { name } of own) if (await cold.dropPart(store, name)) yield { step: 'dropped', epoch };
  }
}

async function* compareEpoch(
  { parts, cold, store, known, signal }: DropContext,
  epoch: number,
  own: readonly RecordPart[],
): AsyncGenerator<DropStep, { readonly records: number } | { readonly reason: string }> {
  const { bus, codec, identity, projection } = parts;
  const names = own.map(({ name }) => name);
  const range = toEpochRange(epoch, identity);
  const isComplete = !known.has(epoch);
  let records = 0;
  for (const window of windows(range, await projection.input.readStoredSteps(store, range))) {
    signal.throwIfAborted();
    const sealed = await bus.readSealed(projection.reads, window);
    // The index begins with them: the loss of a sealed file must not lose them too.
    const states = isComplete ? sealed.filter(({ headers }) => headers.kind === 'state') : [];
    await storeStates(parts.client, identity.network, states, 'cold/states');
    const compared = await cold.compare(store, { parts: names, range: window, sealed, isComplete, codec });
    if (compared.differing !== null) return { reason: compared.differing };
    records += compared.records;
    yield { step: 'compared', epoch };
  }
  const stored = await cold.count(store, names);
  return stored === records ? { records } : { reason: `${records} of ${stored} records were compared` };
}

/** The range in pieces whose records are in memory at once. */
function* windows(range: PositionRange, steps: readonly StoredStep[]): Generator<PositionRange> {
  let { first } = range;
  let [count, bytes] = [0, 0];
  for (const step of steps) {
    count++;
    bytes += step.bytes;
    if (count < WINDOW.steps && bytes < WINDOW.bytes) continue;
    yield { first, last: step.position };
    first = step.position + 1;
    [count, bytes] = [0, 0];
  }
  if (first <= range.last) yield { first, last: range.last };
}
