import { UnreadableLogError } from '../../log/errors.ts';
import { readColdEpochs, readColdRanges, toEpochRange } from '../cold/cold-epochs.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { KnownRecord } from '../projection/stored-input.ts';
import type { CheckResult } from '../projection/table-audit.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import { readStatePositions, statesInLog } from '../replay/replay-inputs.ts';

type Parts = Pick<EngineParts, 'bus' | 'client' | 'identity' | 'projection'>;

/** Steps that are looked at together. */
const WINDOW = 2_000;
const SHOWN = 5;

/** A block, or the start states of a step, that the store has dropped and no sealed file has. */
export interface LostColdBlock {
  readonly position: number;
  readonly reason: string;
}

/** Blocks of cold epochs that are indexed, and neither in the store nor in a sealed file with the same root hash. */
export async function* lostColdBlocks(
  parts: Parts,
  database: string,
  signal: AbortSignal,
): AsyncGenerator<LostColdBlock> {
  const { client, identity, projection } = parts;
  const { cold } = projection.input;
  if (!cold) return;
  for (const epoch of await readColdEpochs(client, identity))
    for (const range of windows(toEpochRange(epoch, identity))) {
      signal.throwIfAborted();
      const missing = await cold.missing({ client, database }, range);
      if (missing.length > 0) yield* unsealed(parts, range, missing);
    }
}

/** Start states of cold epochs that are neither in `raw_states` nor in the log. */
async function* lostStates(parts: Parts, database: string): AsyncGenerator<LostColdBlock> {
  const { client, identity, projection } = parts;
  const { input } = projection;
  const cold = input.hasStates ? await readColdRanges(client, identity) : [];
  if (cold.length === 0) return;
  const stored = new Set(await readStatePositions(parts, cold));
  for (const position of await input.startStates({ client, database }, cold)) {
    if (stored.has(position)) continue;
    const found = await statesInLog(parts, position).catch(unreadable);
    if (found instanceof Error) yield { position, reason: found.message };
    else if (found.length === 0)
      yield {
        position,
        reason: `the start states of masterchain ${position} are neither in raw_states nor in a sealed file`,
      };
  }
}

function unreadable(error: unknown): UnreadableLogError {
  if (error instanceof UnreadableLogError) return error;
  throw error;
}

async function* unsealed(
  { bus, projection }: Parts,
  range: PositionRange,
  missing: readonly KnownRecord[],
): AsyncGenerator<LostColdBlock> {
  try {
    const sealed = new Map<string, string | undefined>();
    for (const { key, headers } of await bus.readSealed(projection.reads, { ...range, withoutValues: true }))
      if (!sealed.has(key)) sealed.set(key, headers.root_hash);
    for (const { key, position, rootHash } of missing)
      if (sealed.get(key) !== rootHash)
        yield { position, reason: `block ${key} of masterchain ${position} is in no sealed file` };
  } catch (error) {
    if (!(error instanceof UnreadableLogError)) throw error;
    for (const { position } of missing) yield { position, reason: error.message };
  }
}

function* windows({ first, last }: PositionRange): Generator<PositionRange> {
  for (let at = first; at <= last; at += WINDOW) yield { first: at, last: Math.min(last, at + WINDOW - 1) };
}

/** Checks that sealed files have every block that the store has dropped. */
export async function checkColdBlocks(
  parts: Parts,
  database: string,
  signal: AbortSignal,
): Promise<CheckResult> {
  let problems = 0;
  const samples = new Set<string>();
  for (const lost of [lostStates(parts, database), lostColdBlocks(parts, database, signal)])
    for await (const { reason } of lost) {
      problems++;
      if (samples.size < SHOWN) samples.add(reason);
    }
  return {
    name: 'cold-blocks',
    law: 'sealed files have every block that was dropped from the store, and start states are stored',
    problems,
    samples: [...samples],
  };
}
